// What a loop (descriptor.hpp) hands out: a slot with a share of its iterations for each
// participant, and the work by which others come to take part.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"
#include "loop/range_word.hpp"

#include <atomic>

namespace artel::loop {

class descriptor;

// Stealable work that lets its taker take part in the loop, with any slot that is free.
struct ticket : base::work {
    descriptor* of = nullptr;
    // Whether it is queued; a second push would corrupt the queue. Set by the slot's owner, reset
    // by the taker.
    std::atomic<bool> queued{false};
};

// The offer to workers that look for work: their slot's share.
struct loop_offer : base::work {
    descriptor* to = nullptr;
};

inline constexpr unsigned no_slot = ~0u;

struct alignas(base::cache_line) slot {
    range_word range;
    ticket spread[2];  // pushed by the owner for workers that look for work
};

}  // namespace artel::loop
