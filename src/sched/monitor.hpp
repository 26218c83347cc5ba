// The progress monitor: what it remembers between its looks at the crew, and what it does at each.
// The rule by which it adds OS threads is in monitor.cpp; how its thread starts and ends in
// monitor_thread.cpp.
#pragma once

#include "sched/crew.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::sched {

class monitor {
public:
    explicit monitor(crew& of) noexcept;

    // What the monitor's thread does; returns when it is to end.
    void run() noexcept;

private:
    // One look at all workers.
    struct snapshot {
        bool waiting = false;    // light threads wait behind a worker that is stuck
        std::size_t behind = 0;  // how many of them
        bool all_stuck = true;
        bool spun_on = false;          // some of those workers compute
        int anywhere = 0;              // light threads that were promised to run concurrently
        std::uint64_t outside = 0;     // CPU time of threads of the program outside of the crew, ns
        unsigned threads_outside = 0;  // that have used it
    };

    bool nobody_works() const noexcept;
    void each_second(std::uint64_t now) noexcept;
    bool sleep_while_nobody_works() noexcept;
    snapshot look() noexcept;
    void look_at(const worker& w, snapshot& found) noexcept;
    bool look_at_left_tasks() noexcept;
    void note_crowd(const snapshot& found) noexcept;
    void help(const snapshot& found) noexcept;

    crew& crew_;
    const std::uint64_t tick_;         // us
    unsigned known_ = 0;               // workers of this crew that have been seen
    std::uint64_t last_tick_;          // ns
    std::uint64_t outside_share_ = 0;  // CPU of threads outside, in thousandths of one CPU
    unsigned to_add_ = 1;
    unsigned calm_ = 0;          // ticks since a worker was stuck
    unsigned enough_calm_;       // before reserves are retired
    bool look_soon_ = false;     // at left tasks
    std::uint64_t next_second_;  // ns
    unsigned seconds_ = 0;
};

}  // namespace artel::sched
