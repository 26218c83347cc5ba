/* Loops, reductions and sorts; sincs and teams; queues of qthreads. */
#include "check.h"

#include <pthread.h>
#include <qthread/barrier.h>
#include <qthread/qloop.h>
#include <qthread/qutil.h>
#include <qthread/sinc.h>
#include <qthread/tls.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static uint64_t twice(void* n)
{
    return 2 * *(uint64_t*)n;
}
static void add(void* into, const void* more)
{
    *(uint64_t*)into += *(const uint64_t*)more;
}
static uint64_t child(void* out)
{
    for (int i = 0; i < 50; ++i) {
        qthread_yield_(0);
    }
    return __sync_fetch_and_add((uint64_t*)out, 1);
}
static uint64_t founder(void* out)
{
    for (int i = 0; i < 10; ++i) {
        qthread_fork(child, out, NULL);
    }
    return 7;
}
static void count(size_t from, size_t to, void* sum)
{
    __sync_fetch_and_add((uint64_t*)sum, to - from);
}
static void sum_up(size_t from, size_t to, void* unused, void* result)
{
    (void)unused;
    *(uint64_t*)result = 0;
    for (size_t i = from; i < to; ++i) {
        *(uint64_t*)result += i;
    }
}

/* All variants: every iteration once; those of a qthread for each iteration get one at a time. */
static void one(size_t from, size_t to, void* sum)
{
    CHECK(to == from + 1);
    count(from, to, sum);
}
static void loops(void)
{
    typedef void (*loop)(size_t, size_t, qt_loop_f, void*);
    typedef void (*reduction)(size_t, size_t, size_t, void*, qt_loopr_f, void*, qt_accum_f);
    static const loop each[] = {qt_loop,    qt_loop_simple,  qt_loop_sv,
                                qt_loop_dc, qt_loop_aligned, qt_loop_sinc};
    static const loop balanced[] = {qt_loop_balance,         qt_loop_balance_simple,
                                    qt_loop_balance_sv,      qt_loop_balance_dc,
                                    qt_loop_balance_aligned, qt_loop_balance_sinc};
    static const reduction reductions[] = {qt_loopaccum_balance, qt_loopaccum_balance_sv,
                                           qt_loopaccum_balance_dc, qt_loopaccum_balance_sinc};
    uint64_t total;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; ++i) {
        total = 0;
        each[i](10, 110, one, &total);
        balanced[i](0, 1000, count, &total);
        balanced[i](3, 3, count, &total);
        CHECK(total == 1100);
    }
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; ++i) {
        total = 0;
        reductions[i](0, 1000, sizeof total, &total, sum_up, NULL, add);
        CHECK(total == 499500);
    }
}

/* What a qthread has of its own is also each iteration's own where the caller runs it. */
static qthread_key_t key;
static uint64_t begun, ended;
static qt_barrier_t* barrier_of_caller;
static void value_ends(void* value)
{
    CHECK(value == &begun);
    __sync_fetch_and_add(&ended, 1);
}
static void sets_its_own(size_t from, size_t to, void* unused)
{
    (void)from, (void)to, (void)unused;
    CHECK(qthread_getspecific(key) == NULL && qt_get_barrier() == NULL && qthread_retloc() == NULL);
    CHECK(qthread_setspecific(key, &begun) == 0);
    qt_set_barrier((qt_barrier_t*)&begun);
    __sync_fetch_and_add(&begun, 1);
}
static uint64_t loops_with_its_own(void* result)
{
    CHECK(qthread_setspecific(key, result) == 0);
    qt_set_barrier(barrier_of_caller);
    qt_loop(0, 20, sets_its_own, NULL);
    CHECK(qthread_getspecific(key) == result && qthread_retloc() == result);
    CHECK(qt_get_barrier() == barrier_of_caller);
    CHECK(qthread_setspecific(key, NULL) == 0);
    return 1;
}
static void own_values(void)
{
    uint64_t r = 0;
    begun = ended = 0;
    barrier_of_caller = qt_barrier_create(1, REGION_BARRIER);
    CHECK(qthread_key_create(&key, value_ends) == 0);
    CHECK(qthread_fork(loops_with_its_own, &r, &r) == 0);
    CHECK(qthread_readFF(&r, &r) == 0 && r == 1 && begun == 20);
    while (__sync_fetch_and_add(&ended, 0) != 20) {
        qthread_yield(); /* the loop does not wait for the destructors */
    }
    CHECK(qthread_key_delete(key) == 0);
    qt_barrier_destroy(barrier_of_caller);
}

static qthread_queue_t line;
static uint64_t passed;
static uint64_t queues_up(void* unused)
{
    (void)unused;
    CHECK(qthread_queue_join(line) == 0);
    return __sync_add_and_fetch(&passed, 1);
}
static void await_length(uint64_t n)
{
    while (qthread_queue_length(line) != n) {
        qthread_yield();
    }
}
static void in_line(void)
{
    uint64_t r[10];
    line = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 10);
    passed = 0;
    for (uint64_t i = 0; i < 10; ++i) {
        CHECK(qthread_fork(queues_up, NULL, &r[i]) == 0);
        await_length(i + 1);
    }
    CHECK(passed == 0 && qthread_queue_release_one(line) == 0 && qthread_queue_length(line) == 9);
    CHECK(qthread_readFF(NULL, &r[0]) == 0 && r[0] == 1 && passed == 1); /* the first, alone */
    CHECK(qthread_queue_release_all(line) == 0 && qthread_queue_length(line) == 0);
    for (int i = 1; i < 10; ++i) {
        qthread_readFF(NULL, &r[i]);
    }
    CHECK(passed == 10 && qthread_queue_destroy(line) == 0);
}

static void together(void)
{
    uint64_t zero = 0;
    uint64_t total = 0;
    uint64_t n = 3;
    qt_sinc_t s;
    qt_sinc_init(&s, sizeof zero, &zero, add, 20);
    for (int i = 0; i < 20; ++i) {
        CHECK(qthread_spawn(twice, &n, 0, &s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC) == 0);
    }
    qt_sinc_wait(&s, &total);
    qt_sinc_fini(&s);
    CHECK(total == 120);
    uint64_t done = 0;
    uint64_t r;
    CHECK(qthread_spawn(founder, &done, 0, &r, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM) ==
          0);
    CHECK(qthread_readFF(&r, &r) == 0 && r == 7 && done == 10); /* the whole team has ended */
    total = 0;
    qt_loop_dc(10, 110, count, &total);
    qt_loop_balance_sv(0, 1000, count, &total);
    CHECK(total == 1100);
    loops();
    enum { many = 50000 };
    double* const a = malloc(2 * many * sizeof(double));
    for (int i = 0; i < many; ++i) {
        a[i] = a[many + i] = (double)((i * 7919L) % many);
    }
    qutil_mergesort(a, many);
    qt_qsort(a + many, many);
    for (int i = 0; i < many; ++i) {
        CHECK(a[i] == i && a[many + i] == i);
    }
    free(a);
    int64_t numbers[] = {3, -5, 12, 7};
    CHECK(qt_int_max(numbers, 4, 0) == 12);
}

/* Nobody could go on without a thread that ends in an iteration, so the program ends, also when the
 * caller runs that iteration: others use what lies on its stack. */
static void aborted(int signal)
{
    (void)signal;
    _exit(0);
}
static void left(void)
{
    _exit(1);
}
static void ends_thread(size_t from, size_t to, void* unused)
{
    (void)from, (void)to, (void)unused;
    pthread_exit(NULL);
}

int main(int argc, char** argv)
{
    CHECK(qthread_initialize() == 0);
    if (argc > 1 && strcmp(argv[1], "thread_end") == 0) {
        signal(SIGABRT, aborted);
        CHECK(atexit(left) == 0);
        qt_loop(0, 1, ends_thread, NULL);
        return 1;
    }
    for (int round = 0; round < 3; ++round) {
        together();
        in_line();
        own_values();
        qthread_finalize();
        CHECK(qthread_initialize() == 0);
    }
    puts("good");
    return 0;
}
