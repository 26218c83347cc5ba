// The C library's mutex functions, for interposed_mutex.cpp.
#pragma once

#include "foreign/next_function.hpp"
#include "foreign/race_detector.hpp"

#include <chrono>
#include <ctime>
#include <pthread.h>

namespace artel::openmp {

using foreign::next_function;

// Must be looked up when the library is loaded: dlsym() waits for a lock whose holder may wait for
// a member. All return error numbers.
class library_mutex {
public:
    next_function<int(pthread_mutex_t*) noexcept> take{"pthread_mutex_lock"};
    next_function<int(pthread_mutex_t*) noexcept> attempt{"pthread_mutex_trylock"};

    bool found() noexcept
    {
        return take.get() != nullptr && attempt.get() != nullptr && take_until_.get() != nullptr &&
               take_until_on_.get() != nullptr;
    }

    // Waits in the kernel. Older versions of ThreadSanitizer know only the function that uses the
    // time of day: if the clock is set back meanwhile, the limit is later.
    int take_within(pthread_mutex_t* m, std::chrono::nanoseconds limit) noexcept
    {
        if (foreign::race_detector_watches()) {
            const timespec t = at(std::chrono::system_clock::now().time_since_epoch() + limit);
            return take_until_.get()(m, &t);
        }
        const timespec t = at(std::chrono::steady_clock::now().time_since_epoch() + limit);
        return take_until_on_.get()(m, CLOCK_MONOTONIC, &t);
    }

private:
    next_function<int(pthread_mutex_t*, const timespec*) noexcept> take_until_{
        "pthread_mutex_timedlock"};
    next_function<int(pthread_mutex_t*, clockid_t, const timespec*) noexcept> take_until_on_{
        "pthread_mutex_clocklock"};

    static timespec at(std::chrono::nanoseconds moment) noexcept
    {
        using namespace std::chrono_literals;
        return {.tv_sec = moment / 1s, .tv_nsec = (moment % 1s).count()};
    }
};

}  // namespace artel::openmp
