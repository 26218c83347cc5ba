// ThreadSanitizer in the program. It sees none of our synchronisation, as we are not compiled by
// it: a tool that knows OpenMP (Archer) tells it, from what tools hear. Where tools hear nothing
// that it could tell it from, we do so ourselves. In other programs the functions do not exist: a
// look at an address. A member is a thread to it like any other, since it keeps what it knows of a
// thread in thread-local storage, which the member has of its own.
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

// What the calling thread did before happens before what others do after tell_after on the same
// address.
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
