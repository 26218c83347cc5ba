// qt_sinc_t lies in 24 bytes of the program. The count is there; values are reduced in partial
// results on the heap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::qthreads {

struct sinc_values;

struct sinc {
    std::atomic<std::uint32_t> left;
    sinc_values* values;  // nullptr: it only counts
    void* unused;
};
static_assert(sizeof(sinc) == 24 && alignof(sinc) == 8);

// One submission. `value` may be nullptr when the sinc only counts.
void submit(sinc& s, const void* value) noexcept;

}  // namespace artel::qthreads
