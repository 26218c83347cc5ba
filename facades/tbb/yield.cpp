// sched_yield, of libc: oneTBB's headers wait with it for other threads, in spin_mutex and
// collaborative_call_once among others. Who is waited for may be the thread on whose OS thread the
// caller is carried, and which no other may run.
#include "foreign/program_yield.hpp"

extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept
{
    artel::foreign::yield_for_program();
    return 0;
}
