/* Full/empty words and syncvars: what does not wait, what is written when, and those who wait for a
   word that is purged. Locks: who may unlock them. */
#include "check.h"

#include <qthread/qthread.h>
#include <string.h>

static aligned_t word, source, waiting;

static void look(void* at, qthread_f f, void* arg, void* result, unsigned id, void* tls, void* of)
{
    (void)f, (void)arg, (void)result, (void)id, (void)tls, (void)of;
    waiting += at == &word ? 1 : 0;
}
static void await_waiter(void)
{
    for (waiting = 0; waiting == 0; qthread_feb_callback(look, NULL)) {
        qthread_yield();
    }
}

static aligned_t write_when_empty(void* from)
{
    return (aligned_t)qthread_writeEF(&word, from);
}
static aligned_t write_when_full(void* from)
{
    return (aligned_t)qthread_writeFF(&word, from);
}
static aligned_t take(void* to)
{
    return (aligned_t)qthread_readFE(to, &word);
}

/* The source is read when it is written, and may be the word itself. */
static void sources(void)
{
    aligned_t got = 0, end = 0;
    word = 1;
    source = 5;
    CHECK(qthread_fork(write_when_empty, &source, &end) == QTHREAD_SUCCESS);
    await_waiter();
    source = 9;
    CHECK(qthread_readFE(&got, &word) == QTHREAD_SUCCESS && got == 1);
    CHECK(qthread_readFF(&got, &end) == QTHREAD_SUCCESS && got == QTHREAD_SUCCESS);
    CHECK(word == 9 && qthread_feb_status(&word) == 1);
    qthread_empty(&word);
    CHECK(qthread_fork(write_when_full, &source, &end) == QTHREAD_SUCCESS);
    await_waiter();
    source = 11;
    CHECK(qthread_writeEF_const(&word, 3) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&got, &end) == QTHREAD_SUCCESS && word == 11);
    qthread_empty(&word);
    CHECK(qthread_fork(write_when_full, &word, &end) == QTHREAD_SUCCESS);
    await_waiter();
    CHECK(qthread_writeEF_const(&word, 3) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&got, &end) == QTHREAD_SUCCESS && word == 3);
    CHECK(qthread_readFF(&word, &word) == QTHREAD_SUCCESS && word == 3);
}

static void purges(void)
{
    aligned_t got = 0, end = 0;
    word = 4;
    source = 6;
    CHECK(qthread_fork(write_when_empty, &source, &end) == QTHREAD_SUCCESS);
    await_waiter();
    CHECK(qthread_purge(&word) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(NULL, &end) == QTHREAD_SUCCESS);
    CHECK(qthread_readFE(&got, &word) == QTHREAD_SUCCESS && got == 6);
    CHECK(qthread_fork(take, &got, &end) == QTHREAD_SUCCESS);
    await_waiter();
    source = 8;
    CHECK(qthread_purge_to(&word, &source) == QTHREAD_SUCCESS); /* the reader goes on waiting */
    CHECK(word == 8 && qthread_feb_status(&word) == 0 && qthread_feb_status(&end) == 0);
    CHECK(qthread_fill(&word) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(NULL, &end) == QTHREAD_SUCCESS && got == 8);
    CHECK(qthread_purge(&word) == QTHREAD_SUCCESS && word == 0);
    CHECK(qthread_fill(&word) == QTHREAD_SUCCESS);
}

static void without_waiting(void)
{
    aligned_t got = 0, from = 7, here = 1; /* on the stack */
    CHECK(qthread_writeEF_nb(&here, &from) == QTHREAD_OPFAIL && here == 1);
    CHECK(qthread_readFF_nb(&got, &here) == QTHREAD_SUCCESS && got == 1);
    CHECK(qthread_readFE_nb(&got, &here) == QTHREAD_SUCCESS && got == 1);
    CHECK(qthread_readFF_nb(&got, &here) == QTHREAD_OPFAIL);
    CHECK(qthread_readFE_nb(&got, &here) == QTHREAD_OPFAIL);
    CHECK(qthread_readXX(&got, &here) == QTHREAD_SUCCESS && got == 1);
    CHECK(qthread_writeEF_nb(&here, &from) == QTHREAD_SUCCESS && here == 7);
    CHECK(qthread_feb_status(&here) == 1);
    CHECK(qthread_empty(&here) == QTHREAD_SUCCESS);
    CHECK(qthread_writeF_const(&here, 2) == QTHREAD_SUCCESS && here == 2);
    CHECK(qthread_feb_status(&here) == 1);
    CHECK(qthread_writeF(&here, &from) == QTHREAD_SUCCESS && here == 7);
    CHECK(qthread_empty(&here) == QTHREAD_SUCCESS);
    CHECK(qthread_writeEF(&here, &here) == QTHREAD_SUCCESS && here == 7);
    CHECK(qthread_writeFF(&here, &from) == QTHREAD_SUCCESS);
}

static void syncvars(void)
{
    syncvar_t v = SYNCVAR_STATIC_EMPTY_INITIALIZER;
    uint64_t got = 0;
    const uint64_t most = UINT64_MAX >> 4;
    CHECK(qthread_syncvar_readFE_nb(&got, &v) == QTHREAD_OPFAIL);
    CHECK(qthread_syncvar_readFF_nb(&got, &v) == QTHREAD_OPFAIL);
    CHECK(qthread_syncvar_writeEF_const_nb(&v, most + 1) == QTHREAD_OVERFLOW);
    CHECK(qthread_syncvar_status(&v) == 0);
    CHECK(qthread_syncvar_writeEF_const_nb(&v, most) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_writeEF_const_nb(&v, 1) == QTHREAD_OPFAIL);
    CHECK(qthread_syncvar_readFF_nb(&got, &v) == QTHREAD_SUCCESS && got == most);
    CHECK(qthread_syncvar_readFE_nb(&got, &v) == QTHREAD_SUCCESS && got == most);
    got = 12;
    CHECK(qthread_syncvar_writeEF_nb(&v, &got) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_readFE(NULL, &v) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_status(&v) == 0);
}

static syncvar_t sum = SYNCVAR_STATIC_INITIALIZER;

static void look_at_sum(void* at, qthread_f f, void* arg, void* result, unsigned id, void* tls,
                        void* of)
{
    (void)f, (void)arg, (void)result, (void)id, (void)tls, (void)of;
    waiting += at == &sum ? 1 : 0;
}
static aligned_t read_sum(void* to)
{
    return (aligned_t)qthread_syncvar_readFF(to, &sum);
}

/* An addition, and a reader that waits for the sum, get all its bits; the syncvar has room for 60
 * of them. */
static void long_sums(void)
{
    const uint64_t most = UINT64_MAX >> 4;
    uint64_t got = 0;
    aligned_t end = 0;
    CHECK(qthread_syncvar_writeF_const(&sum, most) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_incrF(&sum, 1) == most + 1);
    CHECK(qthread_syncvar_readFF(&got, &sum) == QTHREAD_SUCCESS && got == 0);
    CHECK(qthread_syncvar_incrF(&sum, UINT64_MAX) == UINT64_MAX);
    CHECK(qthread_syncvar_readFF(&got, &sum) == QTHREAD_SUCCESS && got == most);
    CHECK(qthread_syncvar_empty(&sum) == QTHREAD_SUCCESS);
    CHECK(qthread_fork(read_sum, &got, &end) == QTHREAD_SUCCESS);
    for (waiting = 0; waiting == 0; qthread_syncvar_callback(look_at_sum, NULL)) {
        qthread_yield();
    }
    CHECK(qthread_syncvar_incrF(&sum, 7) == most + 7);
    CHECK(qthread_readFF(NULL, &end) == QTHREAD_SUCCESS && got == most + 7);
    CHECK(qthread_syncvar_readFF(&got, &sum) == QTHREAD_SUCCESS && got == 6);
}

static aligned_t locked_word;
static qthread_spinlock_t spin;
static aligned_t unlocks(void* unused)
{
    (void)unused;
    return qthread_unlock(&locked_word) == QTHREAD_OPFAIL &&
           qthread_trylock(&locked_word) == QTHREAD_OPFAIL;
}
static aligned_t unlocks_spinlock(void* unused)
{
    (void)unused;
    return qthread_spinlock_unlock(&spin) == QTHREAD_OPFAIL &&
           qthread_spinlock_trylock(&spin) == QTHREAD_OPFAIL;
}
static aligned_t result_of(qthread_f f)
{
    aligned_t r = 0;
    CHECK(qthread_fork(f, NULL, &r) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&r, &r) == QTHREAD_SUCCESS);
    return r;
}

/* A recursive lock is released by its holder only. */
static void recursive_locks(void)
{
    CHECK(qthread_lock_init(&locked_word, 1) == QTHREAD_SUCCESS);
    CHECK(qthread_unlock(&locked_word) == QTHREAD_SUCCESS); /* of a free one: nothing */
    CHECK(qthread_lock(&locked_word) == QTHREAD_SUCCESS);
    CHECK(qthread_trylock(&locked_word) == QTHREAD_SUCCESS);
    CHECK(result_of(unlocks) == 1);
    CHECK(qthread_unlock(&locked_word) == QTHREAD_SUCCESS && result_of(unlocks) == 1);
    CHECK(qthread_unlock(&locked_word) == QTHREAD_SUCCESS);
    CHECK(qthread_trylock(&locked_word) == QTHREAD_SUCCESS);
    CHECK(qthread_lock_destroy(&locked_word) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_init(&spin, 1) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_unlock(&spin) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_lock(&spin) == QTHREAD_SUCCESS && result_of(unlocks_spinlock) == 1);
    CHECK(qthread_spinlock_unlock(&spin) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_trylock(&spin) == QTHREAD_SUCCESS);
}

/* One that was destroyed while it was locked has no successor that is born locked. */
static void destroyed_locks(void)
{
    aligned_t at[8];
    for (int i = 0; i < 8; ++i) {
        CHECK(qthread_lock_init(&at[i], i % 2) == QTHREAD_SUCCESS);
        CHECK(qthread_trylock(&at[i]) == QTHREAD_SUCCESS);
        CHECK(qthread_lock_destroy(&at[i]) == QTHREAD_SUCCESS);
    }
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    for (int i = 0; i < 20; ++i) {
        sources();
        purges();
        without_waiting();
        syncvars();
        long_sums();
    }
    recursive_locks();
    destroyed_locks();
    puts("good");
    return 0;
}
