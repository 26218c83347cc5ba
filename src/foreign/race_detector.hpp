// ThreadSanitizer in the program. It sees none of our synchronisation, as we are not compiled with
// it: a tool that knows OpenMP (Archer) reports it, from the events that tools get. Where no event
// tells it, we report it ourselves. In other programs the functions do not exist, and a call costs
// a test of an address. To ThreadSanitizer a member is an ordinary thread, since its state of a
// thread is in thread-local storage, which each member has.
#pragma once

extern "C" {
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
}

namespace artel::foreign {

inline bool race_detector_watches() noexcept
{
    return __tsan_acquire != nullptr && __tsan_release != nullptr;
}

// Earlier actions of the calling thread happen before later actions of threads that call tell_after
// with the same address.
inline void tell_before(void* address) noexcept
{
    if (race_detector_watches()) [[unlikely]] {
        __tsan_release(address);
    }
}

inline void tell_after(void* address) noexcept
{
    if (race_detector_watches()) [[unlikely]] {
        __tsan_acquire(address);
    }
}

}  // namespace artel::foreign
