// Forks wait for those who hold fork_locks; see fork_lock.hpp.
#include "base/os/yield.hpp"
#include "sched/fork_lock.hpp"

namespace artel::sched {

constinit fork_exclusion::state fork_exclusion::all;  // untouched pages cost nothing

void fork_exclusion::begin_fork() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    // A program may fork in a function that we call under a lock.
    const unsigned own = tls.current_carrier == nullptr ? tls.calls_out : 0;
    ++tls.calls_out;  // whatever other handlers take here, this thread does not wait for its own
                      // fork
    all.forks.fetch_add(1, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // store-buffering pair with the fences of those who take a lock.
    base::full_fence();
    const worker* const me = this_worker();
    // relaxed: ordered by the fence.
    for (unsigned i = 0; i < all.counted.load(std::memory_order_relaxed); ++i) {
        // acquire: pairs with the release in change().
        while ((me == nullptr || me->index != i) &&
               all.of_workers[i].held.load(std::memory_order_acquire) != 0) {
            base::os::yield();
        }
    }
    // acquire: pairs with the release in count_outsider_out.
    while (all.of_others.load(std::memory_order_acquire) > own) {
        base::os::yield();
    }
}

void fork_exclusion::end_fork() noexcept
{
    all.forks.fetch_sub(1, std::memory_order_release);  // release: pairs with wait_for_forks
    --fiber::this_tls().calls_out;
}

// Other threads that fork do not exist here. The counts are right: nobody else held a lock.
void fork_exclusion::end_fork_in_child() noexcept
{
    all.forks.store(0, std::memory_order_relaxed);  // relaxed: the child has one thread
    --fiber::this_tls().calls_out;
}

// `calls_out` tells how many locks it holds.
unsigned fork_exclusion::count_outsider_in() noexcept
{
    ++fiber::this_tls().calls_out;
    all.of_others.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller's fence orders it
    return outsider;
}

void fork_exclusion::count_outsider_out() noexcept
{
    all.of_others.fetch_sub(1, std::memory_order_release);  // release: pairs with begin_fork
    --fiber::this_tls().calls_out;
}

void fork_exclusion::look_up_to(unsigned worker) noexcept
{
    unsigned n = all.counted.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    // relaxed (both): ordered by the fence that follows in the caller.
    while (n <= worker &&
           !all.counted.compare_exchange_weak(n, worker + 1, std::memory_order_relaxed,
                                              std::memory_order_relaxed)) {
    }
}

// A thread that holds another of the locks must not wait, because the fork waits for that lock. Nor
// must the thread that forks.
bool fork_exclusion::may_stay(unsigned in) noexcept
{
    const unsigned calls = fiber::this_tls().calls_out;
    // relaxed: its own.
    return in == outsider
               ? calls > 1
               : calls > 0 || all.of_workers[in].held.load(std::memory_order_relaxed) > 1;
}

void fork_exclusion::wait_for_forks() noexcept
{
    // acquire: pairs with the release in end_fork.
    while (all.forks.load(std::memory_order_acquire) != 0) {
        base::os::yield();
    }
}

}  // namespace artel::sched
