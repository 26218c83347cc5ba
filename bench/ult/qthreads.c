/* What the operations of the Qthreads interface cost with the libqthread.so.1 that the program
 * finds, with two shepherds of a worker each. Prints a line for each: name, median and minimum over
 * rounds, in nanoseconds for each operation. With a word as argument: the cases with names that
 * have it; with a number instead: what so many qthreads cost that have begun and wait, and that
 * have not begun. */
#include "cases.h"

#include <qthread/qloop.h>
#include <qthread/qthread.h>

static aligned_t ball[2];
static aligned_t word;

static aligned_t nothing(void* argument)
{
    (void)argument;
    return 0;
}

static aligned_t yields(void* argument)
{
    for (long i = 0; i < (long)argument; ++i) {
        qthread_yield();
    }
    return 0;
}

static void fork_and_join(void)
{
    static aligned_t ended[256];
    for (int i = 0; i < operations; i += 256) {
        for (int k = 0; k < 256; ++k) {
            qthread_fork_to(nothing, NULL, &ended[k], 0);
        }
        for (int k = 0; k < 256; ++k) {
            qthread_readFF(NULL, &ended[k]);
        }
    }
}

static void fork_and_join_one_by_one(void)
{
    aligned_t ended;
    for (int i = 0; i < operations; ++i) {
        qthread_fork_to(nothing, NULL, &ended, 0);
        qthread_readFF(NULL, &ended);
    }
}

static void yield(void)
{
    aligned_t ended[2];
    for (int k = 0; k < 2; ++k) {
        qthread_fork_to(yields, (void*)(long)(operations / 2), &ended[k], 0);
    }
    for (int k = 0; k < 2; ++k) {
        qthread_readFF(NULL, &ended[k]);
    }
}

static void pairs(void)
{
    qthread_empty(&word);
    for (int i = 0; i < operations; ++i) {
        qthread_writeEF_const(&word, 1);
        qthread_readFE(NULL, &word);
    }
    qthread_fill(&word);
}

static aligned_t plays(void* argument)
{
    const int side = (int)(long)argument;
    for (int i = 0; i < operations / 2; ++i) {
        if (side == 0) {
            qthread_writeEF_const(&ball[0], 1);
            qthread_readFE(NULL, &ball[1]);
        } else {
            qthread_readFE(NULL, &ball[0]);
            qthread_writeEF_const(&ball[1], 1);
        }
    }
    return 0;
}

static void ping_pong(qthread_shepherd_id_t other)
{
    aligned_t ended[2];
    qthread_empty(&ball[0]);
    qthread_empty(&ball[1]);
    qthread_fork_to(plays, (void*)0, &ended[0], 0);
    qthread_fork_to(plays, (void*)1, &ended[1], other);
    for (int k = 0; k < 2; ++k) {
        qthread_readFF(NULL, &ended[k]);
    }
}
static void ping_pong_here(void)
{
    ping_pong(0);
}
static void ping_pong_there(void)
{
    ping_pong(1);
}

static void empty_body(size_t from, size_t to, void* argument)
{
    (void)from;
    (void)to;
    (void)argument;
}
static void loops(void)
{
    for (int i = 0; i < operations; ++i) {
        qt_loop_balance(0, 2, empty_body, NULL);
    }
}

static long begun;

static aligned_t waits(void* argument)
{
    (void)argument;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    qthread_readFF(NULL, &word);
    return 0;
}

static aligned_t measure_many(void* argument)
{
    aligned_t* const ended = calloc((size_t)many, sizeof *ended);
    const double empty = memory();
    (void)argument;
    qthread_empty(&word);
    double start = now();
    for (long k = 0; k < many; ++k) {
        qthread_fork_to(waits, NULL, &ended[k], 0);
    }
    printf("not begun, bytes each\t%.0f\n", (memory() - empty) / (double)many);
    while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < many) {
        qthread_yield();
    }
    printf("create and block\t%.1f\n", (now() - start) / (double)many);
    printf("blocked, bytes each\t%.0f\n", (memory() - empty) / (double)many);
    start = now();
    qthread_fill(&word);
    for (long k = 0; k < many; ++k) {
        qthread_readFF(NULL, &ended[k]);
    }
    printf("wake and join\t%.1f\n", (now() - start) / (double)many);
    free(ended);
    return 0;
}

static const struct ult_case cases[] = {
    {"fork+join", fork_and_join, 0, 0},
    {"fork+join one by one", fork_and_join_one_by_one, 0, 0},
    {"yield", yield, 0, 0},
    {"full/empty pair", pairs, 0, 0},
    {"full/empty ping-pong, one shepherd", ping_pong_here, 0, 0},
    {"full/empty ping-pong, two shepherds", ping_pong_there, 0, 0},
    {"qt_loop_balance of two", loops, 0, 0},
};

/* On a qthread, as programs do it. */
static aligned_t measure(void* argument)
{
    (void)argument;
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        run_case(&cases[c]);
    }
    return 0;
}

int main(int argc, char** argv)
{
    aligned_t ended;
    read_arguments(argc, argv);
    setenv("QT_NUM_SHEPHERDS", "2", 1);
    setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
    if (qthread_initialize() != 0) {
        return 1;
    }
    qthread_fork_to(many > 0 ? measure_many : measure, NULL, &ended, 0);
    qthread_readFF(NULL, &ended);
    qthread_finalize();
    return 0;
}
