/* Forks with copies and preconditions, teams, what a qthread knows of itself, reductions and sorts,
   queues, and loops in chunks. */
#include "check.h"

#include <qthread/cacheline.h>
#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qloop.h>
#include <qthread/qpool.h>
#include <qthread/qthread.h>
#include <qthread/qutil.h>
#include <string.h>

static aligned_t doubles(void* n)
{
    return 2 * *(aligned_t*)n;
}
static aligned_t is_numbered(void* unused)
{
    (void)unused;
    qthread_shepherd_id_t shepherd = NO_SHEPHERD;
    const qthread_worker_id_t w = qthread_worker(&shepherd);
    CHECK(w < qthread_readstate(TOTAL_WORKERS) && shepherd == qthread_shep());
    qthread_flushsc();
    return qthread_id();
}
static aligned_t keeps_data(void* unused)
{
    (void)unused;
    CHECK(qthread_size_tasklocal() >= sizeof(void*));
    char* const data = qthread_get_tasklocal(100);
    CHECK(data != NULL && data[0] == 0 && data[99] == 0 && qthread_size_tasklocal() >= 100);
    memset(data, 'x', 100);
    qthread_yield();
    const char* const grown = qthread_get_tasklocal(5000);
    CHECK(grown[99] == 'x' && grown[4999] == 0 && qthread_size_tasklocal() >= 5000);
    CHECK(qthread_get_tasklocal(10) == grown);
    return 0;
}

static void forks(void)
{
    aligned_t n = 8, r = 0, other = 0, first = 1, second = 2;
    syncvar_t v = SYNCVAR_STATIC_INITIALIZER;
    CHECK(qthread_fork_copyargs(doubles, &n, sizeof n, &r) == QTHREAD_SUCCESS);
    n = 1;
    CHECK(qthread_readFF(&r, &r) == QTHREAD_SUCCESS && r == 16);
    n = 9;
    CHECK(qthread_fork_syncvar_copyargs(doubles, &n, sizeof n, &v) == QTHREAD_SUCCESS);
    n = 1;
    CHECK(qthread_syncvar_readFF(&r, &v) == QTHREAD_SUCCESS && r == 18);
    n = 3;
    qthread_empty(&first);
    qthread_empty(&second);
    CHECK(qthread_fork_precond_simple(doubles, &n, &r, 2, &first, &second) == QTHREAD_SUCCESS);
    CHECK(qthread_fork_precond_to(doubles, &n, &other, 0, 1, &second) == QTHREAD_SUCCESS);
    for (int i = 0; i < 100; ++i) {
        qthread_yield();
    }
    CHECK(qthread_feb_status(&r) == 0 && qthread_feb_status(&other) == 0);
    qthread_fill(&second);
    CHECK(qthread_readFF(NULL, &other) == QTHREAD_SUCCESS && other == 6);
    CHECK(qthread_feb_status(&r) == 0);
    qthread_fill(&first);
    CHECK(qthread_readFF(NULL, &r) == QTHREAD_SUCCESS && r == 6);
    CHECK(qthread_fork(is_numbered, NULL, &r) == QTHREAD_SUCCESS);
    CHECK(qthread_fork(is_numbered, NULL, &other) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &r);
    qthread_readFF(NULL, &other);
    CHECK(r != other && r != QTHREAD_NON_TASK_ID && r != QTHREAD_NULL_TASK_ID);
    CHECK(qthread_fork(keeps_data, NULL, &r) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &r);
    CHECK(qthread_cacheline() >= 16);
}

/* A team has its own number, a subteam knows the one above. */
static aligned_t in_subteam(void* above)
{
    CHECK(qt_team_parent_id() == *(unsigned*)above && qt_team_id() != *(unsigned*)above);
    return 1;
}
static aligned_t in_team(void* unused)
{
    (void)unused;
    unsigned me = qt_team_id();
    aligned_t r;
    CHECK(me != QTHREAD_DEFAULT_TEAM_ID && me != QTHREAD_NON_TEAM_ID);
    CHECK(qt_team_parent_id() == QTHREAD_NON_TEAM_ID);
    CHECK(qthread_fork_new_subteam(in_subteam, &me, &r) == QTHREAD_SUCCESS);
    qthread_readFF(&r, &r);
    return me + r;
}
static void teams(void)
{
    aligned_t r;
    CHECK(qt_team_id() == QTHREAD_DEFAULT_TEAM_ID);
    CHECK(qthread_fork_new_team(in_team, NULL, &r) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&r, &r) == QTHREAD_SUCCESS && r > 2);
}

/* With one element to none and many, and elements that are still empty. */
static aligned_t fills_later(void* at)
{
    for (int i = 0; i < 50; ++i) {
        qthread_yield();
    }
    return (aligned_t)qthread_fill(at);
}
static void reductions(void)
{
    enum { many = 1000 };
    static double d[many];
    static saligned_t s[many];
    static aligned_t u[many];
    for (int length = 1; length <= many; length = length < 4 ? length + 1 : length * 6) {
        double dsum = 0, dproduct = 1;
        saligned_t ssum = 0, sproduct = 1;
        aligned_t usum = 0, uproduct = 1;
        for (int i = 0; i < length; ++i) {
            s[i] = (i % 2 == 0 ? 1 : -1) * (i % 5 + 1);
            u[i] = (aligned_t)(i % 3 + 1);
            d[i] = i % 4 == 3 ? 0.5 : i % 4 == 2 ? -2 : 1;
            dsum += d[i], dproduct *= d[i];
            ssum += s[i], sproduct = (saligned_t)((aligned_t)sproduct * (aligned_t)s[i]);
            usum += u[i], uproduct *= u[i];
        }
        const size_t n = (size_t)length;
        qthread_empty(&u[length - 1]);
        CHECK(qthread_fork(fills_later, &u[length - 1], NULL) == QTHREAD_SUCCESS);
        CHECK(qt_uint_sum(u, n, 1) == usum && qutil_uint_sum(u, n, 0) == usum);
        CHECK(qt_uint_prod(u, n, 0) == uproduct && qutil_uint_mult(u, n, 0) == uproduct);
        CHECK(qt_uint_max(u, n, 0) == (aligned_t)(length < 3 ? length : 3));
        CHECK(qutil_uint_max(u, n, 0) == qt_uint_max(u, n, 0));
        CHECK(qt_uint_min(u, n, 0) == 1 && qutil_uint_min(u, n, 1) == 1);
        CHECK(qt_int_sum(s, n, 0) == ssum && qutil_int_sum(s, n, 1) == ssum);
        CHECK(qt_int_prod(s, n, 0) == sproduct && qutil_int_mult(s, n, 0) == sproduct);
        CHECK(qutil_int_max(s, n, 0) == qt_int_max(s, n, 0));
        CHECK(qt_int_min(s, n, 0) == qutil_int_min(s, n, 0));
        CHECK(qt_int_min(s, n, 0) == (length == 1 ? 1 : length < 4 ? -2 : length < 6 ? -4 : -5));
        CHECK(qt_double_sum(d, n, 0) == dsum && qutil_double_sum(d, n, 0) == dsum);
        CHECK(qt_double_prod(d, n, 0) == dproduct && qutil_double_mult(d, n, 1) == dproduct);
        CHECK(qt_double_max(d, n, 0) == 1 && qutil_double_max(d, n, 0) == 1);
        CHECK(qt_double_min(d, n, 0) == (length < 3 ? 1 : -2));
        CHECK(qutil_double_min(d, n, 0) == qt_double_min(d, n, 0));
    }
    for (size_t length = 0; length <= many; length += length < 3 ? 1 : 331) {
        for (size_t i = 0; i < length; ++i) {
            u[i] = (i * 7919 + 13) % many;
            d[i] = (double)u[i];
        }
        qutil_qsort(d, length);
        qutil_aligned_qsort(u, length);
        for (size_t i = 1; i < length; ++i) {
            CHECK(d[i - 1] <= d[i] && u[i - 1] <= u[i]);
        }
    }
}

static void queues(void)
{
    qlfqueue_t* const q = qlfqueue_create();
    qdqueue_t* const d = qdqueue_create();
    static char items[100];
    CHECK(qlfqueue_empty(q) && qlfqueue_dequeue(q) == NULL && qdqueue_empty(d));
    for (int i = 0; i < 100; ++i) {
        CHECK(qlfqueue_enqueue(q, &items[i]) == QTHREAD_SUCCESS);
        CHECK(qdqueue_enqueue(d, &items[i]) == QTHREAD_SUCCESS);
    }
    CHECK(!qlfqueue_empty(q) && !qdqueue_empty(d));
    for (int i = 0; i < 100; ++i) {
        CHECK(qlfqueue_dequeue(q) == &items[i]);
        CHECK(qdqueue_dequeue(d) != NULL);
    }
    CHECK(qlfqueue_empty(q) && qlfqueue_dequeue(q) == NULL && qdqueue_dequeue(d) == NULL);
    CHECK(qlfqueue_destroy(q) == QTHREAD_SUCCESS && qdqueue_destroy(d) == QTHREAD_SUCCESS);
    qpool* const p = qpool_create(24);
    void* taken[50];
    for (int i = 0; i < 50; ++i) {
        taken[i] = qpool_alloc(p);
        CHECK(taken[i] != NULL);
        memset(taken[i], i, 24);
    }
    for (int i = 0; i < 50; ++i) {
        CHECK(((char*)taken[i])[23] == i);
        qpool_free(p, taken[i]);
    }
    qpool_destroy(p);
}

/* Chunks as large as can be said. */
static aligned_t iterations;
static void counts(const size_t from, const size_t to, void* unused)
{
    (void)unused;
    CHECK(from < to);
    qthread_incr(&iterations, to - from);
}
static void chunks(void)
{
    CHECK(qt_loop_queue_create(CHUNK, 3, 100, 1, NULL, NULL) == NULL);
    qt_loop_queue_run(NULL);
    qt_loop_queue_run_there(NULL, 0);
    qqloop_handle_t* l = qt_loop_queue_create(CHUNK, 3, 100, 1, counts, NULL);
    qt_loop_queue_run_there(l, qthread_num_shepherds()); /* does nothing */
    qt_loop_queue_setchunk(l, SIZE_MAX);
    qt_loop_queue_run(l);
    CHECK(iterations == 97);
    iterations = 0;
    qt_loop(5, 5, counts, NULL);
    qt_loop_balance(5, 5, counts, NULL);
    CHECK(iterations == 0);
    qt_loop(5, 6, counts, NULL);
    qt_loop_balance(5, 6, counts, NULL);
    CHECK(iterations == 2);
    iterations = 0;
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    forks();
    teams();
    reductions();
    queues();
    chunks();
    puts("good");
    return 0;
}
