// The shepherds and workers between qthread_initialize and qthread_finalize: a group of streams,
// with a pool for each shepherd.
#pragma once

#include "sched/stream.hpp"
#include "settings.hpp"
#include "task.hpp"

#include <atomic>

namespace artel::qthreads {

struct runtime {
    settings in_force;
    runtime* before = nullptr;             // an earlier runtime, which has ended and is kept
    sched::stream_group* group = nullptr;  // shared with a later runtime of the same shape
    bool joined = false;                   // the program's thread is a qthread
    unsigned shepherds = 1;
    unsigned workers_per_shepherd = 1;
    std::atomic<std::uint64_t> last_id{1};   // relaxed: numbers only need to differ
    std::atomic<unsigned> next_shepherd{0};  // relaxed: any will do
    std::vector<std::atomic<bool>> shepherd_on;
    std::vector<std::atomic<bool>> worker_on;

    // acquire inside: pairs with the change, so what was done before it is visible.
    bool is_on(unsigned shepherd) const noexcept;
    // The nearest enabled shepherd.
    unsigned instead_of(unsigned shepherd) const noexcept;
    sched::pool& pool_of(unsigned shepherd) noexcept { return group->pool_at(shepherd); }
};

// nullptr before qthread_initialize and after qthread_finalize.
runtime* current() noexcept;
// As current(), but ends the program, with a message that names `caller`, when there is none.
runtime& needed(const char* caller) noexcept;

// The calling qthread, as self(); the thread that forked may become one by this call.
task* caller() noexcept;

int initialize() noexcept;
void finalize() noexcept;

}  // namespace artel::qthreads
