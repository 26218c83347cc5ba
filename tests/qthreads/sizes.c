/* Sizes that no memory has room for: making something of such a size fails. */
#include "check.h"

#include <fcntl.h>
#include <qthread/qalloc.h>
#include <qthread/qarray.h>
#include <qthread/qpool.h>
#include <qthread/sinc.h>
#include <string.h>
#include <unistd.h>

static const size_t huge[] = {
    SIZE_MAX,     SIZE_MAX - 7,     SIZE_MAX - 64, SIZE_MAX - 4095, SIZE_MAX / 2,
    SIZE_MAX / 4, SIZE_MAX / 8 + 1, SIZE_MAX / 8,  (size_t)1 << 60, (size_t)1 << 56,
};

static void pools(size_t size)
{
    qpool* const items = qpool_create(size);
    CHECK(items == NULL || qpool_alloc(items) == NULL);
    qpool_destroy(items);
    qpool* const aligned = qpool_create_aligned(64, size);
    CHECK(aligned == NULL || qpool_alloc(aligned) == NULL);
    qpool_destroy(aligned);
}

static void arrays(size_t size)
{
    CHECK(qarray_create(size, 1) == NULL && qarray_create(1, size) == NULL);
    CHECK(qarray_create_tight(size, 1) == NULL && qarray_create_tight(1, size) == NULL);
    CHECK(qarray_create_configured(2, size, DIST, 1, 1) == NULL);
}

static void add(void* to, const void* value)
{
    *(uint64_t*)to += *(const uint64_t*)value;
}

static void sincs(size_t size)
{
    static const uint64_t zero;
    CHECK(qt_sinc_create(size, &zero, add, 1) == NULL);
}

static uint64_t nothing(void* argument)
{
    (void)argument;
    return 0;
}

static void arguments(size_t size)
{
    uint64_t result;
    CHECK(qthread_fork_copyargs(nothing, &size, size, &result) != QTHREAD_SUCCESS);
}

static void maps(size_t size)
{
    char name[] = "qalloc-sizes-XXXXXX";
    close(mkstemp(name));
    mapinfo_t* const m = qalloc_makestatmap(1 << 16, NULL, name, size, 1);
    CHECK(m == NULL || qalloc_statmalloc(m) == NULL);
    qalloc_cleanup();
    CHECK(unlink(name) == 0);
}

int main(void)
{
    CHECK(qthread_initialize() == 0);
    for (size_t i = 0; i < sizeof huge / sizeof *huge; ++i) {
        pools(huge[i]);
        arrays(huge[i]);
        sincs(huge[i]);
        arguments(huge[i]);
        maps(huge[i]);
    }
    /* Large, but there is address space for it, and pages that nobody touches cost nothing. */
    const char* const local = qthread_get_tasklocal(1u << 30);
    CHECK(local == NULL || (local[0] == 0 && local[(1u << 30) - 1] == 0));
    puts("good");
    return 0;
}
