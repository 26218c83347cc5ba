/* Queued loops, barriers, sincs, hashes, timers, and questions about who waits. */
#include "check.h"

#include <qthread/barrier.h>
#include <qthread/hash.h>
#include <qthread/qloop.h>
#include <qthread/qtimer.h>
#include <qthread/sinc.h>
#include <unistd.h>

static qqloop_handle_t* running;
static aligned_t iterations;
static aligned_t elsewhere;
static void count_up(const size_t from, const size_t to, void* unused)
{
    (void)unused;
    if (from == 0) {
        qt_loop_queue_addworker(running, (qthread_shepherd_id_t)(qthread_num_shepherds() - 1));
    }
    qthread_incr(&elsewhere, qthread_shep() != qthread_num_shepherds() - 1);
    qthread_incr(&iterations, to - from);
}
static void queued_loops(void)
{
    const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
    for (qt_loop_queue_type t = CHUNK; t <= TIMED; ++t) {
        iterations = 0;
        running = qt_loop_queue_create(t, 0, 10007, 1, count_up, NULL);
        qt_loop_queue_run(running);
        CHECK(iterations == 10007);
        iterations = elsewhere = 0;
        running = qt_loop_queue_create(t, 0, 10007, 1, count_up, NULL);
        qt_loop_queue_setchunk(running, 100);
        qt_loop_queue_run_there(running, last);
        CHECK(iterations == 10007 && elsewhere == 0);
    }
}

static aligned_t word;
static syncvar_t variable = SYNCVAR_STATIC_EMPTY_INITIALIZER;
static aligned_t waits_for_word(void* unused)
{
    (void)unused;
    return (aligned_t)qthread_readFF(NULL, &word);
}
static aligned_t waits_for_variable(void* unused)
{
    (void)unused;
    return (aligned_t)qthread_syncvar_readFF(NULL, &variable);
}
static aligned_t is_not_run(void* unused)
{
    (void)unused;
    return qthread_feb_status(&word) == 1 ? 5 : 0;
}
typedef struct {
    void* at;
    qthread_f f;
    void* result;
    int found;
    int others;
} wanted;
static void look(void* at, qthread_f f, void* arg, void* result, unsigned id, void* tls, void* of)
{
    (void)arg;
    (void)tls;
    wanted* const w = of;
    const int right = at == w->at && f == w->f && result == w->result && id > 1;
    *(right ? &w->found : &w->others) += 1;
}
static void wait_until_found(void (*ask)(qt_feb_callback_f, void*), wanted w)
{
    for (w.found = 0; w.found == 0;) {
        w.others = 0;
        ask(look, &w);
        qthread_yield();
    }
    CHECK(w.found == 1);
}
static void waiters(void)
{
    aligned_t r[3];
    qthread_empty(&word);
    CHECK(qthread_fork(waits_for_word, NULL, &r[0]) == QTHREAD_SUCCESS);
    wait_until_found(qthread_feb_callback, (wanted){&word, waits_for_word, &r[0], 0, 0});
    CHECK(qthread_fork_precond(is_not_run, NULL, &r[1], 1, &word) == QTHREAD_SUCCESS);
    wait_until_found(qthread_feb_callback, (wanted){&word, is_not_run, &r[1], 0, 0});
    CHECK(qthread_fork(waits_for_variable, NULL, &r[2]) == QTHREAD_SUCCESS);
    wait_until_found(qthread_syncvar_callback,
                     (wanted){&variable, waits_for_variable, &r[2], 0, 0});
    wanted w = {&variable, waits_for_variable, &r[2], 0, 0};
    qthread_feb_callback(look, &w);
    CHECK(w.found == 0 && w.others == 2);
    qthread_fill(&word);
    qthread_syncvar_fill(&variable);
    for (int i = 0; i < 3; ++i) {
        qthread_readFF(NULL, &r[i]);
        CHECK(r[i] == (i == 1 ? 5 : 0));
    }
    qthread_feb_callback(look, &w);
    CHECK(w.found == 0 && w.others == 2);
}

static aligned_t three(void* unused)
{
    (void)unused;
    return 3;
}
static void add(void* into, const void* more)
{
    *(aligned_t*)into += *(const aligned_t*)more;
}
static aligned_t inside;
static aligned_t meets(void* b)
{
    CHECK(qt_get_barrier() == NULL); /* of each qthread its own */
    qt_set_barrier(b);
    CHECK(qt_get_barrier() == b);
    for (aligned_t round = 1; round <= 20; ++round) {
        qthread_incr(&inside, 1);
        qt_barrier_enter(b);
        CHECK(inside >= 8 * round && inside <= 8 * round + 8);
        qt_barrier_enter_id(b, 0);
    }
    return 0;
}
/* A thread that has left the barrier destroys it while others may still be leaving, and its memory
 * is used for something else. */
static aligned_t enters(void* b)
{
    qt_barrier_enter(b);
    return 0;
}
static void barriers_end(void)
{
    for (int round = 0; round < 300; ++round) {
        aligned_t done[3];
        void* others_memory[8];
        qt_barrier_t* const b = qt_barrier_create(4, REGION_BARRIER);
        for (int i = 0; i < 3; ++i) {
            CHECK(qthread_fork(enters, b, &done[i]) == QTHREAD_SUCCESS);
        }
        qt_barrier_enter(b);
        qt_barrier_destroy(b);
        for (int i = 0; i < 8; ++i) {
            const size_t size = 8 + 8 * (size_t)(i % 4);
            others_memory[i] = memset(malloc(size), 0, size);
        }
        for (int i = 0; i < 3; ++i) {
            qthread_readFF(NULL, &done[i]);
        }
        for (int i = 0; i < 8; ++i) {
            free(others_memory[i]);
        }
    }
}
static void others(void)
{
    aligned_t r = 1;
    syncvar_t v = SYNCVAR_STATIC_EMPTY_INITIALIZER;
    qthread_empty(&r);
    qthread_call_method(three, NULL, &r, 0);
    CHECK(qthread_feb_status(&r) == 1 && r == 3);
    qthread_call_method(three, NULL, &v, 1 << 2);
    CHECK(qthread_syncvar_status(&v) == 1 && v.u.s.data == 3);
    const aligned_t zero = 0;
    qt_sinc_t* const s = qt_sinc_create(sizeof zero, &zero, add, 1);
    qthread_call_method(three, NULL, s, 1 << 3);
    qt_sinc_wait(s, &r);
    CHECK(r == 3);
    qt_sinc_reset(s, 2);
    qt_sinc_expect(s, 1);
    for (int i = 0; i < 3; ++i) {
        qthread_spawn(three, NULL, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
    }
    qt_sinc_wait(s, &r);
    CHECK(r == 9);
    qt_sinc_destroy(s);
    qt_barrier_t* const b = qt_barrier_create(3, REGION_BARRIER);
    qt_barrier_resize(b, 8);
    qt_set_barrier(b);
    CHECK(qt_get_barrier() == b);
    aligned_t done[8];
    inside = 0;
    for (int i = 0; i < 8; ++i) {
        CHECK(qthread_fork(meets, b, &done[i]) == QTHREAD_SUCCESS);
    }
    for (int i = 0; i < 8; ++i) {
        qthread_readFF(NULL, &done[i]);
    }
    CHECK(inside == 160);
    qt_barrier_destroy(b);
    CHECK(qt_hash64(1) != qt_hash64(2) && qt_hash64(1) == qt_hash64(1));
    char text[] = "text";
    CHECK(qt_hash_bytes(text, 4, 0) == qt_hash_bytes(text, 4, 0) &&
          qt_hash_bytes(text, 4, 0) != qt_hash_bytes(text, 3, 0));
    const qtimer_t t = qtimer_create();
    const double before = qtimer_wtime();
    qtimer_start(t);
    usleep(20000);
    qtimer_stop(t);
    CHECK(qtimer_secs(t) >= 0.02 && qtimer_secs(t) <= qtimer_wtime() - before);
    CHECK(qtimer_res() > 0 && qtimer_res() < 0.01 && qtimer_fastrand() != qtimer_fastrand());
    qtimer_destroy(t);
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    queued_loops();
    waiters();
    others();
    barriers_end();
    puts("good");
    return 0;
}
