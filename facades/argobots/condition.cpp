// ABT_cond_*: a FIFO of waiters. The mutex is unlocked once the waiter is in the list, on another
// stack.
#include "deadline.hpp"
#include "mutex.hpp"
#include "runtime.hpp"

#include <mutex>

namespace artel::argobots {

// Lies in 64 bytes of the program; all zero is valid.
struct condition {
    sched::fork_lock lock;
    waiter_list waiters;
    const mutex* with;  // the mutex of the present waiters; under the lock
};
static_assert(sizeof(condition) <= sizeof(ABT_cond_memory));

namespace {

int checked(condition* c, const mutex* m) noexcept
{
    if (c == nullptr || m == nullptr) {
        return c == nullptr ? ABT_ERR_INV_COND : ABT_ERR_INV_MUTEX;
    }
    // Only the holder of the waiters' mutex adds waiters.
    const std::scoped_lock hold(c->lock);
    return c->waiters.empty() || c->with == m ? ABT_SUCCESS : ABT_ERR_INV_MUTEX;
}

// Adds the waiter to the list; then() unlocks the mutex, also for a waiter whose time had passed
// before it joined: that waiter then comes behind those that the unlock wakes. If such a waiter
// unlocked the mutex itself when it continues, it would lock it again at once, and one that waits
// in a loop would keep the mutex from the units of its stream for ever.
struct joining {
    condition& c;
    mutex& m;
    bool operator()(waiter& w) const noexcept
    {
        c.with = &m;
        c.waiters.push(w);
        return true;
    }
    void then() const noexcept { m.release(); }
};

// `waits(joining)` returns whether it was woken in time.
template <class Waits>
int wait_without_mutex(condition& c, mutex& m, Waits&& waits) noexcept
{
    const void* const owner = m.owner.load(std::memory_order_relaxed);  // relaxed: see owner
    if (m.recursive != 0) {
        m.owner.store(nullptr, std::memory_order_relaxed);  // relaxed: see owner
    }
    const bool in_time = waits(joining{c, m});
    m.acquire(false);
    if (m.recursive != 0) {
        m.owner.store(owner, std::memory_order_relaxed);  // relaxed: see owner
    }
    return in_time ? ABT_SUCCESS : ABT_ERR_COND_TIMEDOUT;
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_cond_create(ABT_cond* made)
{
    auto* const c = make<condition>();
    if (c == nullptr) {
        return ABT_ERR_MEM;
    }
    *made = reinterpret_cast<ABT_cond>(c);
    return ABT_SUCCESS;
}
int ABT_cond_free(ABT_cond* handle)
{
    auto* const c = object<condition>(*handle);
    if (c == nullptr) {
        return ABT_ERR_INV_COND;
    }
    {
        const std::scoped_lock hold(c->lock);
        if (!c->waiters.empty()) {
            return ABT_ERR_COND;
        }
    }
    drop(c);
    *handle = ABT_COND_NULL;
    return ABT_SUCCESS;
}
int ABT_cond_wait(ABT_cond cond, ABT_mutex with)
{
    auto* const c = object<condition>(cond);
    auto* const m = object<mutex>(with);
    if (const thread* const t = self(); t != nullptr && t->tasklet) {
        return ABT_ERR_COND;  // unlike timedwait, which tasklets may call
    }
    if (const int error = checked(c, m); error != ABT_SUCCESS) {
        return error;
    }
    return wait_without_mutex(*c, *m, [&](joining joins) { return wait(c->lock, joins), true; });
}
int ABT_cond_timedwait(ABT_cond cond, ABT_mutex with, const struct timespec* until)
{
    auto* const c = object<condition>(cond);
    auto* const m = object<mutex>(with);
    if (const int error = checked(c, m); error != ABT_SUCCESS) {
        return error;
    }
    return wait_without_mutex(*c, *m, [&](joining joins) {
        return wait_until(c->lock, c->waiters, monotonic(*until), joins);
    });
}
int ABT_cond_signal(ABT_cond cond)
{
    auto* const c = object<condition>(cond);
    if (c == nullptr) {
        return ABT_ERR_INV_COND;
    }
    c->lock.lock();
    waiter* const first = c->waiters.pop();
    if (first != nullptr) {
        first->next = nullptr;
    }
    c->lock.unlock();
    forget_limits(first);
    wake_chain(first);
    return ABT_SUCCESS;
}
int ABT_cond_broadcast(ABT_cond cond)
{
    auto* const c = object<condition>(cond);
    if (c == nullptr) {
        return ABT_ERR_INV_COND;
    }
    c->lock.lock();
    waiter* const all = c->waiters.take();
    c->lock.unlock();
    forget_limits(all);
    wake_chain(all);
    return ABT_SUCCESS;
}
}
