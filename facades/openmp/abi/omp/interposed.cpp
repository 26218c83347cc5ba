// Interposed names of libc.
//
// sched_yield: OpenBLAS's level-3 jobs wait for each other with it, as do many hand-written
// barriers.
#include "foreign/program_yield.hpp"

extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept
{
    artel::foreign::yield_for_program();
    return 0;
}
