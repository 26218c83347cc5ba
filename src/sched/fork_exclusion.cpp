// Forks wait for those who hold fork_locks; see fork_lock.hpp.
#include "base/os/yield.hpp"
#include "sched/fork_lock.hpp"

namespace artel::sched {

constinit fork_exclusion::state fork_exclusion::all;  // untouched pages cost nothing

// The first handler of several waits, and the last one ends what it has begun.
void fork_exclusion::begin_fork() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    if (tls.fork.begun++ != 0) {
        return;
    }
    // A program may fork in a function that we call under a lock.
    const worker* const me = this_worker();
    tls.fork.worker = me != nullptr ? me->index : outsider;
    // relaxed: its own.
    tls.fork.workers_locks = me != nullptr
                                 ? all.of_workers[me->index].held.load(std::memory_order_relaxed)
                                 : 0;
    ++tls.calls_out;  // whatever other handlers take here, this thread does not wait for its own
                      // fork
    all.forks.fetch_add(1, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // store-buffering pair with the fences of those who take a lock.
    base::full_fence();
    // relaxed: ordered by the fence.
    for (unsigned i = 0; i < all.counted.load(std::memory_order_relaxed); ++i) {
        // acquire: pairs with the release in change().
        while ((me == nullptr || me->index != i) &&
               all.of_workers[i].held.load(std::memory_order_acquire) != 0) {
            base::os::yield();
        }
    }
    // acquire: pairs with the release in count_outsider_out.
    while (all.of_others.load(std::memory_order_acquire) > tls.fork.outsiders_locks) {
        base::os::yield();
    }
}

void fork_exclusion::end_fork() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    if (--tls.fork.begun == 0) {
        --tls.calls_out;
        all.forks.fetch_sub(1, std::memory_order_release);  // release: pairs with wait_for_forks
    }
}

// Other threads do not exist here, whether they were forking, too, or had counted themselves for a
// moment, which is until they saw the fork. Done by the first handler, because the others may take
// such locks.
void fork_exclusion::end_fork_in_child() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    // relaxed, all: the child has one thread.
    if (all.forks.load(std::memory_order_relaxed) != 0) {
        all.forks.store(0, std::memory_order_relaxed);
        for (unsigned i = 0; i < all.counted.load(std::memory_order_relaxed); ++i) {
            all.of_workers[i].held.store(i == tls.fork.worker ? tls.fork.workers_locks : 0,
                                         std::memory_order_relaxed);
        }
        all.of_others.store(tls.fork.outsiders_locks, std::memory_order_relaxed);
        const std::uint32_t next = all.generation.load(std::memory_order_relaxed) + 1;
        all.generation.store(next != 0 ? next : 1, std::memory_order_relaxed);  // 0 is a free lock
    }
    if (--tls.fork.begun == 0) {
        --tls.calls_out;
    }
}

unsigned fork_exclusion::count_outsider_in() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    ++tls.calls_out;
    ++tls.fork.outsiders_locks;
    all.of_others.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller's fence orders it
    return outsider;
}

void fork_exclusion::count_outsider_out() noexcept
{
    all.of_others.fetch_sub(1, std::memory_order_release);  // release: pairs with begin_fork
    fiber::tls_block& tls = fiber::this_tls();
    --tls.fork.outsiders_locks;
    --tls.calls_out;
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
    const fiber::fork_notes& here = fiber::this_tls().fork;
    const unsigned just_counted = in == outsider ? 1 : 0;
    // relaxed: its own.
    return here.begun != 0 || here.outsiders_locks > just_counted ||
           (in != outsider && all.of_workers[in].held.load(std::memory_order_relaxed) > 1);
}

void fork_exclusion::wait_for_forks() noexcept
{
    // acquire: pairs with the release in end_fork.
    while (all.forks.load(std::memory_order_acquire) != 0) {
        base::os::yield();
    }
}

}  // namespace artel::sched
