// The slow path of artel::mutex. As in U. Drepper, "Futexes Are Tricky": the value `contended`
// promises a wake-up at unlock.
#include <artel/mutex.hpp>

namespace artel {

void mutex::lock_slowly() noexcept
{
    // relaxed: a hint; taking it below orders.
    if (word_.load(std::memory_order_relaxed) == locked && detail::spin_while(word_, locked) &&
        try_lock()) {
        return;
    }
    // acquire: pairs with the release in unlock(). A thread that has waited once always sets
    // `contended`, since it cannot know whether others wait, too.
    while (word_.exchange(contended, std::memory_order_acquire) != unlocked) {
        detail::wait_word(word_, contended);
    }
}

}  // namespace artel
