// isolation: waits that run no unrelated work, for callers that hold a lock.
#pragma once

#include <artel/export.hpp>

namespace artel {
namespace detail {

// Whether it was opened: not on an OS thread without a place in the crew's table, whose waits run
// nothing in any case.
ARTEL_API bool open_isolation() noexcept;
ARTEL_API void close_isolation() noexcept;

}  // namespace detail

// While one exists, its thread or light thread stays on its OS thread, and its waits run nothing
// else there: only the iterations and tasks of the loop, parallel_invoke or group that is waited
// for. So a caller may hold a std::mutex, or be in the middle of a change that only its own
// iterations may see, and no other code runs in between. Elsewhere a waiter's worker continues with
// other work, which may need that lock, on the same OS thread.
//
// Parts of the construct that other threads have begun continue on their OS threads, without this
// restriction. The OS thread sleeps when there is nothing to run; another worker takes its place
// meanwhile. All other waits (for locks, barriers, light threads, sleep_for) block the OS thread as
// well, and yield() does nothing. Members of an OpenMP region that is started inside may run on the
// caller's thread.
//
// May be nested. Costs some nanoseconds; does not block or switch; throws nothing. Must end on the
// thread where it began.
class isolation {
public:
    isolation() noexcept : open_(detail::open_isolation()) {}
    ~isolation()
    {
        if (open_) {
            detail::close_isolation();
        }
    }
    isolation(const isolation&) = delete;
    isolation& operator=(const isolation&) = delete;

private:
    bool open_;
};

}  // namespace artel
