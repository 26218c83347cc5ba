// The list of an arena is walked under its lock, which is released for each call; an entry in use
// is marked, and swept when nobody uses it any more.
#include "observers.hpp"

#include "arena.hpp"
#include "arena_entries.hpp"
#include "base/os/yield.hpp"
#include "light_caller.hpp"

#include <mutex>
#include <utility>

namespace artel::onetbb {
namespace {

// A call of an observer by this thread; calls may be nested.
struct call_in_progress {
    const observer_entry* of;
    call_in_progress* outer;
};
thread_local call_in_progress* innermost = nullptr;

unsigned calls_of_this_thread(const observer_entry& e) noexcept
{
    unsigned n = 0;
    for (const call_in_progress* c = innermost; c != nullptr; c = c->outer) {
        n += c->of == &e ? 1 : 0;
    }
    return n;
}

}  // namespace

observer_list::~observer_list()
{
    while (first_ != nullptr) {
        delete std::exchange(first_, first_->next);
    }
}

void observer_list::forget_others() noexcept
{
    new (&lock_) base::spinlock;
    for (observer_entry* e = first_; e != nullptr; e = e->next) {
        e->calls = calls_of_this_thread(*e);
    }
}

std::uint64_t observer_list::seen_by(const thread& t) noexcept
{
    return t.observers_seen;
}

// Called with the lock held, which is released during the call.
void observer_list::call(observer_entry& e, const thread& t, bool entry)
{
    task_scheduler_observer* const o = e.observer;
    if (o == nullptr) {
        return;
    }
    ++e.calls;
    lock_.unlock();
    struct call_scope {
        observer_entry& e;
        base::spinlock& lock;
        call_in_progress here{&e, innermost};
        call_scope(observer_entry& of, base::spinlock& l) noexcept : e(of), lock(l)
        {
            innermost = &here;
        }
        ~call_scope()
        {
            innermost = here.outer;
            lock.lock();
            --e.calls;
        }
        call_scope(const call_scope&) = delete;
        call_scope& operator=(const call_scope&) = delete;
    } const scope(e, lock_);
    if (entry) {
        o->on_scheduler_entry(t.serves);
    } else {
        o->on_scheduler_exit(t.serves);
    }
}

void observer_list::tell_new(thread& t)
{
    const std::scoped_lock hold(lock_);
    for (observer_entry* e = first_; e != nullptr; e = e->next) {
        const std::uint64_t before = t.observers_seen;
        if (e->number <= before) {
            continue;
        }
        // Set before the call, in which the thread may run tasks.
        t.observers_seen = e->number;
        try {
            call(*e, t, true);
        } catch (...) {
            t.observers_seen = before;
            throw;
        }
    }
    // relaxed: under the lock.
    t.observers_seen = newest_.load(std::memory_order_relaxed);
}

void observer_list::tell_exit(thread& t)
{
    if (t.observers_seen == 0) {
        return;
    }
    struct unseen {
        thread& t;
        ~unseen() { t.observers_seen = 0; }
    } const at_end{t};
    const std::scoped_lock hold(lock_);
    for (observer_entry* e = first_; e != nullptr; e = e->next) {
        if (e->number <= t.observers_seen) {
            call(*e, t, false);
        }
    }
}

observer_entry& observer_list::add(task_scheduler_observer& o, arena& where)
{
    auto* const e = new observer_entry{&o, 0};
    e->where = &where;
    where.refer();
    const std::scoped_lock hold(lock_);
    // relaxed, both: see tell_entry.
    e->number = newest_.load(std::memory_order_relaxed) + 1;
    *end_ = e;
    end_ = &e->next;
    newest_.store(e->number, std::memory_order_relaxed);
    return *e;
}

// With the lock held.
void observer_list::sweep() noexcept
{
    for (observer_entry** at = &first_; *at != nullptr;) {
        observer_entry* const e = *at;
        if (e->observer != nullptr || e->calls != 0) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        if (end_ == &e->next) {
            end_ = at;
        }
        delete e;
    }
}

void observer_list::remove(observer_entry& e) noexcept
{
    arena& where = *e.where;
    observer_list& l = where.observers;
    l.lock_.lock();
    e.observer = nullptr;
    // Waits for calls by other threads only: the caller may be in one itself.
    while (e.calls != calls_of_this_thread(e)) {
        l.lock_.unlock();
        base::os::yield();
        l.lock_.lock();
    }
    l.sweep();
    l.lock_.unlock();
    where.drop();
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::observer_entry;

void observe(d1::task_scheduler_observer& o, bool on)
{
    // acquire, release, all: publish an observer or an arena to other threads.
    auto* const entry = static_cast<observer_entry*>(o.proxy.load(std::memory_order_acquire));
    if (on == (entry != nullptr)) {
        return;
    }
    if (!on) {
        o.proxy.store(nullptr, std::memory_order_release);
        artel::onetbb::observer_list::remove(*entry);
        return;
    }
    artel::onetbb::thread* me = artel::onetbb::settled_thread();
    artel::onetbb::arena* where = nullptr;
    if (o.arena != nullptr) {
        // acquire, both: see above.
        if (o.arena->in.load(std::memory_order_acquire) == nullptr) {
            initialize_once(*o.arena);
        }
        where = &artel::onetbb::arena::of(*o.arena->in.load(std::memory_order_acquire));
    } else if (artel::onetbb::may_move()) {
        where = &artel::onetbb::shared_arena();
    } else {
        me = &artel::onetbb::this_thread_in_arena();
        where = me->in;
    }
    o.busy.store(0, std::memory_order_relaxed);  // relaxed: nobody else uses it
    o.proxy.store(&where->observers.add(o, *where), std::memory_order_release);
    if (me != nullptr && me->in == where) {
        where->observers.tell_entry(*me);
    }
}

}  // namespace tbb::detail::r1
