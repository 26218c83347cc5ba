// What the members of a team share of their tasks, besides their deques.
#pragma once

#include "outsiders.hpp"
#include "task_memory.hpp"
#include "task_queue.hpp"
#include "waiting/wait_queue.hpp"

#include <atomic>

namespace artel::openmp {

// What a team knows of its tasks.
struct task_state {
    task_state()
    {
        naps.configure(nap_lists);
        waits.configure(nap_lists);
        add_queue(naps, nap_lists);
    }
    static constexpr unsigned nap_lists = 4;

    // how many deques to look at; read by members that are on their way out of a region, too.
    std::atomic<unsigned> members{1};
    // an explicit task was made in this region: barriers must look.
    std::atomic<bool> used{false};
    outsiders from_outside;  // see fulfill_event
    // members that wait for tasks to complete and may run any task meanwhile.
    wait_queue naps;
    wait_queue waits;   // members that wait for tasks and can do nothing about it
    task_queue shared;  // tasks in no member's deque
    free_list_pool<task_allocator::header> spare;  // memory of tasks that members have too much of
    // what implicit tasks start in: a group with the reductions of the region, or none.
    taskgroup* region_group = nullptr;
    std::atomic<unsigned> stuck{0};  // members asleep in `waits`
    // Queues in which members that could run tasks may sleep, besides the barrier's: their first
    // `lists` lists.
    struct {
        wait_queue* where = nullptr;
        unsigned lists = 0;
    } queues[3];
    unsigned queue_count = 0;
    void add_queue(wait_queue& r, unsigned lists) noexcept { queues[queue_count++] = {&r, lists}; }
};

}  // namespace artel::openmp
