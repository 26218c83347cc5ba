// Copies into shared memory, and out of it. Models (x_model.cpp) observe reads and writes here.
//
// Writing to a cache line that another CPU has read last costs several times as much as reading one
// that another CPU has written; a CPU that used the line last itself pays neither
// (docs/mpi-performance.md). So the last reader of a line should be its next writer, or leave the
// line in the state in which a writer leaves it (hand_back).
#pragma once

#include "coll/message_remainder.hpp"

#include <algorithm>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace artel::coll {

#if defined(ARTEL_MODEL)
void copy_to_shared(std::byte* shared, const void* from, std::size_t bytes) noexcept;
void copy_from_shared(void* to, const std::byte* shared, std::size_t bytes) noexcept;
void stream_from_shared(std::byte* to, const std::byte* shared, std::size_t bytes) noexcept;
void hand_back(std::byte* shared, std::size_t bytes) noexcept;
#else
inline void copy_to_shared(std::byte* shared, const void* from, std::size_t bytes) noexcept
{
    copy_small(shared, from, bytes);
}
inline void copy_from_shared(void* to, const std::byte* shared, std::size_t bytes) noexcept
{
    copy_small(to, shared, bytes);
}

// The same for data larger than the caches: written around them, so that the memory's old contents
// need not be fetched first.
inline void stream_from_shared(std::byte* to, const std::byte* shared, std::size_t bytes) noexcept
{
#if defined(__SSE2__)
    const std::size_t head = std::min(-reinterpret_cast<std::uintptr_t>(to) % sizeof(__m128i),
                                      bytes);
    std::memcpy(to, shared, head);
    std::size_t at = head;
    for (; at + 64 <= bytes; at += 64) {
        const auto* const from = reinterpret_cast<const __m128i*>(shared + at);
        auto* const into = reinterpret_cast<__m128i*>(to + at);
        const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1),
                      c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
        _mm_stream_si128(into, a);
        _mm_stream_si128(into + 1, b);
        _mm_stream_si128(into + 2, c);
        _mm_stream_si128(into + 3, d);
    }
    std::memcpy(to + at, shared + at, bytes - at);
    // Such stores are not ordered with others, and the release store by which the buffer is passed
    // on does not order them.
    _mm_sfence();
#else
    std::memcpy(to, shared, bytes);
#endif
}

// Rewrites each cache line with its own contents, so that it is in the state in which a writer
// leaves it. Called by the only reader of the bytes, after reading them and before announcing that.
inline void hand_back(std::byte* shared, std::size_t bytes) noexcept
{
    for (std::size_t at = 0; at < bytes; at += shm::line_size) {
        // volatile: a compiler would leave out a store that changes nothing.
        auto* const first = reinterpret_cast<volatile unsigned char*>(shared + at);
        *first = *first;
    }
}
#endif

// Part of a message or result of `all` bytes: around the caches when these are at least
// `stream_from`, unless that is 0.
inline void deliver_from_shared(std::byte* to, const std::byte* shared, std::size_t bytes,
                                std::uint64_t all, std::uint64_t stream_from) noexcept
{
    if (stream_from != 0 && all >= stream_from) {
        stream_from_shared(to, shared, bytes);
    } else {
        copy_from_shared(to, shared, bytes);
    }
}

}  // namespace artel::coll
