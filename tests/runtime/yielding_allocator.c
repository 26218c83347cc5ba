// An allocator that gives way, as those with spinning locks do: in every so-many-th call
// (YIELD_EVERY), or only while its one lock is taken.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

static atomic_int taken;
static _Thread_local unsigned calls;
static atomic_int every = -1;

static void lock(void)
{
    if (atomic_load(&every) < 0) {
        const char* const given = getenv("YIELD_EVERY");
        atomic_store(&every, given != NULL ? atoi(given) : 0);
    }
    const int n = atomic_load(&every);
    if (n > 0) {
        if (++calls % (unsigned)n == 0)
            sched_yield();
        return;
    }
    while (atomic_exchange(&taken, 1))
        sched_yield();
}

static void unlock(void)
{
    if (atomic_load(&every) == 0)
        atomic_store(&taken, 0);
}

void* malloc(size_t n)
{
    lock();
    void* const p = __libc_malloc(n);
    unlock();
    return p;
}

void* calloc(size_t count, size_t n)
{
    lock();
    void* const p = __libc_calloc(count, n);
    unlock();
    return p;
}

void* realloc(void* old, size_t n)
{
    lock();
    void* const p = __libc_realloc(old, n);
    unlock();
    return p;
}

void* aligned_alloc(size_t alignment, size_t n)
{
    lock();
    void* const p = __libc_memalign(alignment, n);
    unlock();
    return p;
}

int posix_memalign(void** to, size_t alignment, size_t n)
{
    *to = aligned_alloc(alignment, n);
    return *to != NULL ? 0 : ENOMEM;
}

void free(void* p)
{
    lock();
    __libc_free(p);
    unlock();
}
