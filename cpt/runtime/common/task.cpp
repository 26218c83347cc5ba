// Creation of tasks, which are then queued, or executed by their creator. Their end is in
// task_end.cpp, waiting for them in task_wait.cpp.
#include "task.hpp"

#include "dependence.hpp"
#include "interface.hpp"
#include "task_run.hpp"
#include "team.hpp"
#include "wait.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace cp {

namespace {

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

// Counts a task in its parent, its group and its team. Under the lock.
void count(task* t)
{
    // relaxed: under the lock; readers without the lock check again.
    t->references.fetch_add(1, std::memory_order_relaxed);  // until it is complete
    t->parent->references.fetch_add(1, std::memory_order_relaxed);
    t->parent->children.fetch_add(1, std::memory_order_relaxed);
    t->of->pending.fetch_add(1, std::memory_order_relaxed);
    if (t->group != nullptr) {
        t->group->unfinished.fetch_add(1, std::memory_order_relaxed);
    }
}

// The caller's own reference.
void drop(task* t)
{
    // acquire: pairs with complete() of its last child.
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

void release(task* t)
{
    drop(t);
}

}  // namespace cp

using namespace cp;

extern "C" {

// A team of one executes tasks undeferred, and so does a team with plenty of tasks. A task with an
// event may still complete later.
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
    const bool undeferred = !deferred || in_final || of.n == 1 || (plenty && event == nullptr);
    if (undeferred && n == 0 && event == nullptr) {
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
    if (undeferred) {
        t->priority = -1;  // its creator runs it
    }
    wakeups n_;
    of.lock.lock();
    count(t);
    if (n != 0) {
        add_dependences(*me.now, t, depend, n);
    }
    // relaxed: under the lock.
    const unsigned missing = t->missing.load(std::memory_order_relaxed);
    if (!undeferred && missing == 0) {
        make_ready(t, n_);
        n_.parent = nullptr;  // the caller
    }
    of.lock.unlock();
    if (!undeferred) {
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

}  // extern "C"
