/* forking.c — children of forks while other threads begin with OpenMP, or come and go: what those
 * were about to change is whole in the child. */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { others = 3, most_cpu_s = 20 };

static int own;
#pragma omp threadprivate(own)
static int stop;

#ifdef __clang__
/* Names of the runtime's own: what compilers ask for when they have no thread-local storage, and
 * tasks' numbers. */
void* __kmpc_threadprivate(void*, int, void*, size_t);
int __kmpc_global_thread_num(void*);
int __kmpc_get_taskid(void);
#endif

/* Of whoever calls: how often it was called on this thread, by the runtime's way to keep such a
 * number. */
static int times_called(void)
{
#ifdef __clang__
    static int original;
    int* const mine = __kmpc_threadprivate(NULL, __kmpc_global_thread_num(NULL), &original,
                                           sizeof original);
    CHECK(__kmpc_get_taskid() > 0);
    return ++*mine;
#else
    return ++own;
#endif
}

/* Everything that the runtime keeps for the whole process. */
static void use_all(void)
{
    char format[100];
    CHECK(omp_get_affinity_format(format, sizeof format) < sizeof format);
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        sum += times_called() > 0;
#pragma omp single
        for (int i = 0; i < 4; i++) {
#pragma omp task
            times_called();
        }
    }
    CHECK(sum == 3);
    int teams = 0;
#pragma omp teams num_teams(2)
    __atomic_fetch_add(&teams, 1, __ATOMIC_RELAXED);
    CHECK(teams == 2);
}

static void* one_life(void* argument)
{
    use_all();
    return argument;
}

/* Threads that live for a moment: each takes a number, copies and members, and gives them back. */
static void* come_and_go(void* argument)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        pthread_t thread;
        pthread_create(&thread, NULL, one_life, NULL);
        pthread_join(thread, NULL);
    }
    return argument;
}

/* Whether a child comes to its end that uses OpenMP. On its first thread, which ends with the
   process: what glibc needs to end threads may itself be half loaded, and threads of libgomp then
   abort. */
static int child_ends_well(void)
{
    const pid_t child = fork();
    if (child == 0) {
        /* A child that spins for ever ends here, after thousands of times what it needs. One that
         * sleeps for ever makes us stand still, which who runs us sees. */
        const struct rlimit cpu = {most_cpu_s, most_cpu_s};
        setrlimit(RLIMIT_CPU, &cpu);
        omp_set_affinity_format("%n"); /* nobody else reads it here */
        use_all();
        _exit(failures != 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

static void while_others_come_and_go(void)
{
    pthread_t threads[others];
    for (int i = 0; i < others; i++)
        pthread_create(&threads[i], NULL, come_and_go, NULL);
    for (int i = 0; i < 150 && failures == 0; i++)
        CHECK(child_ends_well());
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < others; i++)
        pthread_join(threads[i], NULL);
}

/* The same in a process that has not used OpenMP, `pause` ns after two threads have begun to. */
static void while_others_begin(long pause)
{
    const pid_t beginner = fork();
    if (beginner == 0) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, one_life, NULL);
        struct timespec begin, now;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        do {
            clock_gettime(CLOCK_MONOTONIC, &now);
        } while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < pause);
        CHECK(child_ends_well());
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        _exit(failures != 0);
    }
    int status = -1;
    waitpid(beginner, &status, 0);
    CHECK(status == 0);
}

int main(void)
{
    /* Machines differ in when threads read what there is to be read; most of it within the first
     * milliseconds. */
    for (int i = 0; i < 250 && failures == 0; i++)
        while_others_begin(i * 7919L % 250 * 12000);
    while_others_come_and_go();
    return finish("forking");
}
