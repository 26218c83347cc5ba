/* undeferred.c — tasks that are made deep inside of undeferred ones: from then on others know all
 * of these, and what was set in them stays. */
#include "check.h"

#include <omp.h>

enum { rounds = 200, children = 8 };

static void work(int* done)
{
#pragma omp atomic
    ++*done;
}

/* A child made deep inside of undeferred tasks: from then on others know all of these. What was set
 * in them stays, also a nested lock that one of them holds, and each waits for its own children. */
static void deep(int level, int* done, omp_nest_lock_t* lock)
{
    int inner = 0;
    if (level == 0) {
        for (int k = 0; k < children; ++k) {
#pragma omp task firstprivate(done)
            {
#pragma omp task firstprivate(done)
                work(done);
                work(done);
            }
        }
        return;
    }
#pragma omp task if (0) shared(done, lock, inner)
    {
        omp_set_num_threads(100 + level);
        omp_set_nest_lock(lock);
#pragma omp taskgroup
        {
            deep(level - 1, done, lock);
            CHECK(omp_get_max_threads() == 100 + level);
            if (level % 2 == 0) {
#pragma omp task shared(inner)
                work(&inner);
#pragma omp taskwait
                CHECK(inner == 1);
            }
        }
        CHECK(omp_test_nest_lock(lock) == 2);
        omp_unset_nest_lock(lock);
        omp_unset_nest_lock(lock);
        CHECK(omp_get_max_threads() == 100 + level);
        inner = -1;
    }
    CHECK(inner == -1);
}

static void move(int threads)
{
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < rounds; ++i) {
        enum { levels = 6 };
        omp_nest_lock_t locks[levels + 1];
        const int before = omp_get_max_threads();
        int done = 0;
        int expected = 0;
        for (int level = 0; level <= levels; ++level) {
            omp_init_nest_lock(&locks[level]);
        }
#pragma omp taskgroup
        for (int level = 1; level <= levels; ++level) {
            /* A lock for each task: another task would wait for it. */
            for (int k = level; k > 0; --k) {
                deep(1, &done, &locks[k]);
                expected += 2 * children;
            }
            CHECK(omp_get_max_threads() == before);
        }
        CHECK(done == expected);
        for (int level = 0; level <= levels; ++level) {
            omp_destroy_nest_lock(&locks[level]);
        }
    }
}

/* The same without locks: all levels at once, and nobody waits before the barrier. */
static void sink(int level, int* done)
{
    if (level == 0) {
#pragma omp task firstprivate(done)
        {
#pragma omp task if (0) firstprivate(done)
            {
#pragma omp task firstprivate(done)
                work(done);
            }
            work(done);
        }
        return;
    }
#pragma omp task if (0) firstprivate(level, done)
    {
        omp_set_num_threads(100 + level);
        sink(level - 1, done);
        CHECK(omp_get_max_threads() == 100 + level);
        sink(level - 1, done);
#pragma omp taskyield
        CHECK(omp_get_max_threads() == 100 + level);
    }
}

static void leave(int threads)
{
    enum { levels = 7 };
    int done = 0;
    int members = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        ++members;
        for (int i = 0; i < 10; ++i) {
            sink(levels, &done);
        }
    }
    CHECK(done == members * 10 * 2 * (1 << levels));
}

/* A member of an inner region that a task on the stack has met. */
static void region(int threads)
{
    int done = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp task if (0) shared(done)
    {
        omp_set_num_threads(3);
#pragma omp parallel shared(done)
        {
            CHECK(!omp_in_final());
            sink(3, &done);
        }
        CHECK(omp_get_max_threads() == 3);
#pragma omp task shared(done)
        work(&done);
    }
    CHECK(done % 16 == 1 && done > 1);
}

int main(void)
{
    const int sizes[] = {1, 2, 4, 16};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        move(sizes[i]);
        leave(sizes[i]);
        region(sizes[i]);
    }
    return finish("undeferred");
}
