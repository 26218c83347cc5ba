/* Loops: schedules, static shares, ordered, doacross. */
#include "gomp.h"

/* Schedules are numbered as libgomp numbers them; its highest bit means monotonic. */
static long schedule_of(int schedule)
{
    return (schedule & 7) | ((schedule & 256) != 0 ? (long)0x80000000 : 0);
}

CP int __cp_loop_start(__cp_ull n, int schedule, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi)
{
    return (schedule & 512) != 0 ? GOMP_loop_ull_ordered_start(true, 0, n, 1, schedule_of(schedule),
                                                               chunk, lo, hi, NULL, NULL)
                                 : GOMP_loop_ull_start(true, 0, n, 1, schedule_of(schedule), chunk,
                                                       lo, hi, NULL, NULL);
}

CP int __cp_loop_next(int schedule, __cp_ull* lo, __cp_ull* hi)
{
    const bool ordered = (schedule & 512) != 0;
    switch (schedule & 7) {
    case 1:
        return ordered ? GOMP_loop_ull_ordered_static_next(lo, hi)
                       : GOMP_loop_ull_static_next(lo, hi);
    case 2:
        return ordered ? GOMP_loop_ull_ordered_dynamic_next(lo, hi)
                       : GOMP_loop_ull_dynamic_next(lo, hi);
    case 3:
        return ordered ? GOMP_loop_ull_ordered_guided_next(lo, hi)
                       : GOMP_loop_ull_guided_next(lo, hi);
    default:
        return ordered ? GOMP_loop_ull_ordered_runtime_next(lo, hi)
                       : GOMP_loop_ull_runtime_next(lo, hi);
    }
}

CP void __cp_loop_end(void)
{
    GOMP_loop_end();
}
CP void __cp_loop_end_nowait(void)
{
    GOMP_loop_end_nowait();
}
CP int __cp_loop_end_cancel(void)
{
    return GOMP_loop_end_cancel();
}

static void part(__cp_ull n, __cp_ull index, __cp_ull all, __cp_ull* lo, __cp_ull* hi)
{
    const __cp_ull share = n / all, more = n % all;
    *lo = index * share + (index < more ? index : more);
    *hi = *lo + share + (index < more ? 1 : 0);
}

CP void __cp_static(__cp_ull n, __cp_ull* lo, __cp_ull* hi)
{
    part(n, (__cp_ull)omp_get_thread_num(), (__cp_ull)omp_get_num_threads(), lo, hi);
}

static void chunks(__cp_ull n, __cp_ull chunk, __cp_ull index, __cp_ull all, __cp_ull* lo,
                   __cp_ull* hi, __cp_ull* stride)
{
    *lo = index * chunk;
    *hi = *lo + chunk;
    *stride = all * chunk;
    (void)n;
}

CP void __cp_static_chunks(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride)
{
    chunks(n, chunk == 0 ? 1 : chunk, (__cp_ull)omp_get_thread_num(),
           (__cp_ull)omp_get_num_threads(), lo, hi, stride);
}

CP void __cp_distribute(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride)
{
    const __cp_ull team = (__cp_ull)omp_get_team_num(), all = (__cp_ull)omp_get_num_teams();
    if (chunk != 0) {
        chunks(n, chunk, team, all, lo, hi, stride);
        return;
    }
    part(n, team, all, lo, hi);
    if (*lo == *hi) {
        *lo = n;
    }
    *stride = n;
}

CP void __cp_ordered_start(void)
{
    GOMP_ordered_start();
}
CP void __cp_ordered_end(void)
{
    GOMP_ordered_end();
}

CP int __cp_doacross_start(unsigned levels, const __cp_ull* counts, int schedule, __cp_ull chunk,
                           __cp_ull* lo, __cp_ull* hi)
{
    __cp_ull copy[] = {counts[0], levels > 1 ? counts[1] : 1};
    return GOMP_loop_ull_doacross_start(levels, copy, schedule_of(schedule), chunk, lo, hi, NULL,
                                        NULL);
}

CP void __cp_doacross_post(const __cp_ull* iteration)
{
    GOMP_doacross_ull_post((__cp_ull*)iteration);
}

CP void __cp_doacross_wait(unsigned levels, const __cp_ull* iteration)
{
    GOMP_doacross_ull_wait(iteration[0], levels > 1 ? iteration[1] : 0);
}
