/* identity.c — what a member of a team is to the kernel and to the C library: its number, mutexes,
 * clocks, CPUs and timers. */
#include "identity.h"

/* The kernel's number of a member is its own, the same in all regions, and nobody else's. */
static void numbers(int members)
{
    static int known[most];
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            const int mine = tid();
            CHECK(round == 0 || known[me] == mine);
            known[me] = mine;
            change_places();
            CHECK(tid() == mine);
            for (int i = 0; i < members; i++)
                CHECK(i == me || known[i] != mine);
#pragma omp barrier
        }
    }
}

/* In nested regions, too, those who are in one at the same time are threads of their own. */
static void nested(int members)
{
    omp_set_max_active_levels(3);
    for (int round = 0; round < rounds / 3; round++) {
        static int known[3 * most];
        int inside = 0;
#pragma omp parallel num_threads(members)
        {
            const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
            {
                const int me = 3 * outer + omp_get_thread_num();
                const int mine = known[me] = tid();
                __atomic_add_fetch(&inside, 1, __ATOMIC_ACQ_REL);
                while (__atomic_load_n(&inside, __ATOMIC_ACQUIRE) < 3 * members)
                    sched_yield();
                for (int i = 0; i < 3 * members; i++)
                    CHECK(i == me || known[i] != mine);
                change_places();
                CHECK(tid() == mine);
            }
        }
    }
}

/* Mutexes for which the kernel must know who holds them. */
static void mutexes(int members)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t inheriting, robust;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&inheriting, &attributes);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        for (int i = 0; i < 200; i++) {
            CHECK(pthread_mutex_lock(&inheriting) == 0);
            CHECK(pthread_mutex_lock(&robust) == 0);
            ++sum;
            CHECK(pthread_mutex_unlock(&robust) == 0);
            CHECK(pthread_mutex_unlock(&inheriting) == 0);
            if (i % 64 == 0) {
#pragma omp barrier
            }
        }
    }
    const int round = rounds;
    CHECK(sum == (long)members * 200 * rounds);
}

static double cpu_time(clockid_t clock)
{
    struct timespec t = {0, 0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A member's clock goes on, and stands still while it sleeps. */
static void clocks(int members)
{
    static double last[most];
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            clockid_t mine;
            CHECK(pthread_getcpuclockid(pthread_self(), &mine) == 0);
            const double begin = cpu_time(CLOCK_THREAD_CPUTIME_ID);
            CHECK(begin >= last[me]);
            change_places();
            const double end = cpu_time(CLOCK_THREAD_CPUTIME_ID);
            CHECK(end > begin);
            CHECK(cpu_time(mine) >= end);
            last[me] = end;
        }
    }
}

/* A member that keeps to a CPU stays there; the others need not. */
static void cpus(int members)
{
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            cpu_set_t now, one;
            CPU_ZERO(&one);
            for (int c = 0, n = me % CPU_COUNT(&all); c < CPU_SETSIZE; c++)
                if (CPU_ISSET(c, &all) && n-- == 0)
                    CPU_SET(c, &one);
            if (me % 3 == 0)
                pthread_setaffinity_np(pthread_self(), sizeof one, &one);
            change_places();
            sched_getaffinity(0, sizeof now, &now);
            CHECK(CPU_EQUAL(&now, me % 3 == 0 ? &one : &all));
            pthread_getaffinity_np(pthread_self(), sizeof now, &now);
            CHECK(CPU_EQUAL(&now, me % 3 == 0 ? &one : &all));
            change_places();
            pthread_setaffinity_np(pthread_self(), sizeof all, &all);
        }
    }
}

/* Timers for one thread, as profilers set them up. */
static void timers(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel num_threads(members)
    {
        const int round = 0;
        struct sigevent event;
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGUSR1;
        event._sigev_un._tid = tid();
        timer_t timer;
        is_target = omp_get_thread_num() % 2;
        if (is_target) {
            const struct itimerspec often = {{0, 1000000}, {0, 1000000}};
            CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
            CHECK(timer_settime(timer, 0, &often, NULL) == 0);
        }
        for (int i = 0; i < rounds; i++)
            change_places();
        if (is_target) {
            timer_delete(timer);
            for (int wait = 0; caught == 0 && wait < 100; wait++)
                usleep(1000);
        }
#pragma omp barrier
        is_target = 0;
    }
    const int round = 0;
    CHECK(strays == 0);
}

int main(int argc, char** argv)
{
    static const struct named_check all[] = {{"numbers", numbers}, {"nested", nested},
                                             {"mutexes", mutexes}, {"clocks", clocks},
                                             {"cpus", cpus},       {"timers", timers}};
    return run_check(all, sizeof all / sizeof *all, argc, argv);
}
