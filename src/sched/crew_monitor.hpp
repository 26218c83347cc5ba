// The thread of the progress monitor, as the crew starts, wakes and ends it (monitor_thread.cpp).
// What it does is in monitor.cpp.
#pragma once

#include "sched/crew_placement.hpp"

#include <atomic>

namespace artel::sched {

class crew_monitor : public crew_placement {
public:
    // Starts the thread that adds reserve workers when light threads wait for one that never yields
    // (monitor.cpp). Idempotent.
    void start_monitor() noexcept;
    // The same, but if one of the crew's own threads is just starting, that thread does it before
    // it runs anything, because the caller has a loop to run.
    void start_monitor_soon() noexcept;

protected:
    // Called after active() has risen by a seq_cst operation of the caller, or of the thread that
    // took it out of the idle set: wakes a monitor that sleeps because nobody was active. Otherwise
    // members behind a blocked worker would wait for as long as it sleeps.
    void rouse_monitor() noexcept
    {
        // seq_cst: pairs with the fence in the monitor.
        if (monitor_sleeps_.load(std::memory_order_seq_cst) != 0) [[unlikely]] {
            wake_monitor();
        }
    }
    // Makes the monitor look at tasks that threads have left in their deques (left_tasks.cpp).
    void let_monitor_look() noexcept;
    // Called by a starting own thread, or on its behalf when it could not be created.
    void has_looked() noexcept;
    bool monitor_ends() noexcept;
    bool end_monitor() noexcept;  // departure.cpp

    static constexpr unsigned monitor_none = 0;
    static constexpr unsigned monitor_running = 1;
    static constexpr unsigned monitor_to_end = 2;
    static constexpr unsigned monitor_refused = 3;  // the system gives no thread for it
    // One of these. acq_rel where it changes: of several threads that change it only one continues.
    // The monitor sleeps on it between its ticks.
    std::atomic<unsigned> monitor_{monitor_none};
    // The kernel's number, told when it begins. relaxed: a number; see end_monitor().
    std::atomic<int> monitor_thread_{0};
    // For start_monitor_soon: `monitor_wanted`, plus `one_starting` for every own thread that has
    // started and not yet checked it. In one word that only read-modify-writes change, so a request
    // made while a thread starts precedes its check. relaxed, all: nothing else is published.
    static constexpr unsigned monitor_wanted = 1;
    static constexpr unsigned one_starting = 2;
    std::atomic<unsigned> starting_{0};

private:
    void wake_monitor() noexcept;
    static void* monitor_main(void* argument);
};

}  // namespace artel::sched
