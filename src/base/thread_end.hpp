// Threads that end in the middle of the program's code that the library has called: pthread_exit,
// or a cancellation that is acted upon (pthread_cancel), in an iteration, a task, a light thread or
// a team's member. glibc unwinds the stack for both, in a way that may be watched but not stopped.
//
// It cannot be kept like an exception, since it is over when a handler ends; the thread may be one
// of the crew's own, which others rely on; and the stack may be a light thread's, which is not the
// ending thread's own. So the program ends with a message. Where the library is not on the stack,
// as in loops that their caller runs in its own code, the thread's end is that of a plain loop.
//
// Rejected: going on where the caller of the construct is the one that ends, as with an exception.
// Whether an iteration is run by its caller is chance, so nobody could rely on it.
#pragma once

#include <cxxabi.h>
#include <exception>
#include <utility>

namespace artel::base {

// Says so and aborts.
[[noreturn]] void thread_ended_inside() noexcept;

// The exception that is handled, for somebody else to throw again. In a handler for everything
// around the program's code. Does not return when a thread is ending.
std::exception_ptr caught() noexcept;

// Calls the program's code where no exception can be passed on. Exceptions go through. Not looked
// at by UndefinedBehaviorSanitizer: what a thread's end throws has no object, and the handler
// binds a reference to it.
template <class F>
__attribute__((no_sanitize("undefined"))) void call_program(F&& f)
{
    try {
        std::forward<F>(f)();
    } catch (const abi::__forced_unwind&) {
        thread_ended_inside();
    }
}

}  // namespace artel::base
