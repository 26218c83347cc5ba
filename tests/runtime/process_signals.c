/* process_signals.c — threads of the program outside of regions, signals for the process, and a
 * child that shares the memory of its parent. */
#include "identity.h"

#include <sys/wait.h>

static int wanted;

/* Outside of regions the kernel knows what a thread has raised: sigsuspend finds it. */
static void outside_of_regions(int members)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    is_target = 1;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        change_places();
        sigset_t set, before, none;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigemptyset(&none);
        const int caught_before = caught;
        pthread_sigmask(SIG_BLOCK, &set, &before);
        raise(SIGUSR1);
        CHECK(caught == caught_before);
        sigsuspend(&none);
        CHECK(caught == caught_before + 1);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    is_target = 0;
}

static void* waits_for_a_signal(void* argument)
{
    const int members = *(int*)argument;
#pragma omp parallel num_threads(members)
    change_places();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    __atomic_store_n(&wanted, 1, __ATOMIC_RELEASE);
    int got;
    sigwait(&set, &got);
    return NULL;
}

/* A thread that waits for a signal can be cancelled. */
static void cancelled(int members)
{
    for (int round = 0; round < 3; round++) {
        wanted = 0;
        pthread_t thread;
        pthread_create(&thread, NULL, waits_for_a_signal, &members);
        while (!__atomic_load_n(&wanted, __ATOMIC_ACQUIRE))
            usleep(100);
        usleep(round * 10000);
        pthread_cancel(thread);
        void* result = NULL;
        pthread_join(thread, &result);
        CHECK(result == PTHREAD_CANCELED);
    }
}

/* What is sent to the process stays there, whatever its threads have waited for before. */
static void sent_to_the_process(int members)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(members)
        {
            if (omp_get_thread_num() == 1) {
                int got = 0;
                raise(SIGUSR1);
                sigwait(&set, &got);
                CHECK(got == SIGUSR1);
                raise(SIGRTMIN + 1);
                sigwait(&set, &got);
                CHECK(got == SIGRTMIN + 1);
                sigset_t others; /* raised again, and handled unseen */
                sigfillset(&others);
                sigdelset(&others, SIGUSR1);
                const int caught_before = caught;
                is_target = 1;
                raise(SIGUSR1);
                sigsuspend(&others);
                is_target = 0;
                CHECK(caught == caught_before + 1);
                pthread_sigqueue(pthread_self(), SIGRTMIN + 1, (union sigval){.sival_int = 1});
                sigwait(&set, &got);
                CHECK(got == SIGRTMIN + 1);
                kill(getpid(), SIGUSR1);
                for (int i = 7; i < 10; i++)
                    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i});
            }
            for (int i = 0; i < 10; i++)
                change_places();
        }
        const struct timespec limit = {5, 0};
        CHECK(sigtimedwait(&set, NULL, &limit) == SIGUSR1);
        for (int i = 7; i < 10; i++) {
            siginfo_t info = {0};
            CHECK(sigtimedwait(&set, &info, &limit) == SIGRTMIN + 1);
            CHECK(info.si_value.sival_int == i);
        }
    }
}

static int blocks(int number)
{
    unsigned long set = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &set, sizeof set);
    return set >> (number - 1) & 1;
}

/* A child made by vfork changes its own mask, not that of the thread whose memory it uses. */
static void masks_of_a_child(int members)
{
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int chosen = omp_get_thread_num() == 1;
            sigset_t set, before;
            sigemptyset(&set);
            if (chosen)
                sigaddset(&set, SIGUSR2);
            pthread_sigmask(SIG_BLOCK, &set, &before);
            if (chosen) {
                const pid_t child = vfork();
                if (child == 0) {
                    sigset_t none;
                    sigemptyset(&none);
                    sigprocmask(SIG_SETMASK, &none, NULL);
                    execl("/bin/true", "true", (char*)NULL);
                    _exit(127);
                }
                int status = 1;
                waitpid(child, &status, 0);
                CHECK(status == 0);
            }
            for (int i = 0; i < 3; i++) {
                change_places();
                CHECK(blocks(SIGUSR2) == chosen);
            }
            pthread_sigmask(SIG_SETMASK, &before, NULL);
        }
    }
}

int main(int argc, char** argv)
{
    static const struct named_check all[] = {{"outside_of_regions", outside_of_regions},
                                             {"cancelled", cancelled},
                                             {"sent_to_the_process", sent_to_the_process},
                                             {"masks_of_a_child", masks_of_a_child}};
    return run_check(all, sizeof all / sizeof *all, argc, argv);
}
