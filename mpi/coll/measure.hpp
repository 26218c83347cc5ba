// Measures what the analytic model (model.hpp) needs to know of this machine and these ranks: takes
// a millisecond at the set-up of the first communicator of each size, with the words and the memory
// that the messages will use.
#pragma once

#include "coll/model.hpp"
#include "coll/settings.hpp"
#include "shm/waiter.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::coll {

// Assumed values, where nothing was measured.
inline constexpr model_times assumed_times{5e-11, 1e-7, 1e-7, 2e-8};

// A segment of equal areas, of which the last `tail` bytes each are zero. No one needs them before
// or their contents afterwards.
struct measured_segment {
    std::byte* areas;
    std::size_t area_bytes;
    // at least a page; the last page is for words, the pages before it are copied to and from.
    std::size_t tail;
};

struct measured_message {
    choice hand_back = choice::
        // whether, with two ranks, the reader is to hand back the cache lines that it has copied
        // out of.
        measured;
    std::uint64_t bytes = 0;  // of a message in its ranks' own memory; 0: a size that stays in the
                              // caches
};

// All ranks of the segment call it together, and all get the same times, unless a rank has died.
// Medians over `rounds`.
shm::status measure_times(const measured_segment& s, unsigned rank, unsigned ranks, unsigned rounds,
                          const measured_message& message, const shm::waiter& waiting,
                          model_times& times) noexcept;

// Results of earlier measurements in this process, by the number of ranks and
// measured_message::bytes; false: none. Any thread.
bool find_times(unsigned ranks, std::uint64_t message_bytes, model_times& times);
void keep_times(unsigned ranks, std::uint64_t message_bytes, const model_times& times);
void forget_times();

}  // namespace artel::coll
