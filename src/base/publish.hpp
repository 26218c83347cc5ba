// A value that is made when first needed, and kept until the end of the process; without a lock.
//
// A function-local static would contain a lock: if a process forks while another thread holds it,
// the child waits for ever. Here threads that race each make the value, one is kept and the others
// are deleted. So making it must have no other effect; `first` is for actions that only the winner
// must take, once. Never destroyed: workers may still need it while the process exits.
#pragma once

#include <atomic>
#include <memory>

namespace artel::base {

// The value in `slot` (a static, constant-initialised with nullptr); if there is none, that of
// make(), which returns a std::unique_ptr<const T>. Any thread; never blocks. If make() throws, the
// slot stays empty.
template <typename T, typename Make, typename First>
const T& publish_once(std::atomic<const T*>& slot, Make make, First first)
{
    // Acquire: pairs with the release of the exchange below, so that the value is seen as it was
    // made.
    const T* value = slot.load(std::memory_order_acquire);
    if (value == nullptr) {
        std::unique_ptr<const T> mine = make();
        // Release: publishes the value to the acquires of other threads; acquire on failure: pairs
        // with theirs.
        if (slot.compare_exchange_strong(value, mine.get(), std::memory_order_release,
                                         std::memory_order_acquire)) {
            value = mine.release();
            first(*value);
        }
    }
    return *value;
}

template <typename T, typename Make>
const T& publish_once(std::atomic<const T*>& slot, Make make)
{
    return publish_once(slot, make, [](const T&) {});
}

}  // namespace artel::base
