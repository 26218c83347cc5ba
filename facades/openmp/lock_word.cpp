#include "lock_word.hpp"

namespace artel::openmp {

void lock_slow(lock_word& word) noexcept
{
    // relaxed: a look; try_lock acquires.
    if (spin_until([&] { return word.load(std::memory_order_relaxed) == 0 && try_lock(word); })) {
        return;
    }
    // From here on we hold it as 2, since others may wait that we do not know of: one needless wake-up at worst.
    // acquire: pairs with the release in unlock().
    while (word.exchange(2, std::memory_order_acquire) != 0) {
        sched::wait_word(word, 2);
    }
}

}  // namespace artel::openmp
