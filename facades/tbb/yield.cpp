// sched_yield() of the C library. oneTBB's headers call it while they wait for other threads, in
// spin_mutex and collaborative_call_once among others. The thread they wait for may be suspended on
// the OS thread that carries the caller, and no other OS thread may run it.
#include "foreign/program_yield.hpp"

extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept
{
    artel::foreign::yield_for_program();
    return 0;
}
