// The streams that are woken when a unit comes to a pool.
#include "pool.hpp"
#include "runtime.hpp"
#include "xstream.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace artel::argobots {

bool pool::add_watcher(xstream& x, bool first) noexcept
{
    const std::scoped_lock hold(lock_);
    if (watcher_count_ == watcher_room_) {
        const unsigned room = watcher_room_ * 2 + 2;
        void* const more = std::realloc(watchers_, room * sizeof(xstream*));
        if (more == nullptr) {
            return false;
        }
        watchers_ = static_cast<xstream**>(more);
        watcher_room_ = room;
    }
    // Streams for which this is the first pool are woken first.
    watchers_[watcher_count_++] = &x;
    if (first) {
        std::swap(watchers_[0], watchers_[watcher_count_ - 1]);
    }
    primary_ = x.primary ? &x : primary_;
    return true;
}

void pool::remove_watcher(xstream& x) noexcept
{
    const std::scoped_lock hold(lock_);
    for (unsigned i = 0; i < watcher_count_; ++i) {
        if (watchers_[i] == &x) {
            watchers_[i] = watchers_[--watcher_count_];
            // While a stream changes its main scheduler it watches the pools that both have twice.
            const bool still = std::find(watchers_, watchers_ + watcher_count_, &x) !=
                               watchers_ + watcher_count_;
            primary_ = primary_ == &x && !still ? nullptr : primary_;
            if (sleepers_ != 0) {
                poke_all();  // another stream has to run the unit for which it was woken
            }
            return;
        }
    }
}

bool pool::watch(const xstream& x) noexcept
{
    const std::scoped_lock hold(lock_);
    ++sleepers_;
    const bool only_primary = primary_queued_ && primary_ != nullptr && primary_ != &x;
    // relaxed: under the lock.
    return count_.load(std::memory_order_relaxed) > (only_primary ? 1u : 0u);
}

void pool::watch_no_more() noexcept
{
    const std::scoped_lock hold(lock_);
    --sleepers_;
}

}  // namespace artel::argobots
