/* What the programs of this folder share: a check that is never compiled out, and streams. */
#ifndef CHECK_H
#define CHECK_H

#include <abt.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)
#define OK(call) CHECK((call) == ABT_SUCCESS)

enum { most_streams = 64 };

static int streams;
static ABT_xstream stream[most_streams];
static ABT_pool pool[most_streams];

/* Initializes, and makes the streams that the first argument says. */
static inline void begin(int argc, char** argv)
{
    streams = argc > 1 ? atoi(argv[1]) : 2;
    OK(ABT_init(argc, argv));
    OK(ABT_self_get_xstream(&stream[0]));
    for (int i = 1; i < streams; ++i) {
        OK(ABT_xstream_create(ABT_SCHED_NULL, &stream[i]));
    }
    for (int i = 0; i < streams; ++i) {
        OK(ABT_xstream_get_main_pools(stream[i], 1, &pool[i]));
    }
}

static inline void end(void)
{
    for (int i = 1; i < streams; ++i) {
        OK(ABT_xstream_free(&stream[i]));
        CHECK(stream[i] == ABT_XSTREAM_NULL);
    }
    OK(ABT_finalize());
}

/* Runs f on `each` ULTs of every stream, and calls `meanwhile` before they are joined. */
static inline void everywhere(int each, void (*f)(void*), void (*meanwhile)(void))
{
    const int all = streams * each;
    ABT_thread* const t = malloc((size_t)all * sizeof *t);
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_create(pool[i % streams], f, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    if (meanwhile != NULL) {
        meanwhile();
    }
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    free(t);
}

#endif
