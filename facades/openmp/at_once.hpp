// Tasks that are executed where they are made, before their maker goes on: undeferred ones, those
// of a final task or of a team of one, and those beyond what is queued. Nobody can wait for such a
// task while it is executed, so it is counted nowhere, unless it leaves descendants behind.
#pragma once

#include "team.hpp"

namespace artel::openmp {

// More queued tasks than this, and than 64 for each member of the team, and the creator runs its
// next ones itself: the queue stays in the cache, and memory bounded; while it runs a long one the
// others have something to do. KMP_ENABLE_TASK_THROTTLING turns that off. relaxed, all accesses: a
// number by itself, set when the settings are read.
[[gnu::visibility("hidden")]] extern constinit std::atomic<std::size_t> most_queued;

// Whether a task that the current task makes now is such a one.
inline bool runs_at_once(const member& m, bool deferred) noexcept
{
    if (!deferred || m.in->size == 1 || m.current->final) {
        return true;
    }
    const std::size_t queued = m.tasks.size();
    // relaxed: see there.
    return queued > most_queued.load(std::memory_order_relaxed) &&
           queued > std::size_t{64} * m.in->size;
}

// Whether, if it has dependences, it could have to wait for another one: only siblings can be that,
// and only such whose bodies have not ended.
inline bool may_have_predecessors(const member& m) noexcept
{
    // acquire: pairs with the release of take_off: what they did happens before what does not wait
    // for them.
    return (m.current->counts.load(std::memory_order_acquire) & task::children_mask) != 0;
}

// Makes and executes one that has no event and, if it has dependences, no predecessors; no tool is
// attached. The body gets `data` itself. May switch.
void run_at_once(member& m, task_function function, void* data, bool deferred, bool final);

}  // namespace artel::openmp
