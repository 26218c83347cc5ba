/* fork_storm.c — one thread forks again and again while others are anywhere in the runtime: in
 * regions of several sizes, tasks, critical sections, loops, nested regions, and in the first
 * region of a thread. Each child uses all of that itself, and must end within `time_limit` seconds.
 * Not the parent's critical section, though: as any lock of the program's it may have been taken,
 * for ever. fork_storm FORKS [SEED] */
#define _GNU_SOURCE
#include "hung_process.h"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { busy_threads = 3, time_limit = 60 };

static volatile int done;
static int in_child;

static unsigned next(unsigned* state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static long tasks(int depth)
{
    if (depth < 2)
        return 1;
    long a = 0, b = 0;
#pragma omp task shared(a)
    a = tasks(depth - 1);
    b = tasks(depth - 2);
#pragma omp taskwait
    return a + b;
}

/* Some of what there is; whether it was right. */
static int use(unsigned what)
{
    const int members = 1 + (int)(what / 8 % 9);
    long sum = 0;
    switch (what % 6) {
    case 0:
#pragma omp parallel num_threads(members) reduction(+ : sum)
    {
#pragma omp barrier
        sum += 1;
    }
        return sum == members;
    case 1:
#pragma omp parallel for num_threads(members) schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < 100; ++i)
            sum += i;
        return sum == 4950;
    case 2:
#pragma omp parallel num_threads(members)
#pragma omp single
        sum = tasks(9);
        return sum == 55;
    case 3:
#pragma omp parallel num_threads(members)
        if (in_child) {
#pragma omp critical(childs)
            ++sum;
        } else {
#pragma omp critical
            ++sum;
        }
        return sum == members;
    case 4:
#pragma omp parallel num_threads(members)
    {
#pragma omp parallel num_threads(3)
#pragma omp atomic
        ++sum;
    }
        return sum == 3 * members;
    default:
#pragma omp parallel for num_threads(members) ordered schedule(static, 1)
        for (int i = 0; i < 20; ++i) {
#pragma omp ordered
            sum = sum * 3 % 1000 + i;
        }
        return sum == 90;
    }
}

static void fail(const char* what, unsigned seed)
{
    fprintf(stderr, "%s (seed %u)\n", what, seed);
    _exit(1);
}

static void* short_lived(void* argument)
{
    if (!use(*(const unsigned*)argument))
        fail("a thread's first region is wrong", *(const unsigned*)argument);
    return NULL;
}

static void* busy(void* argument)
{
    unsigned state = *(const unsigned*)argument;
    while (!done) {
        if (!use(next(&state)))
            fail("a region in the parent is wrong", state);
        if (next(&state) % 8 == 0) {
            unsigned what = next(&state);
            pthread_t thread;
            if (pthread_create(&thread, NULL, short_lived, &what) == 0)
                pthread_join(thread, NULL);
        }
    }
    return NULL;
}

/* The child's status, or -1 when it has not ended in time. */
static int await(pid_t child)
{
    const time_t began = time(NULL);
    int status = -1;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended != 0)
            return ended == child ? status : -1;
        if (time(NULL) - began > time_limit) {
            fprintf(stderr, "the child's threads:\n");
            tell_threads(child);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        const struct timespec pause = {0, 200000};
        nanosleep(&pause, NULL);
    }
}

int main(int argc, char** argv)
{
    const int forks = argc > 1 ? atoi(argv[1]) : 100;
    unsigned state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    const unsigned seed = state;
    omp_set_max_active_levels(2);
    pthread_t threads[busy_threads];
    unsigned seeds[busy_threads];
    for (int i = 0; i < busy_threads; ++i) {
        seeds[i] = seed * 100 + (unsigned)i;
        pthread_create(&threads[i], NULL, busy, &seeds[i]);
    }
    for (int i = 0; i < forks; ++i) {
        const unsigned what = next(&state);
        const struct timespec pause = {0, (long)(what % 700) * 1000};
        nanosleep(&pause, NULL);
        const pid_t child = fork();
        if (child < 0)
            fail("fork failed", seed);
        if (child == 0) {
            alarm(2 * time_limit); /* if the parent is gone */
            in_child = 1;
            for (unsigned j = 0; j < 6; ++j)
                if (!use(what + j))
                    _exit(3);
            unsigned more = what / 4;
            pthread_t thread;
            if (pthread_create(&thread, NULL, short_lived, &more) != 0 ||
                pthread_join(thread, NULL) != 0)
                _exit(4);
            _exit(0);
        }
        const int status = await(child);
        if (status != 0) {
            fprintf(stderr, "fork %d: status %x\n", i, (unsigned)status);
            fail(status < 0 ? "a child hung" : "a child is wrong", seed);
        }
    }
    done = 1;
    for (int i = 0; i < busy_threads; ++i)
        pthread_join(threads[i], NULL);
    puts("good");
    return 0;
}
