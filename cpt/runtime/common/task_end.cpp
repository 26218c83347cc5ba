// Completion of tasks: when the body has ended and the event, if any, was fulfilled. Then its
// waiters go on.
#include "dependence.hpp"
#include "interface.hpp"
#include "task_run.hpp"
#include "team.hpp"
#include "wait.hpp"

#include <iterator>
#include <vector>

namespace cp {

void complete(task* t)
{
    team& of = *t->of;
    task* const parent = t->parent;
    task_group* const group = t->group;
    const void* waits_inline[8];
    unsigned inline_waiters = 0;
    std::vector<const void*> more;
    task* dead[2] = {nullptr, nullptr};
    of.lock.lock();
    t->completed = true;
    std::vector<wakeups> others;
    for (task* const s : t->successors) {
        // release: pairs with wait_for_missing.
        if (s->missing.fetch_sub(1, std::memory_order_release) != 1) {
            continue;
        }
        if (s->body != nullptr && s->priority >= 0) {
            others.emplace_back();
            make_ready(s, others.back());
        } else if (inline_waiters < std::size(waits_inline)) {
            waits_inline[inline_waiters++] = s;
        } else {
            more.push_back(s);
        }
    }
    t->successors.clear();
    if (t->dependences != nullptr) {
        forget_dependences(t->dependences);
        t->dependences = nullptr;
    }
    // relaxed, all: under the lock; readers without the lock take it before they go on.
    const bool last_child = parent->children.fetch_sub(1, std::memory_order_release) == 1;
    const bool last_of_group = group != nullptr &&
                               group->unfinished.fetch_sub(1, std::memory_order_release) == 1;
    const bool last_of_team = of.pending.fetch_sub(1, std::memory_order_relaxed) == 1;
    const void* const at_barrier = &of.generation;
    const void* const at_end = &of.inside;
    // release (two): pairs with the acquire in drop(), which frees a task without the lock if it
    // has the last reference.
    if (parent->references.fetch_sub(1, std::memory_order_release) == 1) {
        dead[0] = parent;
    }
    if (t->references.fetch_sub(1, std::memory_order_release) == 1) {
        dead[1] = t;
    }
    of.lock.unlock();  // the team, the group and the parent may be freed: only their addresses are
                       // used
    for (const wakeups& n : others) {
        n.announce();
    }
    for (unsigned i = 0; i < inline_waiters; ++i) {
        wake(waits_inline[i]);
    }
    for (const void* at : more) {
        wake(at);
    }
    if (last_child) {
        wake(parent);
    }
    if (last_of_group) {
        wake(group);
    }
    if (last_of_team) {
        wake(at_barrier);
        wake(at_end);
    }
    for (task* const d : dead) {
        if (d != nullptr) {
            destroy(d);
        }
    }
}

}  // namespace cp

using namespace cp;

extern "C" {

void omp_fulfill_event(omp_event_handle_t event)
{
    auto* const t = reinterpret_cast<task*>(static_cast<unsigned long>(event));
    // acq_rel: the second of the two completes it and sees what the first has done.
    if (t->to_come.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        complete(t);
    }
    wake(t);  // an address only
}

}  // extern "C"
