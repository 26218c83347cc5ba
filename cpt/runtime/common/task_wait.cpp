// Waiting for tasks: at barriers, for children, for groups and for dependences. Waiting members
// execute tasks meanwhile.
#include "interface.hpp"
#include "task_run.hpp"
#include "team.hpp"
#include "wait.hpp"

namespace cp {

namespace {

// Executes an owner's ready tasks (a parent's, or a group's) until the condition holds. The lock is
// not held.
template <auto Ready, class Owner, class Condition>
void work_until(thread& me, const void* at, Owner* owner, const Condition& done)
{
    me.group->lock.lock();
    while (!done()) {
        if (task* const t = owner->ready_list.front(); t != nullptr) {
            run(me, t);
            continue;
        }
        me.group->lock.unlock();
        // relaxed: the list is read under the lock.
        wait_until(at,
                   [&] { return done() || (owner->*Ready).load(std::memory_order_relaxed) != 0; });
        me.group->lock.lock();
    }
    me.group->lock.unlock();
}

}  // namespace

void wait_for_missing(thread& me, task* t)
{
    // acquire: pairs with complete().
    work_until<&task::ready_children>(
        me, t, me.now, [t] { return t->missing.load(std::memory_order_acquire) == 0; });
}

bool run_one(thread& me)
{
    task* const t = me.group->ready_tasks.front();
    if (t == nullptr) {
        return false;
    }
    run(me, t);
    return true;
}

}  // namespace cp

using namespace cp;

extern "C" {

void __cp_taskwait(void)
{
    thread& me = *current();
    task* const t = me.now;
    // acquire: pairs with complete().
    const auto done = [t] { return t->children.load(std::memory_order_acquire) == 0; };
    if (!done()) {
        work_until<&task::ready_children>(me, t, t, done);
    }
    // No task is left on which another could depend: those that are listed need not stay.
    if (t->dependences != nullptr) {
        me.group->lock.lock();
        forget_dependences(t->dependences);
        t->dependences = nullptr;
        me.group->lock.unlock();
    }
}

void __cp_taskwait_depend(void** depend, unsigned n)
{
    __cp_task([](void*) {}, nullptr, 0, 1, 0, 0, depend, n, 0, nullptr);
}

void __cp_taskyield(void)
{
    thread& me = *current();
    task* const t = me.now;
    if (t->ready_children.load(std::memory_order_relaxed) != 0) {  // relaxed: its own, mostly
        me.group->lock.lock();
        if (task* const child = t->ready_list.front(); child != nullptr) {
            run(me, child);
        }
        me.group->lock.unlock();
        return;
    }
    step_aside(me);
}

void __cp_taskgroup_start(void)
{
    task* const t = current()->now;
    auto* const g = new task_group;
    g->outer = t->group;
    t->group = g;
}

void __cp_taskgroup_end(void)
{
    thread& me = *current();
    task_group* const g = me.now->group;
    // acquire: pairs with complete().
    const auto done = [g] { return g->unfinished.load(std::memory_order_acquire) == 0; };
    if (!done()) {
        work_until<&task_group::ready>(me, g, g, done);
    }
    me.now->group = g->outer;
    delete g;
}

}  // extern "C"
