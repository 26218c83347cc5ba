// How a rank waits for a word: it spins while the wait is likely to be short, then yields its time
// slice, then sleeps in a futex. All the while it lets the MPI library make progress on other
// communication, and while asleep it checks now and then whether the others are still alive.
//
// Why not spin for ever, as most MPI libraries do inside a node: with more ranks than CPUs each
// spinning rank keeps the one it waits for from running, and a rank whose peer was killed would
// never end. Pending sends of the library wake no sleeper, so sleeps have time-outs, after which
// they make progress.
#pragma once

#include "base/cpu.hpp"
#include "shm/ring.hpp"

#include <cstdint>

namespace artel::shm {

enum class status {
    ok,
    peer_died,  // another rank of the communicator has died; the channel must not be used again
    failed,     // the kernel refused a copy that it allowed at set-up
    truncated,  // the ranks disagree about the size of the message
};

// What a waiter does before it sleeps.
struct spin_limits {
    unsigned spins;   // polls with a pause between them
    unsigned yields;  // sched_yield afterwards
};

// Several ranks per CPU: a waiter keeps the CPU from the rank that it waits for. The measurements
// are in docs/mpi-performance.md.
inline constexpr spin_limits crowded_limits{20, 30};
inline constexpr spin_limits roomy_limits{4000, 100};

class waiter {
public:
    using hook = int (*)(void* context);

    // `progress` is called while waiting, and `alive` every 100 ms or so of sleep: it returns 0
    // when a rank has died.
    waiter(spin_limits limits, hook progress, hook alive, void* context) noexcept
        : limits_(limits), progress_(progress), alive_(alive), context_(context)
    {}

    // Returns when the word has reached the target, or with peer_died. May block. One thread at a
    // time.
    status wait(awaited_word& word, std::uint32_t target) const noexcept
    {
        return word.reached(target) ? status::ok : wait_longer(word, target);
    }

private:
    status wait_longer(awaited_word& word, std::uint32_t target) const noexcept;

    spin_limits limits_;
    hook progress_;
    hook alive_;
    void* context_;
};

}  // namespace artel::shm
