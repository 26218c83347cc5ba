/* member_signals.c — signals that are sent to members reach them, and nobody else. */
#include "identity.h"

/* A signal for a member reaches it, while it runs, or when it goes on; and nobody else. */
static void signals(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    static pthread_t threads[most];
    static int arrived;
    for (int round = 0; round < rounds; round++) {
        arrived = 0;
        const int target = round % members;
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            threads[me] = pthread_self();
            is_target = me == target;
            const int before = caught;
#pragma omp barrier
            if (me == (target + 1) % members)
                CHECK(pthread_kill(threads[target], SIGUSR1) == 0);
            if (round % 2 == 0) {
                /* at work */
                while (me == target && caught == before) {
                }
            }
            change_places();
            if (me == target) {
                arrived = caught - before;
                for (int wait = 0; arrived == 0 && wait < 1000; wait++) {
                    usleep(1000);
                    arrived = caught - before;
                }
            }
            is_target = 0;
#pragma omp barrier
        }
        CHECK(arrived == 1);
    }
    const int round = rounds;
    CHECK(strays == 0);
}

static pthread_t receiver;
static int wanted, last_round;

static void* outsider(void* argument)
{
    for (int done = 0; done < last_round; done++) {
        while (__atomic_load_n(&wanted, __ATOMIC_ACQUIRE) <= done)
            usleep(100);
        pthread_kill(receiver, SIGUSR1);
    }
    return argument;
}

/* A signal from a thread outside reaches a member at work, also one that is alone in its team. */
static void outside(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    last_round = rounds;
    pthread_t sender;
    pthread_create(&sender, NULL, outsider, NULL);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        if (omp_get_thread_num() == round % members) {
            is_target = 1;
            const int before = caught;
            const time_t begin = time(NULL);
            receiver = pthread_self();
            __atomic_store_n(&wanted, round + 1, __ATOMIC_RELEASE);
            while (caught == before && time(NULL) - begin < 30) {
            }
            CHECK(caught == before + 1);
            is_target = 0;
        }
    }
    pthread_join(sender, NULL);
    const int round = rounds;
    CHECK(strays == 0);
}

static int sent;

/* Blocks the signal, is sent it in a region, and ends while it is pending. */
static void* leaves_one_behind(void* argument)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    const int members = *(int*)argument;
#pragma omp parallel num_threads(members)
    if (omp_get_thread_num() == 0) {
        __atomic_store_n(&wanted, 1, __ATOMIC_RELEASE);
        while (!__atomic_load_n(&sent, __ATOMIC_ACQUIRE))
            usleep(100);
    }
    return NULL;
}

static void* expects_none(void* argument)
{
    const int members = *(int*)argument;
#pragma omp parallel num_threads(members)
    change_places();
    return NULL;
}

/* What was sent to a thread and never handled ends with it, and does not come to a later one. */
static void successors(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    for (int round = 0; round < rounds; round++) {
        wanted = sent = 0;
        pthread_create(&receiver, NULL, leaves_one_behind, &members);
        while (!__atomic_load_n(&wanted, __ATOMIC_ACQUIRE))
            usleep(100);
        CHECK(pthread_kill(receiver, SIGUSR1) == 0);
        __atomic_store_n(&sent, 1, __ATOMIC_RELEASE);
        pthread_join(receiver, NULL);
        pthread_t later;
        pthread_create(&later, NULL, expects_none, &members);
        pthread_join(later, NULL);
        CHECK(strays == 0);
    }
}

/* A blocked signal waits for the member that blocks it. */
static void held(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    static pthread_t threads[most];
    for (int round = 0; round < rounds; round++) {
        const int target = round % members;
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            threads[me] = pthread_self();
            is_target = me == target;
            const int before = caught;
            sigset_t set;
            sigemptyset(&set);
            sigaddset(&set, SIGUSR1);
            if (me == target)
                pthread_sigmask(SIG_BLOCK, &set, NULL);
#pragma omp barrier
            if (me == (target + 1) % members)
                CHECK(pthread_kill(threads[target], SIGUSR1) == 0);
            change_places();
            CHECK(caught == before);
            change_places();
            if (me == target) {
                pthread_sigmask(SIG_UNBLOCK, &set, NULL);
                CHECK(caught == before + 1);
            }
#pragma omp barrier
            is_target = 0;
        }
    }
    const int round = rounds;
    CHECK(strays == 0);
}

static _Thread_local volatile sig_atomic_t value;

static void on_value(int number, siginfo_t* info, void* context)
{
    (void)context;
    value = info->si_code == SI_QUEUE ? info->si_value.sival_int : -1;
    on_signal(number);
}

/* A signal may bring a value along. */
static void queued(int members)
{
    struct sigaction action = {.sa_sigaction = on_value, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    static pthread_t threads[most];
    for (int round = 0; round < rounds; round++) {
        const int target = round % members;
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            threads[me] = pthread_self();
            is_target = me == target;
            value = 0;
#pragma omp barrier
            if (me == (target + 1) % members)
                CHECK(pthread_sigqueue(threads[target], SIGUSR1,
                                       (union sigval){.sival_int = 100 + round}) == 0);
            change_places();
            for (int wait = 0; me == target && value == 0 && wait < 1000; wait++)
                usleep(1000);
            CHECK(value == (me == target ? 100 + round : 0));
            is_target = 0;
#pragma omp barrier
        }
    }
    const int round = rounds;
    CHECK(strays == 0);
}

/* A signal that a member raises is delivered to that member, at once or when it is no longer
 * blocked. */
static void raised(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            is_target = omp_get_thread_num() % 2 == 0;
            const int before = caught;
            if (is_target) {
                raise(SIGUSR1);
                CHECK(caught == before + 1);
                pthread_kill(pthread_self(), SIGUSR1);
                CHECK(caught == before + 2);
                sigset_t set, pending;
                sigemptyset(&set);
                sigaddset(&set, SIGUSR1);
                sigprocmask(SIG_BLOCK, &set, NULL);
                raise(SIGUSR1);
                change_places();
                CHECK(caught == before + 2);
                CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
                sigprocmask(SIG_UNBLOCK, &set, NULL);
                CHECK(caught == before + 3);
            } else {
                change_places();
                CHECK(caught == before);
            }
#pragma omp barrier
            is_target = 0;
        }
    }
    const int round = rounds;
    CHECK(strays == 0);
}

int main(int argc, char** argv)
{
    static const struct named_check all[] = {{"signals", signals},       {"outside", outside},
                                             {"successors", successors}, {"held", held},
                                             {"queued", queued},         {"raised", raised}};
    return run_check(all, sizeof all / sizeof *all, argc, argv);
}
