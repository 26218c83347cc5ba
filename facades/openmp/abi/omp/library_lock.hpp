// One way to take a lock of the C library, as interposed_locks.cpp needs it: the functions that it
// has for that.
#pragma once

#include "foreign/race_detector.hpp"
#include "next_function.hpp"

#include <chrono>
#include <ctime>
#include <semaphore.h>
#include <type_traits>

namespace artel::openmp {

template <class Lock>
using lock_function = std::conditional_t<std::is_same_v<Lock, sem_t>, int(Lock*),
                                         int(Lock*) noexcept>;
template <class Lock>
using until_of = std::conditional_t<std::is_same_v<Lock, sem_t>, int(Lock*, const timespec*),
                                    int(Lock*, const timespec*) noexcept>;
template <class Lock>
using clock_until_of = std::conditional_t<std::is_same_v<Lock, sem_t>,
                                          int(Lock*, clockid_t, const timespec*),
                                          int(Lock*, clockid_t, const timespec*) noexcept>;

// To be found when we are loaded: dlsym() waits for a lock that somebody may hold who waits for a
// member.
template <class Lock>
class library_lock {
public:
    constexpr library_lock(const char* takes, const char* attempts, const char* takes_until,
                           const char* takes_until_on) noexcept
        : take(takes), attempt(attempts), take_until_(takes_until), take_until_on_(takes_until_on)
    {}

    next_function<lock_function<Lock>> take;
    next_function<lock_function<Lock>> attempt;

    bool found() noexcept
    {
        return take.get() != nullptr && attempt.get() != nullptr && take_until_.get() != nullptr &&
               take_until_on_.get() != nullptr;
    }

    // Waits in the kernel. Older versions of ThreadSanitizer know the function that goes by the
    // time of day only: if that is set back meanwhile, the limit is later.
    int take_within(Lock* lock, std::chrono::nanoseconds limit)
    {
        if (foreign::race_detector_watches()) {
            const timespec t = at(std::chrono::system_clock::now().time_since_epoch() + limit);
            return take_until_.get()(lock, &t);
        }
        const timespec t = at(std::chrono::steady_clock::now().time_since_epoch() + limit);
        return take_until_on_.get()(lock, CLOCK_MONOTONIC, &t);
    }

private:
    next_function<until_of<Lock>> take_until_;
    next_function<clock_until_of<Lock>> take_until_on_;

    static timespec at(std::chrono::nanoseconds moment) noexcept
    {
        using namespace std::chrono_literals;
        return {.tv_sec = moment / 1s, .tv_nsec = (moment % 1s).count()};
    }
};

}  // namespace artel::openmp
