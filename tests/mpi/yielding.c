/* Preloaded into ranks of Debian's MPICH when there are more of them than CPUs: its waiting loops
 * spin until the kernel takes the CPU away, and the rank that is waited for has none meanwhile.
 * Gives the CPU away whenever there was nothing to do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker)
{
    static unsigned (*progress)(void*); /* every thread finds the same */
    if (progress == 0) {
        progress = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    const unsigned done = progress(worker);
    if (done == 0) {
        sched_yield();
    }
    return done;
}
