// The tasking state that a team's members share, besides their deques.
#pragma once

#include "external_task_ends.hpp"
#include "task_memory.hpp"
#include "task_queue.hpp"
#include "waiting/wait_queue.hpp"

#include <atomic>
#include <cstdint>

namespace artel::openmp {

struct team;

// What the monitor remembers of queued tasks between its looks (tasking/stalled_tasks.cpp).
struct task_watch {
    std::uint64_t movement = 0;
    unsigned still = 0;  // looks at which nothing had moved
};

struct task_state {
    task_state()
    {
        helpers.configure(wait_lists);
        waits.configure(wait_lists);
        add_queue(helpers, wait_lists);
    }
    static constexpr unsigned wait_lists = 4;

    // how many deques to look at; also read by members that are leaving a region.
    std::atomic<unsigned> members{1};
    // a task was queued in this region: barriers must look for tasks.
    std::atomic<bool> used{false};
    external_task_ends external_ends;  // see fulfill_event
    // members that wait for tasks and may run any task meanwhile.
    wait_queue helpers;
    wait_queue waits;   // members that wait for tasks and may run none of the queued ones
    task_queue shared;  // tasks in no member's deque
    free_list_pool<task_allocator::header> spare;  // surplus free task records
    // the group in which implicit tasks start: one with the reductions of the region, or none.
    taskgroup* region_group = nullptr;
    std::atomic<unsigned> stuck{0};  // members asleep in `waits`
    // the monitor looks at queued tasks; and: it has done so in this region.
    std::atomic<bool> watched{false};
    std::atomic<bool> was_watched{false};
    team* next_watched = nullptr;  // in the list of teams that it looks at
    task_watch shared_watch;       // of the tasks in no member's deque
    // Other queues than the barrier's in which members that could run tasks may sleep; the first
    // `lists` lists of each.
    struct {
        wait_queue* where = nullptr;
        unsigned lists = 0;
    } queues[3];
    unsigned queue_count = 0;
    void add_queue(wait_queue& r, unsigned lists) noexcept { queues[queue_count++] = {&r, lists}; }
};

}  // namespace artel::openmp
