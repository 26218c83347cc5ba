// What is counted over all arenas (arena.hpp): their workers, their requests for workers, and
// threads that wait for slots.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::onetbb {

struct arena_counts {
protected:
    // The number of arenas with another than normal priority. With none, priorities cost nothing.
    // relaxed: changed before such an arena can have tasks.
    static inline std::atomic<unsigned> special_{0};
    static bool levels_differ() noexcept
    {
        return special_.load(std::memory_order_relaxed) != 0;  // relaxed: see above
    }

    // Tickets that wait for a worker. relaxed, all: a hint.
    static inline std::atomic<unsigned> tickets_{0};
    // base::cycles() when a leaving worker last let other tickets go first. relaxed, all: a hint.
    static inline std::atomic<std::uint64_t> looked_at_others_{0};
    // Since workers last left, an arena was refused one because all had come. relaxed, all: a hint.
    static inline std::atomic<bool> another_was_refused_{false};
    // Whether another arena would like to have a worker.
    static bool another_asks() noexcept
    {
        // relaxed, both: see the declarations.
        return tickets_.load(std::memory_order_relaxed) != 0 ||
               another_was_refused_.load(std::memory_order_relaxed);
    }

    // Personas that serve arenas, or have been requested: those that the program limits, and those
    // beyond that, in arenas that get one all the same and in that of light threads. relaxed, all:
    // counts by themselves.
    static inline std::atomic<unsigned> all_workers_{0};
    static inline std::atomic<unsigned> further_workers_{0};

    // Threads that wait for a slot to run a function there. relaxed, all: read as a guess, and
    // after the fence of limit_changed().
    static inline std::atomic<unsigned> queueing_{0};

    // When an arena was first refused a worker since one that the program limits has left (ns); 0:
    // none was. relaxed, all: a hint.
    static inline std::atomic<std::int64_t> refused_since_{0};
    // That was long ago, and threads wait for slots: the first arena without a worker that wants
    // one gets it all the same. relaxed, all: a hint.
    static inline std::atomic<bool> one_more_{false};

    // A request for a worker was refused because arenas of higher priority have tasks for all of
    // them. relaxed, all: read and written after fences.
    static inline std::atomic<bool> outranked_{false};
};

}  // namespace artel::onetbb
