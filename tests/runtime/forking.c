// fork() before, between and inside regions: the child's own regions work, also when the child came
// from a member and leaves its parent's region.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp barrier
        sum += omp_get_thread_num() + 1;
    }
    return sum;
}

static void report(const char* where, pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    const int good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    printf("%s: %s\n", where, good ? "ok" : "wrong");
    if (!good) {
        exit(1);
    }
}

static void in_child(const char* where)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(region() == 10 && region() == 10 ? 0 : 3);
    }
    report(where, child);
}

int main(void)
{
    in_child("before any region");
    region();
    in_child("after a region");
#pragma omp parallel num_threads(4)
    {
#pragma omp barrier
        if (omp_get_thread_num() == 2) {
            in_child("in a member");
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            in_child("in the master");
        }
    }
    pid_t child = -1;
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            child = fork();
            if (child == 0) {
                alarm(20);
            }
        }
    }
    if (child == 0) {
        _exit(region() == 10 ? 0 : 4);
    }
    report("out of the parent's region", child);
    return region() == 10 ? 0 : 1;
}
