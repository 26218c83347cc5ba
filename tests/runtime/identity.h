/* What the programs about the identity of members share: checks by name, signals and who gets them.
 * Each check holds for a runtime whose members are OS threads. */
#ifndef IDENTITY_H
#define IDENTITY_H

#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 30, most = 64 };

static int failures;

static inline void failed(int line, int round, const char* what)
{
    if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) <= 5)
        fprintf(stderr, "line %d, member %d of %d, round %d: not true: %s\n", line,
                omp_get_thread_num(), omp_get_num_threads(), round, what);
}
#define CHECK(condition) ((condition) ? (void)0 : failed(__LINE__, round, #condition))

static inline int tid(void)
{
    return (int)syscall(SYS_gettid);
}

/* Lets members wait, so that those that can change OS threads do. */
static inline void change_places(void)
{
    for (int i = 0; i < 3; i++) {
        usleep((useconds_t)(omp_get_thread_num() * 37 % 5) * 20);
#pragma omp barrier
    }
}

static _Thread_local volatile sig_atomic_t caught;
static _Thread_local int is_target;
static int strays;

static inline void on_signal(int number)
{
    (void)number;
    ++caught;
    if (!is_target)
        __atomic_add_fetch(&strays, 1, __ATOMIC_RELAXED);
}

struct named_check {
    const char* name;
    void (*function)(int members);
};

/* PROGRAM WHAT MEMBERS: prints "good", or what was wrong on standard error. */
static inline int run_check(const struct named_check* all, size_t count, int argc, char** argv)
{
    const char* const what = argc > 1 ? argv[1] : "";
    const int members = argc > 2 ? atoi(argv[2]) : 4;
    alarm(100);
    for (size_t i = 0; i < count; i++)
        if (strcmp(what, all[i].name) == 0) {
            all[i].function(members);
            puts(failures == 0 ? "good" : "BAD");
            return failures != 0;
        }
    fprintf(stderr, "%s WHAT MEMBERS\n", argv[0]);
    return 2;
}

#endif
