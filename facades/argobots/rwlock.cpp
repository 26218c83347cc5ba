// ABT_rwlock_*: many readers or one writer. A reader waits only while a writer has the lock, not
// for a waiting writer: a reader that has the lock may wait for this one, and the writer would
// never get it. Waiters get the lock in their order, and all waiting readers together with the
// first reader.
#include "runtime.hpp"
#include "waiters.hpp"

namespace artel::argobots {

struct rwlock {
    sched::fork_lock lock;
    // Under the lock.
    unsigned readers = 0;
    bool writer = false;
    waiter_list waiters{};
};

namespace {

struct rwlock_waiter : waiter {
    bool writes = false;
};

bool can_enter(const rwlock& l, bool writes) noexcept
{
    return !l.writer && (!writes || l.readers == 0);
}

void enter_now(rwlock& l, bool writes) noexcept
{
    l.writer = writes;
    l.readers += writes ? 0 : 1;
}

// Gives the lock to those waiters that can have it now, and takes them out of the list, as a chain.
waiter* admit(rwlock& l) noexcept
{
    if (l.waiters.empty() || !can_enter(l, static_cast<rwlock_waiter*>(l.waiters.first)->writes)) {
        return nullptr;
    }
    if (static_cast<rwlock_waiter*>(l.waiters.first)->writes) {
        waiter* const first = l.waiters.pop();
        first->next = nullptr;
        enter_now(l, true);
        return first;
    }
    waiter_list admitted{};
    waiter_list others{};
    for (waiter* w = l.waiters.take(); w != nullptr;) {
        waiter* const next = w->next;
        const bool writes = static_cast<rwlock_waiter*>(w)->writes;
        if (!writes) {
            enter_now(l, false);
        }
        (writes ? others : admitted).push(*w);
        w = next;
    }
    l.waiters = others;
    return admitted.take();
}

struct settling : rwlock_waiter {
    explicit settling(rwlock& l) noexcept : of(l) {}
    rwlock& of;
};

void settle(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    settling& w = *static_cast<settling*>(argument);
    rwlock& l = w.of;
    w.who = &previous;
    l.lock.lock();
    const bool free = can_enter(l, w.writes);
    if (free) {
        enter_now(l, w.writes);
    } else {
        l.waiters.push(w);
    }
    l.lock.unlock();
    if (free) {
        wake(w);  // otherwise the waiter may already have continued
    }
}

int enter(ABT_rwlock handle, bool writes) noexcept
{
    auto* const l = object<rwlock>(handle);
    if (l == nullptr) {
        return ABT_ERR_INV_RWLOCK;
    }
    if (const thread* const t = self(); t != nullptr && t->tasklet) {
        return ABT_ERR_RWLOCK;
    }
    l->lock.lock();
    const bool free = can_enter(*l, writes);
    if (free) {
        enter_now(*l, writes);
    }
    l->lock.unlock();
    if (!free) {
        settling w(*l);
        w.writes = writes;
        block(settle, &w);
    }
    return ABT_SUCCESS;
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_rwlock_create(ABT_rwlock* made)
{
    auto* const l = make<rwlock>();
    if (l == nullptr) {
        return ABT_ERR_MEM;
    }
    *made = reinterpret_cast<ABT_rwlock>(l);
    return ABT_SUCCESS;
}
int ABT_rwlock_free(ABT_rwlock* handle)
{
    auto* const l = object<rwlock>(*handle);
    if (l == nullptr) {
        return ABT_ERR_INV_RWLOCK;
    }
    drop(l);
    *handle = ABT_RWLOCK_NULL;
    return ABT_SUCCESS;
}
int ABT_rwlock_rdlock(ABT_rwlock l)
{
    return enter(l, false);
}
int ABT_rwlock_wrlock(ABT_rwlock l)
{
    return enter(l, true);
}
int ABT_rwlock_unlock(ABT_rwlock handle)
{
    auto* const l = object<rwlock>(handle);
    if (l == nullptr) {
        return ABT_ERR_INV_RWLOCK;
    }
    l->lock.lock();
    if (l->writer) {
        l->writer = false;
    } else if (l->readers != 0) {
        --l->readers;
    }
    waiter* const admitted = admit(*l);
    l->lock.unlock();
    wake_chain(admitted);
    return ABT_SUCCESS;
}
}
