// A value that is made when first asked for, and kept until the process is gone; without a lock.
//
// A function-local static would do the same with a lock inside: a process that forks while another
// thread holds it leaves the child to wait for ever. Here threads that race each make the value,
// one is kept and the others are deleted. So the making must have no effect besides its result;
// `first` is for what must be done once, by the winner. Never destroyed: workers may still ask
// while the process exits.
#pragma once

#include <atomic>
#include <memory>

namespace artel::base {

// The value in `slot` (a static, constant-initialised with nullptr); if there is none, that of
// make(), which returns a std::unique_ptr<const T>. Any thread; never blocks. What make() throws
// comes through, and the slot stays empty.
template <typename T, typename Make, typename First>
const T& publish_once(std::atomic<const T*>& slot, Make make, First first)
{
    // Acquire: pairs with the release of the exchange below, so that the value is seen as it was
    // made.
    const T* value = slot.load(std::memory_order_acquire);
    if (value == nullptr) {
        std::unique_ptr<const T> mine = make();
        // Release: publishes the value to the acquires of other threads; acquire on failure: theirs
        // to us.
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
