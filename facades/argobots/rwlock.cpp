// ABT_rwlock_*: many readers or one writer, first come first served: a reader that finds a writer
// waiting waits behind it.
#include "runtime.hpp"
#include "waiters.hpp"

namespace artel::argobots {

struct rwlock {
    base::spinlock lock;
    // Under the lock.
    unsigned readers = 0;
    bool writer = false;
    waiter_list waiters{};
};

namespace {

struct rwlock_waiter : waiter {
    bool writes = false;
};

// Takes those out who have the lock now: a chain.
waiter* admit(rwlock& l) noexcept
{
    waiter* admitted = nullptr;
    waiter** end = &admitted;
    while (!l.waiters.empty() && !l.writer) {
        auto& w = static_cast<rwlock_waiter&>(*l.waiters.first);
        if (w.writes && l.readers != 0) {
            break;
        }
        if (w.writes) {
            l.writer = true;
        } else {
            ++l.readers;
        }
        l.waiters.pop();
        w.next = nullptr;
        *end = &w;
        end = &w.next;
    }
    return admitted;
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
    l.waiters.push(w);
    waiter* const admitted = admit(l);
    l.lock.unlock();
    wake_chain(admitted);
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
    const bool free = l->waiters.empty() && !l->writer && (!writes || l->readers == 0);
    if (free) {
        l->writer = writes;
        l->readers += writes ? 0 : 1;
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
