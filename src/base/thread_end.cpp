// The message with which such a program ends, and the filter that tells the unwinding from an
// exception: it has no exception_ptr.
#include "base/thread_end.hpp"

#include "base/log.hpp"

namespace artel::base {

void thread_ended_inside() noexcept
{
    die("a thread ended (pthread_exit, or a cancellation) inside of a parallel loop, a task, a "
        "light thread or a region; nobody could go on without it");
}

std::exception_ptr caught() noexcept
{
    // Only C++ exceptions can be stored.
    std::exception_ptr it = std::current_exception();
    if (it == nullptr) {
        thread_ended_inside();
    }
    return it;
}

}  // namespace artel::base
