/* probe.c — how near each other two CPUs are now: prints the nanoseconds of a bare round trip
 * between the first two CPUs of this process. The host of a virtual machine moves its CPUs, so that
 * this changes within a second, by a factor of five; `bench/run --near` asks before and after every
 * process. Takes about 2 ms; exit status 1 when there are no two CPUs. */
#include <pthread.h>
#include <stdatomic.h>

#include "measure.h"

enum { batches = 9, trips = 1000 };

static _Alignas(128) atomic_long ping;
static _Alignas(128) atomic_long pong;
static int cpus[2];

static void stay_on(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* release/acquire, as two threads need that pass on a result: each store pairs with the other
 * side's load. */
static void* answer(void* unused)
{
    stay_on(cpus[1]);
    for (long trip = 1; trip <= (long)batches * trips; ++trip) {
        while (atomic_load_explicit(&ping, memory_order_acquire) != trip) {
        }
        atomic_store_explicit(&pong, trip, memory_order_release);
    }
    return unused;
}

int main(void)
{
    cpu_set_t allowed;
    int found = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; ++cpu)
        if (CPU_ISSET(cpu, &allowed))
            cpus[found++] = cpu;
    pthread_t other;
    if (found < 2 || pthread_create(&other, NULL, answer, NULL) != 0) {
        fputs("probe: needs two CPUs\n", stderr);
        return 1;
    }
    stay_on(cpus[0]);
    double nanoseconds[batches];
    long trip = 0;
    for (int batch = 0; batch < batches; ++batch) {
        const double start = measure_now();
        for (int i = 0; i < trips; ++i) {
            atomic_store_explicit(&ping, ++trip, memory_order_release);
            while (atomic_load_explicit(&pong, memory_order_acquire) != trip) {
            }
        }
        nanoseconds[batch] = (measure_now() - start) / trips * 1e9;
    }
    pthread_join(other, NULL);
    qsort(nanoseconds, batches, sizeof *nanoseconds, measure_compare);
    printf("%.1f\n", measure_quantile(nanoseconds, batches, 0.5));
    return 0;
}
