/* member_masks.c — the signal mask of a member is its own, also for what it makes and waits for. */
#include "identity.h"

static int blocks(int signal)
{
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, signal);
}

/* What a member blocks stays blocked for it, and only for it. */
static void masks(int members)
{
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            const int by_me = SIGRTMIN + 3 + me % 20;
            CHECK(!blocks(by_me));
            sigset_t set;
            sigemptyset(&set);
            sigaddset(&set, by_me);
            if (me % 2 == 0)
                pthread_sigmask(SIG_BLOCK, &set, NULL);
            change_places();
            for (int i = 0; i < 20; i++)
                CHECK(blocks(SIGRTMIN + 3 + i) == (me % 2 == 0 && i == me % 20));
            change_places();
            if (me % 2 == 0)
                pthread_sigmask(SIG_UNBLOCK, &set, NULL);
            change_places();
        }
    }
}

/* A member may wait for a signal that another one sends, before or after it waits. */
static void waited(int members)
{
    static pthread_t threads[most];
    for (int round = 0; round < rounds; round++) {
        const int target = round % members;
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            threads[me] = pthread_self();
            sigset_t set, before;
            sigemptyset(&set);
            sigaddset(&set, SIGUSR2);
            sigaddset(&set, SIGRTMIN + 2);
            if (me == target)
                pthread_sigmask(SIG_BLOCK, &set, &before);
            change_places();
            const int sender = (target + 1) % members;
            if (me == sender && round % 3 == 0)
                pthread_kill(threads[target], SIGUSR2);
            if (round % 2 == 0)
                change_places();
            if (me == sender && round % 3 != 0) {
                usleep(round % 3 * 700);
                pthread_kill(threads[target], SIGUSR2);
            }
            if (me == target && round % 4 < 2) {
                int got = 0;
                CHECK(sigwait(&set, &got) == 0 && got == SIGUSR2);
            } else if (me == target) {
                siginfo_t info;
                const struct timespec limit = {20, 0};
                CHECK(sigtimedwait(&set, &info, &limit) == SIGUSR2);
                CHECK(info.si_code == SI_USER && info.si_pid == getpid());
            }
            if (me == target) {
                const struct timespec none = {0, 0};
                CHECK(sigtimedwait(&set, NULL, &none) == -1 && errno == EAGAIN);
                pthread_sigmask(SIG_SETMASK, &before, NULL);
            }
#pragma omp barrier
        }
    }
}

static void* look(void* signal)
{
    return blocks(*(int*)signal) ? signal : NULL;
}

/* Threads and teams that a member makes begin with its mask. */
static void inherited(int members)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            int by_me = SIGRTMIN + 3 + me % 20;
            const int blocking = (me + round) % 2;
            sigset_t set, before;
            sigemptyset(&set);
            sigaddset(&set, by_me);
            if (blocking)
                pthread_sigmask(SIG_BLOCK, &set, &before);
            change_places();
            pthread_t thread;
            void* blocked = NULL;
            if (pthread_create(&thread, NULL, look, &by_me) == 0)
                pthread_join(thread, &blocked);
            CHECK((blocked != NULL) == blocking);
            int as_i = 0;
#pragma omp parallel num_threads(3) reduction(+ : as_i)
            {
                as_i += blocks(by_me) == blocking;
#pragma omp barrier
                sigset_t full;
                sigfillset(&full);
                if (omp_get_thread_num() != 0)
                    pthread_sigmask(SIG_BLOCK, &full, NULL);
            }
            CHECK(as_i == 3);
            if (blocking)
                pthread_sigmask(SIG_SETMASK, &before, NULL);
        }
    }
}

static void blocks_more(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 4);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    on_signal(number);
}

/* What a handler does to the mask ends with it. */
static void handlers(int members)
{
    struct sigaction action = {.sa_handler = blocks_more, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            is_target = 1;
            sigset_t set;
            sigemptyset(&set);
            sigaddset(&set, SIGUSR2);
            pthread_sigmask(omp_get_thread_num() % 2 ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
            raise(SIGUSR1);
            CHECK(!blocks(SIGRTMIN + 4) && !blocks(SIGUSR1));
            change_places();
            CHECK(!blocks(SIGRTMIN + 4) && !blocks(SIGUSR1));
            CHECK(blocks(SIGUSR2) == omp_get_thread_num() % 2);
        }
    }
}

int main(int argc, char** argv)
{
    static const struct named_check all[] = {
        {"masks", masks}, {"waited", waited}, {"inherited", inherited}, {"handlers", handlers}};
    return run_check(all, sizeof all / sizeof *all, argc, argv);
}
