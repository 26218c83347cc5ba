#include "task.hpp"

#include "dependence.hpp"
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace cp {

namespace {

void lists_without(task* t)
{
    team& of = *t->of;
    // relaxed: under the lock; who looks without it looks again.
    of.ready_tasks.remove(t);
    of.ready.fetch_sub(1, std::memory_order_relaxed);
    t->parent->ready_list.remove(t);
    t->parent->ready_children.fetch_sub(1, std::memory_order_relaxed);
    if (t->group != nullptr) {
        t->group->ready_list.remove(t);
        t->group->ready.fetch_sub(1, std::memory_order_relaxed);
    }
    t->queued = false;
}

bool is_cancelled(const task* t)
{
    const task_group* const group = cancellable(t->group);
    // relaxed: who does not see it yet executes a little more.
    return t->of->cancelled.load(std::memory_order_relaxed) ||
           (group != nullptr && group->cancelled.load(std::memory_order_relaxed));
}

void destroy(task* t)
{
    void* const memory = t;
    t->~task();
    std::free(memory);
}

// The body, and what follows unless an event is still to come.
void execute(thread& me, task* t)
{
    task* const before = me.now;
    me.now = t;
    if (!is_cancelled(t)) {
        t->body(t->frame);
    }
    me.now = before;
    // acq_rel: who completes it sees what the other one has done.
    if (t->to_come.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        complete(t);
    }
}

// The lock is held, and again afterwards.
void run(thread& me, task* t)
{
    lists_without(t);
    me.group->lock.unlock();
    execute(me, t);
    me.group->lock.lock();
}

// A task with room for its frame behind it.
task* make(thread& me, std::size_t bytes, std::size_t alignment)
{
    const std::size_t edge = std::max<std::size_t>(alignment, 16);
    void* memory = nullptr;
    const std::size_t at = (sizeof(task) + edge - 1) / edge * edge;
    if (posix_memalign(&memory, edge, at + bytes) != 0) {
        fail("no memory for a task");
    }
    task* const t = new (memory) task;
    t->frame = static_cast<char*>(memory) + at;
    t->parent = me.now;
    t->of = me.group;
    t->group = me.now->group;
    t->settings = me.now->settings;
    t->explicit_task = true;
    return t;
}

// Counts a task as its parent's, its group's and its team's. Under the lock.
void count(task* t)
{
    // relaxed: under the lock; who looks without it looks again.
    t->references.fetch_add(1, std::memory_order_relaxed);  // until it is complete
    t->parent->references.fetch_add(1, std::memory_order_relaxed);
    t->parent->children.fetch_add(1, std::memory_order_relaxed);
    t->of->pending.fetch_add(1, std::memory_order_relaxed);
    if (t->group != nullptr) {
        t->group->unfinished.fetch_add(1, std::memory_order_relaxed);
    }
}

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
        // relaxed: the list is looked at under the lock.
        wait_until(at,
                   [&] { return done() || (owner->*Ready).load(std::memory_order_relaxed) != 0; });
        me.group->lock.lock();
    }
    me.group->lock.unlock();
}

void wait_for_missing(thread& me, task* t)
{
    // acquire: pairs with complete().
    work_until<&task::ready_children>(
        me, t, me.now, [t] { return t->missing.load(std::memory_order_acquire) == 0; });
}

// The caller's own reference.
void drop(task* t)
{
    // acquire: pairs with complete(), the last of its children is gone.
    if (t->references.load(std::memory_order_acquire) != 1) {
        team& of = *t->of;
        of.lock.lock();
        // relaxed: under the lock.
        const bool last = t->references.fetch_sub(1, std::memory_order_relaxed) == 1;
        of.lock.unlock();
        if (!last) {
            return;
        }
    }
    destroy(t);
}

}  // namespace

task::~task() = default;

bool run_one(thread& me)
{
    task* const t = me.group->ready_tasks.front();
    if (t == nullptr) {
        return false;
    }
    run(me, t);
    return true;
}

void release(task* t)
{
    drop(t);
}

void complete(task* t)
{
    team& of = *t->of;
    task* const parent = t->parent;
    task_group* const group = t->group;
    news released, ended;
    const void* waits_inline[8];
    unsigned inline_waiters = 0;
    std::vector<const void*> more;
    task* dead[2] = {nullptr, nullptr};
    of.lock.lock();
    t->completed = true;
    std::vector<news> others;
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
    // relaxed, all: under the lock; who looks without it takes it before going on.
    const bool last_child = parent->children.fetch_sub(1, std::memory_order_release) == 1;
    const bool last_of_group = group != nullptr &&
                               group->unfinished.fetch_sub(1, std::memory_order_release) == 1;
    const bool last_of_team = of.pending.fetch_sub(1, std::memory_order_relaxed) == 1;
    const void* const at_barrier = &of.generation;
    const void* const at_end = &of.inside;
    if (parent->references.fetch_sub(1, std::memory_order_relaxed) == 1) {
        dead[0] = parent;
    }
    if (t->references.fetch_sub(1, std::memory_order_relaxed) == 1) {
        dead[1] = t;
    }
    of.lock.unlock();  // the team, the group and the parent may be gone: addresses only
    for (const news& n : others) {
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

// A team of one executes tasks at once, and so does one that has plenty; those with an event end
// later all the same.
void __cp_task(void (*body)(void*), void* frame, unsigned long bytes, unsigned long alignment,
               int deferred, unsigned flags, void** depend, unsigned n, int priority, void* event)
{
    thread& me = *current();
    team& of = *me.group;
    if (is_cancelled(me.now)) {
        return;
    }
    const bool in_final = me.now->in_final || (flags & 2) != 0;
    // relaxed: a guess.
    const bool plenty = of.pending.load(std::memory_order_relaxed) > 64 * of.n;
    const bool at_once = !deferred || in_final || of.n == 1 || (plenty && event == nullptr);
    if (at_once && n == 0 && event == nullptr) {
        task* const t = make(me, 0, 16);
        t->body = body;
        t->frame = frame;
        t->in_final = in_final;
        task* const before = me.now;
        me.now = t;
        body(frame);
        me.now = before;
        drop(t);
        return;
    }
    task* const t = make(me, bytes, alignment);
    t->body = body;
    t->in_final = in_final;
    t->priority = std::clamp(priority, 0, settings().max_priority);
    if (event != nullptr) {
        t->to_come.store(2, std::memory_order_relaxed);  // relaxed: nobody else knows it
        std::memcpy(event, &t, sizeof t);
    }
    std::memcpy(t->frame, frame, bytes);
    if (at_once) {
        t->priority = -1;  // its maker runs it
    }
    news n_;
    of.lock.lock();
    count(t);
    if (n != 0) {
        add_dependences(*me.now, t, depend, n);
    }
    // relaxed: under the lock.
    const unsigned missing = t->missing.load(std::memory_order_relaxed);
    if (!at_once && missing == 0) {
        make_ready(t, n_);
        n_.parent = nullptr;  // the caller
    }
    of.lock.unlock();
    if (!at_once) {
        if (missing == 0) {
            n_.announce();
        }
        release(t);
        return;
    }
    if (missing != 0) {
        wait_for_missing(me, t);
    }
    execute(me, t);
    if (event != nullptr && !deferred) {
        wait_until(t, [t] { return t->to_come.load(std::memory_order_acquire) == 0; });  // fulfill
    }
    release(t);
}

void __cp_taskwait(void)
{
    thread& me = *current();
    task* const t = me.now;
    if (t->children.load(std::memory_order_acquire) == 0) {  // acquire: pairs with complete()
        return;
    }
    // acquire: as above.
    work_until<&task::ready_children>(
        me, t, t, [t] { return t->children.load(std::memory_order_acquire) == 0; });
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

void omp_fulfill_event(omp_event_handle_t event)
{
    auto* const t = reinterpret_cast<task*>(static_cast<unsigned long>(event));
    // acq_rel: who completes it sees what the other one has done.
    if (t->to_come.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        complete(t);
    }
    wake(t);  // an address only
}

}  // extern "C"
