/* Functions of the Qthreads interface, most of them such as few programs call, by what they do.
 * With "deadlock": ends in that way. */
#include "check.h"

#include <qthread/qloop.h>
#include <qthread/qt_syscalls.h>
#include <qthread/qutil.h>
#include <qthread/sinc.h>
#include <unistd.h>

typedef qthread_f function;
typedef syncvar_t syncvar;
typedef qthread_spinlock_t spinlock;
typedef qt_sinc_t sinc;
enum {
    no_shepherd = NO_SHEPHERD,
    new_subteam = QTHREAD_SPAWN_NEW_SUBTEAM,
    returns_sinc = QTHREAD_SPAWN_RET_SINC,
    awaits_syncvars = QTHREAD_SPAWN_PC_SYNCVAR_T
};

static uint64_t twice(void* n)
{
    return 2 * *(uint64_t*)n;
}
static uint64_t where(void* unused)
{
    (void)unused;
    return qthread_shep();
}

static void forks(void)
{
    uint64_t n = 21;
    uint64_t r = 0;
    syncvar v = {0};
    CHECK(qthread_fork_net(twice, &n, &r) == 0 && qthread_readFF(&r, &r) == 0 && r == 42);
    CHECK(qthread_fork_syncvar(twice, &n, &v) == 0 && qthread_syncvar_readFF(&r, &v) == 0 &&
          r == 42);
    n = 5;
    const uint16_t last = (uint16_t)(qthread_num_shepherds() - 1);
    /* Into a word, whatever its prototype says. */
    CHECK(qthread_fork_copyargs_to(twice, &n, sizeof n, (void*)&r, last) == 0);
    n = 0; /* copied */
    CHECK(qthread_readFE(&n, &r) == 0 && n == 10 && qthread_feb_status(&r) == 0);
    CHECK(qthread_fork_syncvar_to(where, NULL, &v, last) == 0 &&
          qthread_syncvar_readFF(&r, &v) == 0 && r == last);
    n = 6;
    CHECK(qthread_fork_syncvar_copyargs_simple(twice, &n, sizeof n, &v) == 0 &&
          qthread_syncvar_readFF(&r, &v) == 0 && r == 12);
    for (uint16_t i = 0; i <= last; ++i) {
        CHECK(qthread_fork_to(where, NULL, &r, i) == 0 && qthread_readFF(&r, &r) == 0 && r == i);
    }
}

static void preconditions(void)
{
    uint64_t a;
    uint64_t b;
    uint64_t n = 4;
    uint64_t r;
    syncvar v = SYNCVAR_STATIC_INITIALIZER;
    syncvar w = {0};
    qthread_empty(&a);
    qthread_empty(&b);
    CHECK(qthread_fork_precond(twice, &n, &r, 2, &a, &b) == 0);
    qthread_fill(&b);
    for (int i = 0; i < 100; ++i) {
        qthread_yield_(0);
    }
    CHECK(qthread_feb_status(&r) == 0);
    n = 8;
    qthread_fill(&a);
    CHECK(qthread_readFF(&r, &r) == 0 && r == 16);
    uint64_t several[3];
    uint64_t* array[3] = {&several[0], &several[1], &several[2]};
    for (int i = 0; i < 3; ++i) {
        qthread_empty(array[i]);
    }
    n = 4;
    CHECK(qthread_fork_precond(twice, &n, &r, -3, array) == 0);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 100; ++k) {
            qthread_yield_(0);
        }
        CHECK(qthread_feb_status(&r) == 0);
        n += 4;
        qthread_fill(array[i]);
    }
    CHECK(qthread_readFF(&r, &r) == 0 && r == 32);
    n = 8;
    qthread_empty(&a);
    CHECK(qthread_fork_copyargs_precond(twice, &n, sizeof n, &v, 1, &a) == 0);
    n = 0;
    qthread_fill(&a);
    CHECK(qthread_syncvar_readFF(&r, &v) == 0 && r == 16);
    n = 1;
    qthread_syncvar_empty(&w);
    void* awaited[] = {&w};
    CHECK(qthread_spawn(twice, &n, 0, &r, 1, awaited, no_shepherd, awaits_syncvars) == 0);
    CHECK(qthread_feb_status(&r) == 0);
    qthread_syncvar_writeEF_const(&w, 1);
    CHECK(qthread_readFF(&r, &r) == 0 && r == 2);
    /* As the stock library calls itself: the number first. */
    void* counted[] = {(void*)2, &a, &b};
    qthread_empty(&a);
    qthread_empty(&b);
    CHECK(qthread_spawn(twice, &n, 0, &r, 2, counted, no_shepherd, 0) == 0);
    qthread_fill(&a);
    for (int i = 0; i < 100; ++i) {
        qthread_yield_(0);
    }
    CHECK(qthread_feb_status(&r) == 0);
    n = 3;
    qthread_fill(&b);
    CHECK(qthread_readFF(&r, &r) == 0 && r == 6);
}

static void words(void)
{
    uint64_t w = 1;
    uint64_t r = 0;
    CHECK(qthread_writeEF_const_nb(&w, 2) != 0);
    CHECK(qthread_purge_to_const(&w, 9) == 0 && w == 9 && qthread_feb_status(&w) == 0);
    CHECK(qthread_readFE_nb(&r, &w) != 0);
    CHECK(qthread_writeEF_const(&w, 3) == 0 && qthread_writeFF_const(&w, 4) == 0);
    CHECK(qthread_readFE(&r, &w) == 0 && r == 4);
    qthread_fill(&w);
    CHECK(qthread_lock(&w) == 0 && qthread_trylock(&w) != 0 && qthread_unlock(&w) == 0 &&
          qthread_trylock(&w) == 0);
    qthread_unlock(&w);
    syncvar v = {0};
    const uint64_t ten = 10;
    CHECK(qthread_syncvar_writeF(&v, &ten) == 0 && qthread_syncvar_incrF(&v, 5) == 15 &&
          v.u.w == 15 << 4);
    qthread_syncvar_empty(&v);
    CHECK(v.u.w == (15 << 4 | 4));
    const uint64_t large = (uint64_t)1 << 60;
    CHECK(qthread_syncvar_writeEF(&v, &large) == EOVERFLOW &&
          qthread_syncvar_writeEF_const(&v, large) == EOVERFLOW &&
          qthread_syncvar_writeEF_nb(&v, &large) == EOVERFLOW &&
          qthread_syncvar_writeF(&v, &large) == EOVERFLOW &&
          qthread_syncvar_writeF_const(&v, large) == EOVERFLOW && v.u.w == (15 << 4 | 4));
    CHECK(qthread_lock_init(&w, 0) == 0 && qthread_lock_init(&w, 1) != 0 &&
          qthread_lock_destroy(&w) == 0 && qthread_lock_destroy(&w) == 0);
    spinlock s;
    qthread_spinlock_init(&s, 1);
    CHECK(qthread_spinlock_lock(&s) == 0 && qthread_spinlock_trylock(&s) == 0);
    CHECK(qthread_spinlock_unlock(&s) == 0 && qthread_spinlock_unlock(&s) == 0);
    qthread_spinlock_init(&s, 0);
    CHECK(qthread_spinlock_lock(&s) == 0 && qthread_spinlock_trylock(&s) != 0 &&
          qthread_spinlock_unlock(&s) == 0 && qthread_spinlock_destroy(&s) == 0);
}

static uint64_t looks_around(void* result)
{
    CHECK(qthread_retloc() == result);
    CHECK(qthread_stackleft() > 4096 && (char*)qthread_tos() < (char*)&result &&
          (char*)qthread_bos() > (char*)&result);
    const uint16_t here = qthread_shep();
    CHECK(qthread_migrate_to(qthread_num_shepherds()) == -1 && qthread_migrate_to(here) == 0 &&
          qthread_migrate_to(no_shepherd) == 0 && qthread_shep() == here);
    uint16_t shepherd = 0;
    const uint16_t local = qthread_worker_local(&shepherd);
    CHECK(shepherd == qthread_shep() && local < qthread_num_workers_local(shepherd));
    CHECK(qthread_worker_unique(NULL) < qthread_num_workers() && qthread_shep_ok());
    return 1;
}

static void places(void)
{
    uint64_t r;
    const uint16_t n = qthread_num_shepherds();
    CHECK(qthread_fork(looks_around, &r, &r) == 0 && qthread_readFF(NULL, &r) == 0);
    char seen[64] = {0};
    for (int i = 0; i < n - 1; ++i) {
        CHECK(qthread_sorted_sheps()[i] != 0 && !seen[qthread_sorted_sheps()[i]]++);
    }
    uint16_t s = 0;
    qthread_shep_prev(&s);
    CHECK(s == n - 1);
    qthread_shep_next(&s);
    qthread_shep_prev_local(&s);
    CHECK(s == n - 1 && qthread_sorted_sheps_remote(n) == NULL);
    for (int i = 0; i < n - 1; ++i) {
        CHECK(qthread_sorted_sheps_remote(s)[i] < n - 1);
    }
    qthread_shep_next_local(&s);
    qthread_reset_target_shep();
    CHECK(s == 0 && qthread_distance(0, 0) == 0 && qthread_distance(0, n) < 0);
    const uint16_t all = qthread_num_workers();
    CHECK(qthread_disable_worker(0) == -3 && qthread_disable_worker(all) == -1);
    /* The first workers of the shepherds come first, and go with them. */
    for (uint16_t i = 1; i < all; ++i) {
        const uint16_t more = i < n ? 1 : 0;
        CHECK(qthread_disable_worker(i) == 0 && qthread_num_workers() < all &&
              qthread_num_shepherds() == n - more);
        qthread_enable_worker(i);
        CHECK(qthread_num_workers() == all && qthread_num_shepherds() == n);
    }
    CHECK(qthread_disable_shepherd(0) == -3 && qthread_disable_shepherd(n) == -1);
    CHECK(qthread_migrate_to(0) == -3); /* the program's own thread stays */
    CHECK(qthread_readstate(99) == (size_t)-1);
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
    sinc s;
    qt_sinc_init(&s, sizeof zero, &zero, add, 20);
    for (int i = 0; i < 20; ++i) {
        CHECK(qthread_spawn(twice, &n, 0, &s, 0, NULL, no_shepherd, returns_sinc) == 0);
    }
    qt_sinc_wait(&s, &total);
    qt_sinc_fini(&s);
    CHECK(total == 120);
    uint64_t done = 0;
    uint64_t r;
    CHECK(qthread_spawn(founder, &done, 0, &r, 0, NULL, no_shepherd, new_subteam) == 0);
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

static int ends[2];
static uint64_t reader(void* unused)
{
    (void)unused;
    char c = 0;
    CHECK(qt_read(ends[0], &c, 1) == 1);
    return (uint64_t)c;
}
static uint64_t writer(void* unused)
{
    (void)unused;
    return (uint64_t)qt_write(ends[1], "x", 1);
}

static void blocks(void)
{
    uint64_t r;
    uint64_t w;
    CHECK(pipe(ends) == 0);
    CHECK(qthread_fork_to(reader, NULL, &r, 0) == 0); /* the writer needs the reader's shepherd */
    CHECK(qthread_fork_to(writer, NULL, &w, 0) == 0);
    CHECK(qthread_readFF(&r, &r) == 0 && r == 'x' && qthread_readFF(&w, &w) == 0 && w == 1);
}

static uint64_t for_ever(void* word)
{
    return (uint64_t)qthread_readFF(NULL, word);
}

static uint64_t digs(void* depth)
{
    volatile uint64_t room[8 * 1024];
    room[0] = 1;
    uint64_t left = *(uint64_t*)depth;
    if (left-- == 0) {
        return room[0];
    }
    return digs(&left) + room[0];
}
/* With QT_STACK_SIZE=16777216. */
static void init(void)
{
    CHECK(qthread_init(1) == 0 && qthread_num_shepherds() == 1 && qthread_num_workers() == 1);
    CHECK(qthread_readstate(STACK_SIZE) >= 16777216);
    uint64_t deep = 200; /* of some 64 KiB each */
    uint64_t r;
    CHECK(qthread_fork(digs, &deep, &r) == 0 && qthread_readFF(&r, &r) == 0 && r == 201);
    qthread_finalize();
    CHECK(qthread_init(3) == 0 && qthread_num_shepherds() == 3 && qthread_num_workers() == 3);
    qthread_finalize();
}

int main(int argc, char** argv)
{
    static uint64_t never;
    if (argc > 1 && strcmp(argv[1], "init") == 0) {
        init();
        puts("good");
        return 0;
    }
    CHECK(qthread_initialize() == 0);
    if (argc > 1 && strcmp(argv[1], "deadlock") == 0) {
        qthread_empty(&never);
        CHECK(qthread_fork(for_ever, &never, NULL) == 0);
        for (int i = 0; i < 1000; ++i) {
            qthread_yield_(0);
        }
        return 0;
    }
    for (int round = 0; round < 3; ++round) {
        forks();
        preconditions();
        words();
        places();
        together();
        in_line();
        blocks();
        qthread_finalize();
        CHECK(qthread_initialize() == 0);
    }
    puts("good");
    return 0;
}
