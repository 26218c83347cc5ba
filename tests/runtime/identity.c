/* identity.c — what a member of a team is to the kernel and to the C library: identity WHAT
 * MEMBERS. Prints "good", or what was wrong on standard error. Each of the checks holds for a
 * runtime whose members are OS threads. */
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

static void failed(int line, int round, const char* what)
{
    if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) <= 5)
        fprintf(stderr, "line %d, member %d of %d, round %d: not true: %s\n", line,
                omp_get_thread_num(), omp_get_num_threads(), round, what);
}
#define CHECK(condition) ((condition) ? (void)0 : failed(__LINE__, round, #condition))

static int tid(void)
{
    return (int)syscall(SYS_gettid);
}

/* Lets members wait, so that those that can change OS threads do. */
static void change_places(void)
{
    for (int i = 0; i < 3; i++) {
        usleep((useconds_t)(omp_get_thread_num() * 37 % 5) * 20);
#pragma omp barrier
    }
}

/* The kernel's number of a member is its own, the same in all regions, and nobody else's. */
static void numbers(int members)
{
    static int known[most];
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            const int mine = tid();
            CHECK(round == 0 || known[me] == mine);
            known[me] = mine;
            change_places();
            CHECK(tid() == mine);
            for (int i = 0; i < members; i++)
                CHECK(i == me || known[i] != mine);
#pragma omp barrier
        }
    }
}

/* In nested regions, too, those who are in one at the same time are threads of their own. */
static void nested(int members)
{
    omp_set_max_active_levels(3);
    for (int round = 0; round < rounds / 3; round++) {
        static int known[3 * most];
        int inside = 0;
#pragma omp parallel num_threads(members)
        {
            const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
            {
                const int me = 3 * outer + omp_get_thread_num();
                const int mine = known[me] = tid();
                __atomic_add_fetch(&inside, 1, __ATOMIC_ACQ_REL);
                while (__atomic_load_n(&inside, __ATOMIC_ACQUIRE) < 3 * members)
                    sched_yield();
                for (int i = 0; i < 3 * members; i++)
                    CHECK(i == me || known[i] != mine);
                change_places();
                CHECK(tid() == mine);
            }
        }
    }
}

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

static _Thread_local volatile sig_atomic_t caught;
static _Thread_local int is_target;
static int strays;

static void on_signal(int number)
{
    (void)number;
    ++caught;
    if (!is_target)
        __atomic_add_fetch(&strays, 1, __ATOMIC_RELAXED);
}

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

/* Blocks the signal, is sent it while it is in a region, and ends. */
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

/* What a member raises comes to it, at once, or when it no longer blocks it. */
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

/* Mutexes for which the kernel must know who holds them. */
static void mutexes(int members)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t inheriting, robust;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&inheriting, &attributes);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        for (int i = 0; i < 200; i++) {
            CHECK(pthread_mutex_lock(&inheriting) == 0);
            CHECK(pthread_mutex_lock(&robust) == 0);
            ++sum;
            CHECK(pthread_mutex_unlock(&robust) == 0);
            CHECK(pthread_mutex_unlock(&inheriting) == 0);
            if (i % 64 == 0) {
#pragma omp barrier
            }
        }
    }
    const int round = rounds;
    CHECK(sum == (long)members * 200 * rounds);
}

static double cpu_time(clockid_t clock)
{
    struct timespec t = {0, 0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A member's clock goes on, and stands still while it sleeps. */
static void clocks(int members)
{
    static double last[most];
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            clockid_t mine;
            CHECK(pthread_getcpuclockid(pthread_self(), &mine) == 0);
            const double begin = cpu_time(CLOCK_THREAD_CPUTIME_ID);
            CHECK(begin >= last[me]);
            change_places();
            const double end = cpu_time(CLOCK_THREAD_CPUTIME_ID);
            CHECK(end > begin);
            CHECK(cpu_time(mine) >= end);
            last[me] = end;
        }
    }
}

/* A member that keeps to a CPU stays there; the others need not. */
static void cpus(int members)
{
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(members)
        {
            const int me = omp_get_thread_num();
            cpu_set_t now, one;
            CPU_ZERO(&one);
            for (int c = 0, n = me % CPU_COUNT(&all); c < CPU_SETSIZE; c++)
                if (CPU_ISSET(c, &all) && n-- == 0)
                    CPU_SET(c, &one);
            if (me % 3 == 0)
                pthread_setaffinity_np(pthread_self(), sizeof one, &one);
            change_places();
            sched_getaffinity(0, sizeof now, &now);
            CHECK(CPU_EQUAL(&now, me % 3 == 0 ? &one : &all));
            pthread_getaffinity_np(pthread_self(), sizeof now, &now);
            CHECK(CPU_EQUAL(&now, me % 3 == 0 ? &one : &all));
            change_places();
            pthread_setaffinity_np(pthread_self(), sizeof all, &all);
        }
    }
}

/* Timers for one thread, as profilers set them up. */
static void timers(int members)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel num_threads(members)
    {
        const int round = 0;
        struct sigevent event;
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGUSR1;
        event._sigev_un._tid = tid();
        timer_t timer;
        is_target = omp_get_thread_num() % 2;
        if (is_target) {
            const struct itimerspec often = {{0, 1000000}, {0, 1000000}};
            CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
            CHECK(timer_settime(timer, 0, &often, NULL) == 0);
        }
        for (int i = 0; i < rounds; i++)
            change_places();
        if (is_target) {
            timer_delete(timer);
            for (int wait = 0; caught == 0 && wait < 100; wait++)
                usleep(1000);
        }
#pragma omp barrier
        is_target = 0;
    }
    const int round = 0;
    CHECK(strays == 0);
}

int main(int argc, char** argv)
{
    static const struct {
        const char* name;
        void (*function)(int members);
    } all[] = {{"numbers", numbers},      {"nested", nested},     {"masks", masks},
               {"signals", signals},      {"held", held},         {"mutexes", mutexes},
               {"clocks", clocks},        {"cpus", cpus},         {"timers", timers},
               {"queued", queued},        {"raised", raised},     {"waited", waited},
               {"inherited", inherited},  {"handlers", handlers}, {"outside", outside},
               {"successors", successors}};
    const char* const what = argc > 1 ? argv[1] : "";
    const int members = argc > 2 ? atoi(argv[2]) : 4;
    alarm(100);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(what, all[i].name) == 0) {
            all[i].function(members);
            puts(failures == 0 ? "good" : "BAD");
            return failures != 0;
        }
    fprintf(stderr, "identity WHAT MEMBERS\n");
    return 2;
}
