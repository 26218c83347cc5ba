/* Functions of the Qthreads interface, most of them such as few programs call, by what they do.
 * With "deadlock": ends in that way. */
#include "check.h"

#include <qthread/qt_syscalls.h>
#include <qthread/qthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

typedef syncvar_t syncvar;
typedef qthread_spinlock_t spinlock;
enum { no_shepherd = NO_SHEPHERD, awaits_syncvars = QTHREAD_SPAWN_PC_SYNCVAR_T };

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
    /* The one counts from 1, the other from 0. */
    const uint16_t unique = qthread_worker_unique(NULL);
    CHECK(unique >= 1 && unique <= qthread_num_workers() && qthread_shep_ok());
    CHECK(qthread_num_workers_local(no_shepherd) == qthread_num_workers_local(shepherd));
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
        blocks();
        /* All begin enabled the next time: forks() has something run on each shepherd. */
        const uint16_t all = qthread_num_workers();
        for (uint16_t i = 1; i < all; ++i) {
            CHECK(qthread_disable_worker(i) == 0);
        }
        qthread_finalize();
        CHECK(qthread_initialize() == 0);
    }
    puts("good");
    return 0;
}
