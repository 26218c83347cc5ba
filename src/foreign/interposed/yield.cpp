// sched_yield: an interposed name of libc. OpenBLAS's level-3 jobs wait for each other with it, as
// do many hand-written barriers, and oneTBB's headers (spin_mutex, collaborative_call_once). The
// thread that is waited for may be suspended on the OS thread that carries the caller, and no other
// OS thread may run it.
#include "foreign/program_yield.hpp"

extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept
{
    artel::foreign::yield_for_program();
    return 0;
}
