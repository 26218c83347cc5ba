// How the calling thread computes with floating-point numbers: rounding, flushing to zero, traps.
#pragma once

#include <cstdint>

namespace artel::base {

#if defined(__x86_64__)

// MXCSR without the exceptions that have been raised; the x87 control word in the upper half.
inline std::uint64_t fp_control() noexcept
{
    std::uint32_t mxcsr = 0;
    std::uint16_t x87 = 0;
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    return (mxcsr & ~0x3Fu) | static_cast<std::uint64_t>(x87) << 32;
}

// Exceptions that have been raised stay so. Loading is slow, so only what differs is loaded.
inline void set_fp_control(std::uint64_t wanted) noexcept
{
    std::uint32_t mxcsr = 0;
    std::uint16_t x87 = 0;
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    const auto wanted_x87 = static_cast<std::uint16_t>(wanted >> 32);
    const std::uint32_t wanted_mxcsr = (static_cast<std::uint32_t>(wanted) & ~0x3Fu) |
                                       (mxcsr & 0x3Fu);
    if (mxcsr != wanted_mxcsr) [[unlikely]] {
        asm volatile("ldmxcsr %0" : : "m"(wanted_mxcsr));
    }
    if (x87 != wanted_x87) [[unlikely]] {
        asm volatile("fldcw %0" : : "m"(wanted_x87));
    }
}

#else

inline std::uint64_t fp_control() noexcept
{
    return 0;
}
inline void set_fp_control(std::uint64_t /*wanted*/) noexcept {}

#endif

}  // namespace artel::base
