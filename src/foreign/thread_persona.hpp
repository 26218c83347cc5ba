// Personas that are OS threads of their own, for ARTEL_MEMBERS=threads. To the kernel, to debuggers
// and to profilers such a member is what a thread of libgomp is: it has a kernel thread number, a
// signal mask, clocks, an affinity mask and a list of robust mutexes that no other member uses. To
// the crew it is an external thread that takes part while it waits (a guest), so it is resumed on
// its own OS thread only. More members than CPUs cost what they cost under libgomp.
//
// A persona without an assignment sleeps in the kernel, and takes no part in the crew's work.
#pragma once

#include "base/options.hpp"
#include "fiber/fiber.hpp"

#include <cstddef>

namespace artel::foreign {

class retirement;

// Whether personas are OS threads, for the whole life of the process.
inline bool members_are_threads() noexcept
{
    return base::options().members == base::member_kind::threads;
}

// As fiber::create_personas: `count` of them with at least `stack_size` bytes of stack (0: the
// system's default), linked by `next`; fewer, and `error`, when no more threads can be made. Any
// thread. The fibers represent the threads and are never switched to.
base::work* create_thread_personas(unsigned count, std::size_t stack_size, int& error) noexcept;

// Lets a persona begin with its assignment (persona_pool.hpp, assign). When it is done it calls
// persona_is_free (there).
void start_thread_persona(fiber::fiber& persona) noexcept;

// The retirement that the persona joins after its assignment; nullptr: back to the pool.
retirement*& thread_persona_retires_to(fiber::fiber& persona) noexcept;

// The persona that is the caller, which executes an assignment.
fiber::fiber& this_thread_persona() noexcept;

// Ends the program, with the facade's own message, when such a persona finds no place in the crew
// because more than sched::max_workers threads use it at a time. Does not return. By default a
// message and abort(). Set once, when a facade is loaded.
void call_when_crew_is_full(void (*end_program)() noexcept) noexcept;

// As fiber::dismiss_persona and fiber::free_persona.
void dismiss_thread_persona(base::work& persona) noexcept;
bool free_thread_persona(base::work& persona, bool wait) noexcept;

}  // namespace artel::foreign
