// Measures the parameters of the analytic model (model.hpp) for this machine and these ranks, with
// the words and the memory that the messages will use. Takes a millisecond at the set-up of the
// first communicator of each size.
#pragma once

#include "coll/model.hpp"
#include "coll/settings.hpp"
#include "shm/waiter.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::coll {

// Assumed values, where nothing was measured.
inline constexpr model_times assumed_times{5e-11, 1e-7, 1e-7, 2e-8};

// A segment of equal areas, of which the last `tail` bytes each are zero. They are not used before,
// and their contents are not needed afterwards.
struct measured_segment {
    std::byte* areas;
    std::size_t area_bytes;
    // at least a page; the last page is for words, the pages before it are copied to and from.
    std::size_t tail;
};

struct measured_message {
    // Whether, with two ranks, the reader hands back the cache lines that it has copied out of.
    choice hand_back = choice::measured;
    // The size of a message in its ranks' own memory; 0: one that stays in the caches.
    std::uint64_t bytes = 0;
};

// All ranks of the segment call it together, and all get the same times, unless a rank has died.
// Medians over `rounds`.
shm::status measure_times(const measured_segment& s, unsigned rank, unsigned ranks, unsigned rounds,
                          const measured_message& message, const shm::waiter& waiting,
                          model_times& times) noexcept;

}  // namespace artel::coll
