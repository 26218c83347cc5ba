// A function that is called when a thread ends, for the threads that ask for it. It is told by the
// destructor of a thread-specific key, after the thread's thread_local objects are gone. For what a
// member of a team may need first: to announce the destructor of a thread_local object the C
// library takes the dynamic linker's lock, and the thread that holds that lock may wait for the
// member, in the constructor of a library that it opens. The main thread is told of its end by
// pthread_exit only, not by the end of the process.
#pragma once

#include <atomic>
#include <cstdint>

#include <pthread.h>

namespace artel::foreign {

// Statics only. Constant-initialised, because constructors of other libraries may have regions
// before ours have run; made at first use without a guard that a fork could leave taken.
class thread_end_key {
public:
    explicit constexpr thread_end_key(void (*at_end)(void* value)) noexcept : at_end_(at_end) {}

    // Has at_end(value) called at the end of the calling thread, and forgets what was to be called
    // before. From inside of at_end, or of the destructors of other keys, it is called in one more
    // round of these. false: no key or no memory is left.
    bool set(const void* value) noexcept
    {
        // relaxed, both: only a number; the C library publishes the key itself.
        std::uint64_t key = known_.load(std::memory_order_relaxed);
        if (key == none) {
            pthread_key_t made = 0;
            if (::pthread_key_create(&made, at_end_) != 0) {
                return false;
            }
            // When several threads make one at the same time, one is kept.
            if (known_.compare_exchange_strong(key, made, std::memory_order_relaxed)) {
                key = made;
            } else {
                ::pthread_key_delete(made);
            }
        }
        return ::pthread_setspecific(static_cast<pthread_key_t>(key), value) == 0;
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    void (*const at_end_)(void*);
    std::atomic<std::uint64_t> known_{none};
};

}  // namespace artel::foreign
