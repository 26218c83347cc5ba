/* forking_members.c — members fork, one in each region, and each child makes and ends threads, so
 * that the C library frees stacks of threads that exist in the parent only. Among them is that of
 * the OS thread that carried the member, in which the kernel must not write any more. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { members = 12, threads = 40, rounds = 10 };

static pthread_barrier_t all;

static void* wait_for_all(void* argument)
{
    pthread_barrier_wait(&all);
    return argument;
}

static int make_threads(void)
{
    pthread_barrier_init(&all, NULL, threads + 1);
    for (int round = 0; round < rounds; ++round) {
        pthread_t made[threads];
        for (int i = 0; i < threads; ++i)
            if (pthread_create(&made[i], NULL, wait_for_all, NULL) != 0)
                return 1;
        pthread_barrier_wait(&all);
        for (int i = 0; i < threads; ++i)
            pthread_join(made[i], NULL);
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Whether the child of the calling member ended well. */
static int forks_well(void)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(make_threads());
    }
    int status = -1;
    if (waitpid(child, &status, 0) == child && status == 0)
        return 1;
    fprintf(stderr, "member %d: status %x\n", omp_get_thread_num(), (unsigned)status);
    return 0;
}

int main(void)
{
    int wrong = 0;
    for (int who = 0; who < members; ++who) {
#pragma omp parallel num_threads(members)
        if (omp_get_thread_num() == who && !forks_well())
            wrong = 1;
    }
    if (wrong)
        return 1;
    puts("good");
    return 0;
}
