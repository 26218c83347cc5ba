// Barriers, the end of a region, and the tasks that members execute while they wait there.
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

namespace cp {

namespace {

void help(void* argument)
{
    thread& me = *static_cast<thread*>(argument);
    set_current(&me);
    finish(me);
    light_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
}

}  // namespace

void wakeups::announce() const
{
    if (parent != nullptr) {
        wake(parent);
    }
    if (group != nullptr) {
        wake(group);
    }
    if (at_barrier != nullptr) {
        wake(at_barrier, 1);
    }
    if (at_end != nullptr) {
        wake(at_end);
    }
    if (helper != nullptr) {
        light_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
        spawn(*helper->group, help, helper, helper->number);
    }
}

void make_ready(task* t, wakeups& n)
{
    team& of = *t->of;
    t->queued = true;
    // Searches from the end, as few tasks have priorities.
    task* behind = of.ready_tasks.back();
    while (behind != nullptr && behind->priority < t->priority) {
        behind = behind->in_team.before;
    }
    of.ready_tasks.insert(t, behind,
                          behind == nullptr ? of.ready_tasks.front() : behind->in_team.after);
    // relaxed: under the lock; readers without the lock check again.
    const unsigned ready = of.ready.load(std::memory_order_relaxed) + 1;
    of.ready.store(ready, std::memory_order_relaxed);
    t->parent->ready_list.push_front(t);
    t->parent->ready_children.fetch_add(1, std::memory_order_relaxed);
    n.parent = t->parent;
    if (t->group != nullptr) {
        t->group->ready_list.push_front(t);
        t->group->ready.fetch_add(1, std::memory_order_relaxed);
        n.group = t->group;
    }
    if (of.asleep > 0) {
        n.at_barrier = &of.generation;
    }
    if (of.first_asleep) {
        n.at_end = &of.inside;
    }
    if (ready > of.asleep + (of.first_asleep ? 1 : 0) && !of.gone.empty() && current()->light &&
        n.helper == nullptr) {
        n.helper = &of.threads[of.gone.back()];
        of.gone.pop_back();
        of.inside.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
    }
}

// Only the first member waits here. The light threads of the others end, and a new one begins for a
// member when there are tasks for it.
void finish(thread& me)
{
    team& of = *me.group;
    if (of.n == 1 && of.pending.load(std::memory_order_relaxed) == 0) {  // relaxed: it has made
                                                                         // them itself
        forget_dependences(me.implicit.dependences);
        me.implicit.dependences = nullptr;
        return;
    }
    of.lock.lock();
    if (me.implicit.dependences != nullptr) {
        forget_dependences(me.implicit.dependences);
        me.implicit.dependences = nullptr;
    }
    while (true) {
        if (run_one(me)) {
            continue;
        }
        // relaxed, here and in the condition: both are checked again under the lock.
        const auto all_done = [&of] {
            return of.inside.load(std::memory_order_relaxed) == 1 &&
                   of.pending.load(std::memory_order_relaxed) == 0;
        };
        if (me.number != 0) {
            of.gone.push_back(me.number);
            const bool last = of.inside.fetch_sub(1, std::memory_order_relaxed) == 2;
            const void* const at = &of.inside;
            of.lock.unlock();  // the team may be freed
            if (last) {
                wake(at);
            }
            return;
        }
        if (all_done()) {
            of.lock.unlock();
            return;
        }
        of.first_asleep = true;
        of.lock.unlock();
        wait_until(&of.inside,
                   [&] { return all_done() || of.ready.load(std::memory_order_relaxed) != 0; });
        of.lock.lock();
        of.first_asleep = false;
    }
}

bool barrier(thread& me, bool may)
{
    team& of = *me.group;
    // relaxed loads of what the lock guards; the conditions are checked again under the lock.
    const auto cancelled = [&of] { return of.cancelled.load(std::memory_order_relaxed); };
    if (of.n == 1 && of.pending.load(std::memory_order_relaxed) == 0) {
        return may && cancelled();
    }
    of.lock.lock();
    const unsigned generation = of.generation.load(std::memory_order_relaxed);
    of.arrived.fetch_add(1, std::memory_order_relaxed);
    const auto passed = [&] { return of.generation.load(std::memory_order_relaxed) != generation; };
    const auto complete = [&] {
        return of.arrived.load(std::memory_order_relaxed) == of.n &&
               of.pending.load(std::memory_order_relaxed) == 0;
    };
    while (!passed()) {
        if (cancelled()) {
            of.arrived.fetch_sub(1, std::memory_order_relaxed);
            of.lock.unlock();
            return may;
        }
        if (run_one(me)) {
            continue;
        }
        if (complete()) {
            of.arrived.store(0, std::memory_order_relaxed);
            of.generation.store(generation + 1, std::memory_order_relaxed);
            of.lock.unlock();
            wake(&of.generation);  // this member is still in the team
            return false;
        }
        ++of.asleep;
        of.lock.unlock();
        wait_until(&of.generation, [&] {
            return passed() || cancelled() || complete() ||
                   of.ready.load(std::memory_order_relaxed) != 0;
        });
        of.lock.lock();
        --of.asleep;
    }
    of.lock.unlock();
    return may && cancelled();
}

}  // namespace cp

using namespace cp;

extern "C" {

void __cp_barrier(void)
{
    (void)barrier(*current(), false);
}

int __cp_barrier_cancel(void)
{
    return barrier(*current(), true);
}

// A full fence: pairs with those of the other threads that flush. A member that flushes again and
// again waits for another one, which may need the stream.
void __cp_flush(void)
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
    thread* const me = current();
    if (++me->looks % 64 == 0) {
        step_aside(*me);
    }
}

}  // extern "C"
