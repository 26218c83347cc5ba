/* Signals that members raise reach the member itself, and the ticks of a profiling timer interrupt
   whoever uses the CPU, as under a runtime whose members are OS threads of the program. Prints what
   was missed. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { members = 4, each = 50 };
static int raised[members], ticks, ticks_of_others;
static __thread int number = -1;
static pthread_t initial;

static void on_user_signal(int signal)
{
    if (signal == SIGUSR1 && number >= 0)
        __atomic_add_fetch(&raised[number], 1, __ATOMIC_RELAXED);
}

static void on_tick(int signal)
{
    (void)signal;
    __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
    if (!pthread_equal(pthread_self(), initial))
        __atomic_add_fetch(&ticks_of_others, 1, __ATOMIC_RELAXED);
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_RESTART;
    action.sa_handler = on_user_signal;
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = on_tick;
    sigaction(SIGPROF, &action, NULL);
    initial = pthread_self();

    int blocked = 0;
#pragma omp parallel num_threads(members) reduction(+ : blocked)
    {
        number = omp_get_thread_num();
        sigset_t set;
        pthread_sigmask(SIG_SETMASK, NULL, &set);
        blocked += sigismember(&set, SIGTERM) || sigismember(&set, SIGINT);
        for (int i = 0; i < each; ++i)
            if (i % 2)
                raise(SIGUSR1);
            else
                pthread_kill(pthread_self(), SIGUSR1);
    }
    int missed = 0;
    for (int i = 0; i < members; ++i)
        missed += raised[i] != each;

    const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &often, NULL);
    const double begin = omp_get_wtime();
    while (__atomic_load_n(&ticks_of_others, __ATOMIC_RELAXED) == 0 &&
           omp_get_wtime() - begin < 10) {
#pragma omp parallel num_threads(members)
        for (double until = omp_get_wtime() + 0.005; omp_get_wtime() < until;)
            ;
    }
    setitimer(ITIMER_PROF, &never, NULL);
    printf("blocked %d, missed %d, ticks of the initial thread only: %s\n", blocked, missed,
           ticks_of_others == 0 ? "yes" : "no");
    return 0;
}
