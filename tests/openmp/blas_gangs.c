/* Calls of an OpenBLAS built for OpenMP inside of regions, by ARTEL_BLAS_GANGS with one or with all
   of its threads: which, the bits of the result say, since OpenBLAS sums up in another order with
   another number of threads. The size is chosen so that they differ.

   usage: blas_gangs LIBRARY CASE [deep]        deep: OpenBLAS finds its own functions first
   (RTLD_DEEPBIND)

   Prints how many results were those of all threads, how many those of neither (wrong), and how
   often the program itself was not told the truth about its regions (misled). */
#define _GNU_SOURCE
#include "../programs/blas.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static gemm_function* gemm;
static int n, threads;
static double *a, *b, *serial, *threaded;
static int calls, gangs, wrong, misled;

enum { repeats = 20 };

static void product(int rows, int columns, int inner, const double* x, const double* y, double* z)
{
    const double one = 1, zero = 0;
    gemm("N", "N", &rows, &columns, &inner, &one, x, &rows, y, &inner, &zero, z, &rows);
}

static void count(int* what)
{
    __atomic_add_fetch(what, 1, __ATOMIC_RELAXED);
}

static void call(void)
{
    const int inside = omp_get_active_level() > 0, most = omp_get_max_threads(),
              team = omp_get_num_threads();
    if (omp_in_parallel() != inside)
        count(&misled);
    double* c = matrix(n, n, 9);
    product(n, n, n, a, b, c);
    count(&calls);
    if (!memcmp(c, threaded, sizeof(double) * n * n))
        count(&gangs);
    else if (memcmp(c, serial, sizeof(double) * n * n))
        count(&wrong);
    free(c);
    if (omp_in_parallel() != inside || omp_get_max_threads() != most ||
        omp_get_num_threads() != team)
        count(&misled);
}

static void call_often(void)
{
    for (int i = 0; i < repeats; ++i)
        call();
}

static void learn(void)
{
    /* Not called by OpenBLAS itself, and without jobs. */
    int (*exec)(long, void*) = (int (*)(long, void*))dlsym(RTLD_DEFAULT, "exec_blas");
    if (exec && exec(0, NULL) != 0)
        count(&wrong);
    threads = omp_get_max_threads();
    for (n = 300; n < 360; ++n) {
        a = matrix(n, n, 1), b = matrix(n, n, 2), serial = matrix(n, n, 3),
        threaded = matrix(n, n, 3);
        omp_set_num_threads(1);
        product(n, n, n, a, b, serial);
        omp_set_num_threads(threads);
        product(n, n, n, a, b, threaded);
        if (threads == 1 || memcmp(serial, threaded, sizeof(double) * n * n))
            return;
    }
    puts("the same bits with any number of threads");
    exit(2);
}

static void by_member(int which)
{
#pragma omp parallel
    {
        if (!omp_in_parallel())
            count(&misled);
        if (which < 0 || omp_get_thread_num() == which)
            call_often();
#pragma omp barrier
    }
}

/* Asks, but has too little to do for a second thread: the promise of a gang is left over, and not
 * for the program's own regions. */
static void thin_call(void)
{
    enum { inner = 100000 };
    static double row[3 * inner], column[inner], sum[3];
    product(3, 1, inner, row, column, sum);
    const int expected = omp_get_max_threads();
    int members = 0;
#pragma omp parallel
    __atomic_add_fetch(&members, 1, __ATOMIC_RELAXED);
    if (members != expected)
        count(&misled);
    members = 0;
#pragma omp parallel num_threads(3)
    __atomic_add_fetch(&members, 1, __ATOMIC_RELAXED);
    if (members != 3)
        count(&misled);
}

static void by_tasks(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < repeats; ++i) {
#pragma omp task
        call();
    }
}

static void in_nested_regions(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        call_often();
    }
}

static void in_leagues(void)
{
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        call_often();
    }
}

static void* outside(void* unused)
{
    call_often();
    return unused;
}

static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/* Six threads outside of regions beside a region's members. A thread that waits for its turn must
 * not use up the time of the one whose turn it is. */
static void from_everywhere(void)
{
    pthread_t callers[6];
    double begin = cpu_seconds();
    double* c = matrix(n, n, 9);
    omp_set_num_threads(1);
    for (int i = 0; i < repeats; ++i)
        product(n, n, n, a, b, c);
    omp_set_num_threads(threads);
    product(n, n, n, a, b, c);
    const double work = (cpu_seconds() - begin) / (repeats + 1);
    begin = cpu_seconds();
    for (int i = 0; i < 6; ++i)
        pthread_create(&callers[i], NULL, outside, NULL);
    by_member(0);
    by_member(-1);
    for (int i = 0; i < 6; ++i)
        pthread_join(callers[i], NULL);
    fprintf(stderr, "times the work of the calls alone: %.1f\n",
            (cpu_seconds() - begin) / (work * calls));
}

static int ended, bad;

static void* forks(void* unused)
{
    for (int i = 0; i < 20; ++i) {
        usleep(3000);
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            gangs = wrong = misled = 0;
            call();
            by_member(0);
            by_member(-1);
            _exit(wrong || misled);
        }
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            ++bad;
    }
    __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
    return unused;
}

static void while_somebody_forks(int inside)
{
    pthread_t other;
    pthread_create(&other, NULL, forks, NULL);
    while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE))
        inside ? by_member(0) : call();
    pthread_join(other, NULL);
    /* Before a fork OpenBLAS frees the buffers of its threads, also of those that compute: under
     * any runtime some results here are wrong then. */
    wrong = bad;
}

int main(int arguments, char** argument)
{
    if (arguments < 3)
        return 2;
    const char* const what = argument[2];
    void* library = dlopen(argument[1],
                           RTLD_NOW | RTLD_LOCAL | (arguments > 3 ? RTLD_DEEPBIND : 0));
    gemm = library ? (gemm_function*)dlsym(library, "dgemm_") : NULL;
    if (!gemm)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    learn();
    if (!strcmp(what, "first"))
        by_member(0);
    else if (!strcmp(what, "last"))
        by_member(threads - 1);
    else if (!strcmp(what, "all"))
        by_member(-1);
    else if (!strcmp(what, "levels"))
        omp_set_max_active_levels(1), by_member(0);
    else if (!strcmp(what, "thin")) {
#pragma omp parallel
        {
#pragma omp master
            for (int i = 0; i < repeats; ++i)
                usleep(1000), thin_call(), call();
        }
    } else if (!strcmp(what, "tasks"))
        by_tasks();
    else if (!strcmp(what, "nested"))
        in_nested_regions();
    else if (!strcmp(what, "leagues"))
        in_leagues();
    else if (!strcmp(what, "everywhere"))
        from_everywhere();
    else if (!strcmp(what, "fork_inside") || !strcmp(what, "fork_outside"))
        while_somebody_forks(what[5] == 'i');
    else if (!strcmp(what, "exit")) {
#pragma omp parallel
        {
#pragma omp master
            call(), puts("ends"), exit(0);
#pragma omp barrier
        }
    } else
        return 2;
    printf("%d calls, %d by all threads, %d wrong, %d misled\n", calls, gangs, wrong, misled);
    return wrong || misled;
}
