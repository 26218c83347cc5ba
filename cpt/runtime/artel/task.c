/* Tasks, task groups and their reductions. */
#include "gomp.h"

/* The dependences as libgomp's list of depend objects, which are the same pairs as in cp.h. */
static void** dependences(void** depend, unsigned n, void** list)
{
    list[0] = NULL;
    list[1] = (void*)(uintptr_t)n;
    list[2] = list[3] = list[4] = NULL;
    for (unsigned i = 0; i < n; ++i) {
        list[5 + i] = &depend[2 * i];
    }
    return list;
}

CP void __cp_task(void (*body)(void*), void* frame, unsigned long bytes, unsigned long alignment,
                  int deferred, unsigned flags, void** depend, unsigned n, int priority,
                  void* event)
{
    void* list[n + 5];
    unsigned bits = flags & 7;
    if (n != 0) {
        dependences(depend, n, list);
        bits |= 8;
    }
    if (priority != 0) {
        bits |= 16;
    }
    if (event != NULL) {
        bits |= 1u << 13;
    }
    GOMP_task(body, frame, NULL, (long)bytes, (long)alignment, deferred != 0, bits,
              n != 0 ? list : NULL, priority, event);
}

CP void __cp_taskloop(void (*body)(void*), void* frame, unsigned long bytes,
                      unsigned long alignment, __cp_ull n, int deferred, unsigned flags,
                      unsigned long amount, int priority)
{
    unsigned bits = (flags & 7) | 256;
    bits |= (flags & 16) != 0 ? 1u << 9 : 0;
    bits |= deferred != 0 ? 1u << 10 : 0;
    bits |= (flags & 32) != 0 ? 1u << 11 : 0;
    bits |= (flags & 64) != 0 ? 1u << 14 : 0;
    bits |= priority != 0 ? 16 : 0;
    GOMP_taskloop_ull(body, frame, NULL, (long)bytes, (long)alignment, bits, amount, priority, 0, n,
                      1);
}

CP void __cp_taskwait(void)
{
    GOMP_taskwait();
}

CP void __cp_taskwait_depend(void** depend, unsigned n)
{
    void* list[n + 5];
    GOMP_taskwait_depend(dependences(depend, n, list));
}

CP void __cp_taskyield(void)
{
    GOMP_taskyield();
}
CP void __cp_taskgroup_start(void)
{
    GOMP_taskgroup_start();
}
CP void __cp_taskgroup_end(void)
{
    GOMP_taskgroup_end();
}
CP void __cp_task_reduction_register(unsigned long* words)
{
    GOMP_taskgroup_reduction_register(words);
}
CP void __cp_task_reduction_unregister(unsigned long* words)
{
    GOMP_taskgroup_reduction_unregister(words);
}

CP void* __cp_task_reduction_find(void* address, void** original)
{
    void* found[2] = {address, NULL};
    GOMP_task_reduction_remap(1, 1, found);
    *original = found[1];
    return found[0];
}

CP void __cp_team_reduction_start(unsigned long* words)
{
    GOMP_scope_start(words);
}
CP void __cp_team_reduction_end(int cancelled)
{
    GOMP_workshare_task_reduction_unregister(cancelled != 0);
}
