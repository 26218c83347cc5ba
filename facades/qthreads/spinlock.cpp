// qthread_spinlock_t lies in 24 bytes of the program and has static initialisers: a word that is 0
// while it is free, and its kind, recursive (-1) or not (-2). Waiting callers yield.
#include "sched/stream.hpp"

#include "base/os/yield.hpp"
#include "sched/guest_scope.hpp"

#include <atomic>
#include <cstdint>

namespace {

struct spinlock {
    std::atomic<std::uint64_t> owner;  // the holder; 0: free
    std::int64_t kind;
    std::int64_t depth;
};
static_assert(sizeof(spinlock) == 24);

constexpr std::int64_t recursive = -1;
constexpr std::int64_t not_recursive = -2;
constexpr int success = 0;
constexpr int not_possible_now = -7;

// A number for the caller: of its unit, or else of its thread.
std::uint64_t caller() noexcept
{
    const artel::sched::unit* const u = artel::sched::this_unit();
    return u != nullptr ? reinterpret_cast<std::uint64_t>(u)
                        : reinterpret_cast<std::uint64_t>(&artel::fiber::this_tls());
}

bool try_lock(spinlock& l) noexcept
{
    const std::uint64_t me = caller();
    std::uint64_t found = 0;
    // acquire: pairs with the release in unlock. relaxed on failure: only the caller's own number
    // matters, which it has written itself.
    if (l.owner.compare_exchange_strong(found, me, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
        l.depth = 1;
        return true;
    }
    if (found == me && l.kind == recursive) {
        ++l.depth;
        return true;
    }
    return false;
}

}  // namespace

extern "C" {

int qthread_spinlock_init(spinlock* l, bool is_recursive)
{
    // relaxed: the program publishes the lock
    l->owner.store(0, std::memory_order_relaxed);
    l->kind = is_recursive ? recursive : not_recursive;
    l->depth = 0;
    return success;
}
int qthread_spinlock_destroy(spinlock*)
{
    return success;
}
int qthread_spinlock_trylock(spinlock* l)
{
    return try_lock(*l) ? success : not_possible_now;
}
int qthread_spinlock_lock(spinlock* l)
{
    while (!try_lock(*l)) {
        if (artel::sched::this_unit() != nullptr) {
            const artel::sched::guest_scope scope;
            artel::sched::yield_unit();
        } else {
            artel::base::os::yield();
        }
    }
    return success;
}
int qthread_spinlock_unlock(spinlock* l)
{
    if (l->kind == recursive) {
        // relaxed: only the caller's own number matters, as in try_lock.
        const std::uint64_t owner = l->owner.load(std::memory_order_relaxed);
        if (owner != caller()) {
            return owner != 0 ? not_possible_now : success;
        }
        if (--l->depth != 0) {
            return success;
        }
    }
    l->owner.store(0, std::memory_order_release);  // release: pairs with try_lock
    return success;
}
// The same two by the names that the headers declare.
int qthread_spinlocks_init(spinlock* l, bool is_recursive)
{
    return qthread_spinlock_init(l, is_recursive);
}
int qthread_spinlocks_destroy(spinlock* l)
{
    return qthread_spinlock_destroy(l);
}
}
