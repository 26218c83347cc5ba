/* Memory from files, keys, queues and pools. */
#include "check.h"

#include <fcntl.h>
#include <qthread/qalloc.h>
#include <qthread/qdqueue.h>
#include <qthread/qpool.h>
#include <qthread/qswsrqueue.h>
#include <qthread/tls.h>
#include <sys/mman.h>
#include <unistd.h>

static void maps(void)
{
    char items[] = "qalloc-items-XXXXXX";
    char blocks[] = "qalloc-blocks-XXXXXX";
    close(mkstemp(items));
    close(mkstemp(blocks));
    /* Far below what others map, who would otherwise be there when the files are mapped again. */
    char* const probe = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const place = probe - ((size_t)64 << 30);
    mapinfo_t* m = qalloc_makestatmap(1 << 16, place, items, 24, 3);
    dynmapinfo_t* d = qalloc_makedynmap(1 << 16, place + (1 << 20), blocks, 3);
    CHECK((char*)m == place && d != NULL);
    char* const first = qalloc_statmalloc(m);
    char* const second = qalloc_malloc(m, 1);
    CHECK(first != NULL && second >= first + 24 && second < first + (1 << 16));
    qalloc_statfree(first, m);
    CHECK(qalloc_statmalloc(m) == (void*)first);
    size_t n = 2;
    while (qalloc_statmalloc(m) != NULL) {
        ++n;
    }
    CHECK(n > 1900 && n <= (1 << 16) / 24); /* as many as there is room for */
    char* const big = qalloc_dynmalloc(d, 5000);
    char* const small = qalloc_malloc(d, 5);
    CHECK(big != NULL && small != NULL && (small >= big + 5000 || small + 5 <= big));
    CHECK(qalloc_dynmalloc(d, 1 << 16) == NULL && qalloc_dynmalloc(d, SIZE_MAX) == NULL);
    qalloc_free(big, d);
    CHECK(qalloc_dynmalloc(d, 5000) == (void*)big);
    memset(big, 'b', 5000);
    strcpy(second, "kept");
    /* What is in the files is there again, at its place. */
    qalloc_cleanup();
    m = qalloc_loadmap(items);
    d = qalloc_makedynmap(1 << 20, NULL, blocks, 1);
    CHECK(m != NULL && d != NULL && strcmp(second, "kept") == 0 && big[4999] == 'b');
    CHECK(qalloc_statmalloc(m) == NULL);
    qalloc_statfree(second, m);
    CHECK(qalloc_statmalloc(m) == (void*)second);
    qalloc_dynfree(big, d);
    CHECK(qalloc_dynmalloc(d, 4500) == (void*)big);
    qalloc_checkpoint();
    qalloc_cleanup();
    /* Other files are left as they are. */
    const int other = open(items, O_WRONLY | O_TRUNC);
    CHECK(write(other, "text", 4) == 4);
    close(other);
    CHECK(qalloc_loadmap(items) == NULL && qalloc_makedynmap(1 << 16, NULL, items, 1) == NULL);
    CHECK(qalloc_loadmap("no-such-file") == NULL);
    unlink(items);
    unlink(blocks);
}

static qthread_key_t key;
static aligned_t destroyed;

static void destroy(void* value)
{
    CHECK(value != NULL);
    qthread_incr(&destroyed, 1);
}
static aligned_t keeps(void* value)
{
    CHECK(qthread_getspecific(key) == NULL);
    CHECK(qthread_setspecific(key, value) == 0);
    qthread_yield();
    return qthread_getspecific(key) == value;
}
static void keys(void)
{
    enum { many = 50 };
    aligned_t good[many];
    qthread_key_t other;
    CHECK(qthread_key_create(&key, destroy) == 0 && qthread_key_create(&other, NULL) == 0);
    CHECK(key != other && qthread_setspecific(other, &other) == 0);
    destroyed = 0;
    for (int i = 0; i < many; ++i) {
        CHECK(qthread_fork(keeps, &good[i], &good[i]) == QTHREAD_SUCCESS);
    }
    for (int i = 0; i < many; ++i) {
        qthread_readFF(NULL, &good[i]);
        CHECK(good[i] == 1);
    }
    CHECK(destroyed == many && qthread_getspecific(key) == NULL);
    CHECK(qthread_getspecific(other) == &other);
    CHECK(qthread_key_delete(other) == 0 && qthread_key_delete(other) != 0);
    CHECK(qthread_key_delete(key) == 0);
    /* A key that is made later has not the value of one that was at its place. */
    for (int i = 0; i < 2000; ++i) {
        CHECK(qthread_key_create(&other, NULL) == 0 && qthread_getspecific(other) == NULL);
        CHECK(qthread_setspecific(other, &i) == 0 && qthread_key_delete(other) == 0);
    }
}

enum { items = 5000 };
static aligned_t produce(void* q)
{
    for (size_t i = 1; i <= items; ++i) {
        CHECK(qswsrqueue_enqueue_blocking(q, (void*)i) == QTHREAD_SUCCESS);
    }
    return 0;
}
static aligned_t frees(void* both)
{
    qpool_free(((void**)both)[0], ((void**)both)[1]);
    return 0;
}
static void queues(void)
{
    qswsrqueue_t* const narrow = qswsrqueue_create(4);
    aligned_t done;
    CHECK(qswsrqueue_empty(narrow) && qswsrqueue_dequeue(narrow) == NULL);
    CHECK(qthread_fork(produce, narrow, &done) == QTHREAD_SUCCESS);
    for (size_t i = 1; i <= items; ++i) {
        CHECK(qswsrqueue_dequeue_blocking(narrow) == (void*)i);
    }
    qthread_readFF(NULL, &done);
    for (size_t i = 0; i < 63; ++i) { /* there is room for more than asked for */
        CHECK(qswsrqueue_enqueue(narrow, narrow) == QTHREAD_SUCCESS);
    }
    CHECK(qswsrqueue_enqueue(narrow, narrow) != QTHREAD_SUCCESS);
    qswsrqueue_destroy(narrow);
    qdqueue_t* const wide = qdqueue_create();
    CHECK(qdqueue_enqueue_there(wide, wide, 0) == QTHREAD_SUCCESS && !qdqueue_empty(wide));
    CHECK(qdqueue_dequeue(wide) == wide && qdqueue_dequeue(wide) == NULL);
    CHECK(qdqueue_destroy(wide) == QTHREAD_SUCCESS);
    qpool* const pool = qpool_create_aligned(100, 256);
    char* const a = qpool_alloc(pool);
    char* const b = qpool_alloc(pool);
    CHECK((uintptr_t)a % 256 == 0 && (uintptr_t)b % 256 == 0 && (a >= b + 100 || b >= a + 100));
    qpool_free(pool, a);
    qpool_free(pool, b);
    /* What is freed by others is used again, but for a few items that each worker keeps. */
    enum { many = 2000 };
    static void* seen[many];
    for (int i = 0; i < many; ++i) {
        seen[i] = qpool_alloc(pool);
        memset(seen[i], i, 100);
    }
    for (int i = 0; i < many; ++i) {
        aligned_t freed;
        void* both[2] = {pool, seen[i]};
        CHECK(qthread_fork(frees, both, &freed) == QTHREAD_SUCCESS);
        qthread_readFF(NULL, &freed);
    }
    int again = 0;
    for (int i = 0; i < many; ++i) {
        const void* const item = qpool_alloc(pool);
        for (int k = 0; k < many; ++k) {
            again += item == seen[k];
        }
    }
    CHECK(again <= many && again >= many - 32 * qthread_num_workers());
    qpool_destroy(pool); /* with all items */
}

/* A shepherd takes what is near first. */
static qdqueue_t* spread;
static aligned_t takes_near(void* unused)
{
    (void)unused;
    const size_t here = qthread_shep();
    for (size_t i = 1; i <= 3; ++i) {
        CHECK(qdqueue_dequeue(spread) == (void*)(here * 10 + i));
    }
    return 0;
}
static void near_items(void)
{
    const qthread_shepherd_id_t n = qthread_num_shepherds();
    spread = qdqueue_create();
    for (size_t i = 1; i <= 3; ++i) {
        for (qthread_shepherd_id_t s = 0; s < n; ++s) {
            CHECK(qdqueue_enqueue_there(spread, (void*)(s * 10u + i), s) == QTHREAD_SUCCESS);
        }
    }
    CHECK(qdqueue_enqueue_there(spread, spread, n) == QTHREAD_BADARGS);
    CHECK(qdqueue_enqueue(spread, NULL) == QTHREAD_BADARGS);
    CHECK(qdqueue_enqueue(NULL, spread) == QTHREAD_BADARGS && qdqueue_dequeue(NULL) == NULL);
    CHECK(qdqueue_empty(NULL) == 0);
    for (qthread_shepherd_id_t s = 0; s < n; ++s) {
        aligned_t done;
        CHECK(qdqueue_empty(spread) == 0);
        CHECK(qthread_fork_to(takes_near, NULL, &done, s) == QTHREAD_SUCCESS);
        qthread_readFF(NULL, &done);
    }
    CHECK(qdqueue_empty(spread) == 1);
    /* What nobody takes near it is taken by others. */
    CHECK(qdqueue_enqueue_there(spread, spread, n - 1) == QTHREAD_SUCCESS);
    CHECK(qdqueue_dequeue(spread) == spread && qdqueue_dequeue(spread) == NULL);
    CHECK(qdqueue_destroy(spread) == QTHREAD_SUCCESS && qdqueue_destroy(NULL) == QTHREAD_BADARGS);
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    maps();
    keys();
    queues();
    near_items();
    puts("good");
    return 0;
}
