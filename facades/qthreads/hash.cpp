// Hash functions. Their values are not specified by the interface.
#include <cstddef>
#include <cstdint>

namespace {

std::uint64_t mix(std::uint64_t x) noexcept
{
    // Multiplications by odd constants, and shifts that bring the high bits down.
    x = (x ^ x >> 32) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
    return x ^ x >> 32;
}

}  // namespace

extern "C" {

std::uint64_t qt_hash64(std::uint64_t key)
{
    return mix(key);
}
std::uint64_t qt_hash_bytes(void* key, std::size_t bytes, std::uint64_t state)
{
    const auto* const b = static_cast<const unsigned char*>(key);
    state ^= bytes;
    for (std::size_t i = 0; i < bytes; ++i) {
        state = (state ^ b[i]) * 0x100000001B3u;
    }
    return mix(state);
}
}
