// What the analytic model (model.hpp) needs to know of this machine and these ranks, measured
// rather than assumed: a millisecond at the set-up of the first communicator of each size, with the
// words and the memory that the messages will use.
#pragma once

#include "coll/model.hpp"
#include "coll/settings.hpp"
#include "shm/waiter.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::coll {

// What is assumed where nobody has measured.
inline constexpr model_times assumed_times{5e-11, 1e-7, 1e-7, 2e-8};

// A segment of equal areas whose last bytes, `tail` of each, are zero, and nobody needs them before
// or what is in them afterwards.
struct measured_segment {
    std::byte* areas;
    std::size_t area_bytes;
    // at least a page; the last page is for words, what is before it is copied into and out of.
    std::size_t tail;
};

struct measured_message {
    choice hand_back = choice::
        // whether the one reader of two ranks is to hand back the cache lines that it has copied
        // out of.
        measured;
    std::uint64_t bytes = 0;  // of a message in its ranks' own memory; 0: what stays in the caches
};

// All ranks of the segment call it together, and all get the same times, unless a rank has died.
// Medians over `rounds`.
shm::status measure_times(const measured_segment& s, unsigned rank, unsigned ranks, unsigned rounds,
                          const measured_message& message, const shm::waiter& waiting,
                          model_times& times) noexcept;

// What was measured in this process before, by the number of ranks and measured_message::bytes;
// false: nothing. Any thread.
bool find_times(unsigned ranks, std::uint64_t message_bytes, model_times& times);
void keep_times(unsigned ranks, std::uint64_t message_bytes, const model_times& times);
void forget_times();

}  // namespace artel::coll
