// The contended path: some looks, ever more rarely, then a sleep by wait_word, with the word at 2
// so that the holder wakes somebody.
#include "lock_word.hpp"

namespace artel::openmp {

void lock_slow(lock_word& word) noexcept
{
    // Each look pulls the cache line away from the holder, so we look ever more rarely: two members
    // that alternate lose less by a late hand-over than by the traffic.
    const sched::worker* const here = sched::this_worker();
    for (unsigned pause = 4; pause <= 32; pause *= 2) {
        for (unsigned i = 0; i < pause; ++i) {
            base::cpu_relax();
        }
        // relaxed: a hint; try_lock acquires.
        if (word.load(std::memory_order_relaxed) == 0 && try_lock(word)) {
            return;
        }
        if (here != nullptr && here->has_work()) {
            break;
        }
    }
    // From here on we take the lock as 2, since there may be waiters that we do not know of; at
    // worst one needless wake-up. acquire: pairs with the release in unlock().
    while (word.exchange(2, std::memory_order_acquire) != 0) {
        sched::wait_word(word, 2);
    }
}

}  // namespace artel::openmp
