// Threads that end inside code of the program that the library has called, in an iteration, a task,
// a light thread or a team's member: by pthread_exit, or by cancellation (pthread_cancel). glibc
// unwinds the stack for both, by an unwinding that handlers may observe but not stop.
//
// It cannot be stored like an exception, because it ends with the handler; the thread may be one of
// the crew's own, which others rely on; and the stack may be a light thread's, not the ending
// thread's own. So the program ends with a message. Where the library is not on the stack, as in
// loops that their caller runs in its own code, the thread ends as in a plain loop.
//
// Rejected: continuing if the caller of the construct is the thread that ends, as after an
// exception. Whether an iteration is run by its caller is chance, so no program could rely on it.
#pragma once

#include <cxxabi.h>
#include <exception>
#include <utility>

namespace artel::base {

// Says so and aborts.
[[noreturn]] void thread_ended_inside() noexcept;

// The exception being handled, for another thread to rethrow. For catch-all handlers around the
// program's code. Does not return when a thread is ending.
std::exception_ptr caught() noexcept;

// Calls the program's code where no exception can be passed on. Exceptions pass through. Not
// checked by UndefinedBehaviorSanitizer: the unwinding of a thread's end has no exception object,
// and the handler binds a reference to it.
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
