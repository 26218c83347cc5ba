// A signal handler that calls sched_yield, and interrupts members wherever they are: between the
// program's code and the runtime's.
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static void handle(int number)
{
    (void)number;
    sched_yield();
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval often = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &often, NULL);
    long sum = 0;
    for (int round = 0; round < 20000; round++) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
            for (volatile int i = 0; i < 300; i++) {
            }
#pragma omp barrier
            sum++;
        }
    }
    printf("%ld\n", sum);
    return 0;
}
