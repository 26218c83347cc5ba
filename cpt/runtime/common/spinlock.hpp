// A spinlock for short critical sections. Never held where a light thread may be suspended.
#pragma once

#include <sched.h>

#include <atomic>

namespace cp {

class spinlock {
public:
    void lock()
    {
        // acquire: pairs with unlock.
        while (taken_.exchange(true, std::memory_order_acquire)) {
            for (unsigned i = 0; taken_.load(std::memory_order_relaxed); ++i) {  // relaxed: a hint
                if (i % 128 == 127) {
                    sched_yield();  // the holder has probably lost its CPU
                } else {
                    __builtin_ia32_pause();
                }
            }
        }
    }
    // release: publishes what was done under the lock.
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> taken_{false};
};

}  // namespace cp
