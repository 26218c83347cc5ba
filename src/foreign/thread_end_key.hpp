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
// before ours have run; made at first use, if not before, without a guard that a fork could leave
// taken.
class thread_end_key {
public:
    explicit constexpr thread_end_key(void (*at_end)(void* value)) noexcept : at_end_(at_end) {}

    // Makes the key, if there is none yet. The C library calls destructors in the order in which it
    // handed out the keys: one that is made when its library is loaded is told before keys that the
    // program makes later are gone. false: no key is left.
    bool make() noexcept { return key() != none; }

    // Has at_end(value) called at the end of the calling thread, and forgets what was to be called
    // before. From inside of at_end, or of the destructors of other keys, it is called in one more
    // round of these. false: no key or no memory is left.
    bool set(const void* value) noexcept
    {
        const std::uint64_t made = key();
        return made != none && ::pthread_setspecific(static_cast<pthread_key_t>(made), value) == 0;
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    std::uint64_t key() noexcept
    {
        // acquire, also where the exchange fails: pairs with its release, so that the caller may
        // use a key that another thread has made.
        std::uint64_t known = known_.load(std::memory_order_acquire);
        pthread_key_t made = 0;
        if (known != none || ::pthread_key_create(&made, at_end_) != 0) {
            return known;
        }
        // When several threads make one at the same time, one is kept.
        if (known_.compare_exchange_strong(known, made, std::memory_order_release,
                                           std::memory_order_acquire)) {
            return made;
        }
        ::pthread_key_delete(made);
        return known;
    }

    void (*const at_end_)(void*);
    std::atomic<std::uint64_t> known_{none};
};

}  // namespace artel::foreign
