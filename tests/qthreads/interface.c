/* Functions of the Qthreads interface, most of them such as few programs call, by what they do.
 * With "missing" or "deadlock": ends in that way. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t (*function)(void*);
typedef struct {
    uint64_t word;
} syncvar;
typedef struct {
    int64_t words[3];
} spinlock;
typedef struct {
    uint64_t words[3];
} sinc;
enum {
    no_shepherd = 0xffff,
    new_subteam = 1 << 3,
    returns_syncvar = 1 << 4,
    returns_sinc = 1 << 5,
    awaits_syncvars = 1 << 7
};

int qthread_initialize(void);
void qthread_finalize(void);
int qthread_fork(function, const void*, uint64_t*);
int qthread_fork_to(function, const void*, uint64_t*, uint16_t);
int qthread_fork_net(function, const void*, uint64_t*);
int qthread_fork_precond(function, const void*, uint64_t*, int, ...);
int qthread_fork_syncvar(function, const void*, syncvar*);
int qthread_fork_syncvar_to(function, const void*, syncvar*, uint16_t);
int qthread_fork_copyargs_to(function, const void*, size_t, syncvar*, uint16_t);
int qthread_fork_copyargs_precond(function, const void*, size_t, syncvar*, int, ...);
int qthread_fork_syncvar_copyargs_simple(function, const void*, size_t, syncvar*);
int qthread_spawn(function, const void*, size_t, void*, size_t, void*, uint16_t, unsigned);
int qthread_readFF(uint64_t*, const uint64_t*);
int qthread_readFE(uint64_t*, const uint64_t*);
int qthread_readFE_nb(uint64_t*, const uint64_t*);
int qthread_writeEF_const(uint64_t*, uint64_t);
int qthread_writeEF_const_nb(uint64_t*, uint64_t);
int qthread_writeFF_const(uint64_t*, uint64_t);
int qthread_empty(const uint64_t*);
int qthread_fill(const uint64_t*);
int qthread_purge_to_const(uint64_t*, uint64_t);
int qthread_feb_status(const uint64_t*);
int qthread_lock(const uint64_t*);
int qthread_trylock(const uint64_t*);
int qthread_unlock(const uint64_t*);
int qthread_syncvar_readFF(uint64_t*, syncvar*);
int qthread_syncvar_readFE(uint64_t*, syncvar*);
int qthread_syncvar_writeEF_const(syncvar*, uint64_t);
int qthread_syncvar_writeF(syncvar*, const uint64_t*);
uint64_t qthread_syncvar_incrF(syncvar*, uint64_t);
int qthread_syncvar_status(syncvar*);
int qthread_syncvar_empty(syncvar*);
int qthread_spinlock_init(spinlock*, _Bool);
int qthread_spinlock_lock(spinlock*);
int qthread_spinlock_trylock(spinlock*);
int qthread_spinlock_unlock(spinlock*);
uint16_t qthread_shep(void);
uint16_t qthread_num_shepherds(void);
uint16_t qthread_num_workers(void);
uint16_t qthread_num_workers_local(uint16_t);
uint16_t qthread_worker_local(uint16_t*);
uint16_t qthread_worker_unique(uint16_t*);
const uint16_t* qthread_sorted_sheps(void);
void qthread_shep_next(uint16_t*);
void qthread_shep_prev(uint16_t*);
int qthread_distance(uint16_t, uint16_t);
int qthread_disable_worker(uint16_t);
void qthread_enable_worker(uint16_t);
int qthread_shep_ok(void);
uint64_t* qthread_retloc(void);
size_t qthread_stackleft(void);
void* qthread_tos(void);
void* qthread_bos(void);
void qthread_yield_(int);
void qt_sinc_init(sinc*, size_t, const void*, void (*)(void*, const void*), size_t);
void qt_sinc_wait(sinc*, void*);
void qt_sinc_fini(sinc*);
void qt_loop_dc(size_t, size_t, void (*)(size_t, size_t, void*), void*);
void qt_loop_balance_sv(size_t, size_t, void (*)(size_t, size_t, void*), void*);
void qt_loopaccum_balance_sinc(size_t, size_t, size_t, void*,
                               void (*)(size_t, size_t, void*, void*), void*,
                               void (*)(void*, const void*));
void qutil_mergesort(double*, size_t);
void qt_qsort(double*, size_t);
int64_t qt_int_max(int64_t*, size_t, int);
ssize_t qt_read(int, void*, size_t);
ssize_t qt_write(int, const void*, size_t);
void qalloc_cleanup(void);
int pipe(int[2]);

#define CHECK(condition)   \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

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
    CHECK(qthread_fork_copyargs_to(twice, &n, sizeof n, &v, last) == 0);
    n = 0; /* copied */
    CHECK(qthread_syncvar_readFE(&r, &v) == 0 && r == 10 && qthread_syncvar_status(&v) == 0);
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
    syncvar v;
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
          v.word == 15 << 4);
    qthread_syncvar_empty(&v);
    CHECK(v.word == (15 << 4 | 4));
    spinlock s;
    qthread_spinlock_init(&s, 1);
    CHECK(qthread_spinlock_lock(&s) == 0 && qthread_spinlock_trylock(&s) == 0);
    CHECK(qthread_spinlock_unlock(&s) == 0 && qthread_spinlock_unlock(&s) == 0);
    qthread_spinlock_init(&s, 0);
    CHECK(qthread_spinlock_lock(&s) == 0 && qthread_spinlock_trylock(&s) != 0 &&
          qthread_spinlock_unlock(&s) == 0);
}

static uint64_t looks_around(void* result)
{
    CHECK(qthread_retloc() == result);
    CHECK(qthread_stackleft() > 4096 && (char*)qthread_tos() > (char*)&result &&
          (char*)qthread_bos() < (char*)&result);
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
    CHECK(s == 0 && qthread_distance(0, 0) == 0 && qthread_distance(0, n) < 0);
    const uint16_t all = qthread_num_workers();
    CHECK(qthread_disable_worker(0) != 0 && qthread_disable_worker(1) == 0 &&
          qthread_num_workers() == all - 1);
    qthread_enable_worker(1);
    CHECK(qthread_num_workers() == all);
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
    qt_loopaccum_balance_sinc(0, 1000, sizeof total, &total, sum_up, NULL, add);
    CHECK(total == 499500);
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

int main(int argc, char** argv)
{
    static uint64_t never;
    CHECK(qthread_initialize() == 0);
    if (argc > 1 && strcmp(argv[1], "missing") == 0) {
        qalloc_cleanup();
    }
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
        blocks();
        qthread_finalize();
        CHECK(qthread_initialize() == 0);
    }
    puts("good");
    return 0;
}
