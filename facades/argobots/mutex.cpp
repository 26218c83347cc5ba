// ABT_mutex_*.
#include "mutex.hpp"

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "runtime.hpp"

#include <new>

namespace artel::argobots {
namespace {

// The caller's identity, for recursive mutexes: its work unit, or else its thread.
const void* caller() noexcept
{
    if (const thread* const t = self(); t != nullptr) {
        return t;
    }
    return &fiber::this_tls();
}

}  // namespace

struct mutex::asking : waiter {
    asking(mutex& m, bool again) noexcept : of(m), first(again) {}
    mutex& of;
    bool first;
};

bool mutex::try_acquire() noexcept
{
    std::uint32_t seen = word.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    while ((seen & locked) == 0) {
        // acquire: pairs with release(). relaxed on failure: tried again.
        if (word.compare_exchange_weak(seen, seen | locked, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

void mutex::lock_list() noexcept
{
    // acquire: pairs with the releases of those that changed the list before.
    while ((word.fetch_or(list_in_use, std::memory_order_acquire) & list_in_use) != 0) {
        base::os::yield();
    }
}

void mutex::settle(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    asking& me = *static_cast<asking*>(argument);
    mutex& m = me.of;
    me.who = &previous;
    m.lock_list();
    for (;;) {
        std::uint32_t seen = m.word.load(std::memory_order_relaxed);  // relaxed: as above
        if ((seen & locked) == 0) {
            // The waiter asks again instead of getting the lock now: a unit that runs before it may
            // spin on the lock.
            // release: pairs with lock_list().
            m.word.fetch_and(~std::uint32_t{list_in_use}, std::memory_order_release);
            wake(me);
            return;
        }
        if (me.first) {
            m.waiters.push_first(me);
        } else {
            m.waiters.push(me);
        }
        // release: pairs with lock_list(). relaxed on failure: unlocked meanwhile.
        if (m.word.compare_exchange_strong(seen, (seen | waited_for) & ~list_in_use,
                                           std::memory_order_release, std::memory_order_relaxed)) {
            return;  // the waiter may be gone
        }
        m.waiters.remove(me);
    }
}

void mutex::acquire(bool first) noexcept
{
    while (!try_acquire()) {
        asking me(*this, first);
        block(settle, &me);
        first = true;
    }
}

void mutex::acquire_spinning() noexcept
{
    for (unsigned spins = 0; !try_acquire(); ++spins) {
        if (spins % 64 != 63) {
            base::cpu_relax();
        } else {
            base::os::yield();
        }
    }
}

void mutex::release() noexcept
{
    std::uint32_t expected = locked;
    // release: pairs with acquire(), at the end of the critical section. relaxed on failure: there
    // are waiters.
    if (word.compare_exchange_strong(expected, 0, std::memory_order_release,
                                     std::memory_order_relaxed)) {
        return;
    }
    lock_list();
    waiter* const next = waiters.pop();
    // Nobody else changes the word while it is locked and the list in use. release: as above, and
    // pairs with lock_list().
    word.store(waiters.empty() ? 0u : unsigned{waited_for}, std::memory_order_release);
    if (next != nullptr) {
        wake(*next);
    }
}

namespace {

// The part of all locking functions that handles recursive mutexes. `enters` returns whether it has
// the lock.
template <class Enters>
int lock_by(ABT_mutex handle, Enters&& enters) noexcept
{
    mutex* const m = object<mutex>(handle);
    if (m == nullptr) {
        return ABT_ERR_INV_MUTEX;
    }
    if (m->recursive == 0) {
        return enters(*m) ? ABT_SUCCESS : ABT_ERR_MUTEX_LOCKED;
    }
    const void* const me = caller();
    if (m->owner.load(std::memory_order_relaxed) == me) {  // relaxed: see owner
        ++m->depth;
        return ABT_SUCCESS;
    }
    if (!enters(*m)) {
        return ABT_ERR_MUTEX_LOCKED;
    }
    m->owner.store(me, std::memory_order_relaxed);  // relaxed: see owner
    return ABT_SUCCESS;
}

int unlock(ABT_mutex handle) noexcept
{
    mutex* const m = object<mutex>(handle);
    if (m == nullptr) {
        return ABT_ERR_INV_MUTEX;
    }
    if (m->recursive != 0) {
        if (m->depth != 0) {
            --m->depth;
            return ABT_SUCCESS;
        }
        m->owner.store(nullptr, std::memory_order_relaxed);  // relaxed: see owner
    }
    m->release();
    return ABT_SUCCESS;
}

struct mutex_attributes {
    bool recursive = false;
};

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_mutex_create(ABT_mutex* made)
{
    return ABT_mutex_create_with_attr(ABT_MUTEX_ATTR_NULL, made);
}
int ABT_mutex_create_with_attr(ABT_mutex_attr attributes, ABT_mutex* made)
{
    const auto* const a = object<mutex_attributes>(attributes);
    auto* const m = make<mutex>();
    if (m == nullptr) {
        return ABT_ERR_MEM;
    }
    m->recursive = a != nullptr && a->recursive ? 1 : 0;
    *made = reinterpret_cast<ABT_mutex>(m);
    return ABT_SUCCESS;
}
int ABT_mutex_free(ABT_mutex* handle)
{
    mutex* const m = object<mutex>(*handle);
    if (m == nullptr) {
        return ABT_ERR_INV_MUTEX;
    }
    drop(m);
    *handle = ABT_MUTEX_NULL;
    return ABT_SUCCESS;
}
int ABT_mutex_lock(ABT_mutex m)
{
    return lock_by(m, [](mutex& x) noexcept { return x.acquire(false), true; });
}
int ABT_mutex_lock_low(ABT_mutex m)
{
    return ABT_mutex_lock(m);
}
int ABT_mutex_lock_high(ABT_mutex m)
{
    return lock_by(m, [](mutex& x) noexcept { return x.acquire(true), true; });
}
int ABT_mutex_trylock(ABT_mutex m)
{
    return lock_by(m, [](mutex& x) noexcept { return x.try_acquire(); });
}
int ABT_mutex_spinlock(ABT_mutex m)
{
    return lock_by(m, [](mutex& x) noexcept { return x.acquire_spinning(), true; });
}
int ABT_mutex_unlock(ABT_mutex m)
{
    return unlock(m);
}
int ABT_mutex_unlock_se(ABT_mutex m)
{
    return unlock(m);
}
int ABT_mutex_unlock_de(ABT_mutex m)
{
    return unlock(m);
}
int ABT_mutex_equal(ABT_mutex a, ABT_mutex b, ABT_bool* result)
{
    *result = a == b ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
int ABT_mutex_get_attr(ABT_mutex handle, ABT_mutex_attr* made)
{
    const mutex* const m = object<mutex>(handle);
    if (m == nullptr) {
        return ABT_ERR_INV_MUTEX;
    }
    auto* const a = make<mutex_attributes>();
    if (a == nullptr) {
        return ABT_ERR_MEM;
    }
    a->recursive = m->recursive != 0;
    *made = reinterpret_cast<ABT_mutex_attr>(a);
    return ABT_SUCCESS;
}
int ABT_mutex_attr_create(ABT_mutex_attr* made)
{
    auto* const a = make<mutex_attributes>();
    if (a == nullptr) {
        return ABT_ERR_MEM;
    }
    *made = reinterpret_cast<ABT_mutex_attr>(a);
    return ABT_SUCCESS;
}
int ABT_mutex_attr_free(ABT_mutex_attr* handle)
{
    auto* const a = object<mutex_attributes>(*handle);
    if (a == nullptr) {
        return ABT_ERR_INV_MUTEX_ATTR;
    }
    drop(a);
    *handle = ABT_MUTEX_ATTR_NULL;
    return ABT_SUCCESS;
}
int ABT_mutex_attr_set_recursive(ABT_mutex_attr handle, ABT_bool recursive)
{
    auto* const a = object<mutex_attributes>(handle);
    if (a == nullptr) {
        return ABT_ERR_INV_MUTEX_ATTR;
    }
    a->recursive = recursive != ABT_FALSE;
    return ABT_SUCCESS;
}
int ABT_mutex_attr_get_recursive(ABT_mutex_attr handle, ABT_bool* recursive)
{
    const auto* const a = object<mutex_attributes>(handle);
    if (a == nullptr) {
        return ABT_ERR_INV_MUTEX_ATTR;
    }
    *recursive = a->recursive ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
}
