/* Calls that gcc 12 no longer makes but older binaries contain, made by hand: the two-step parallel
 * constructs, and the locks of gcc 4.2. */
#include "check.h"

#include <omp.h>
#include <stdbool.h>

void GOMP_parallel_start(void (*)(void*), void*, unsigned);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_dynamic_start(void (*)(void*), void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_static_start(void (*)(void*), void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_static(void (*)(void*), void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_sections_start(void (*)(void*), void*, unsigned, unsigned);
bool GOMP_loop_dynamic_next(long*, long*);
bool GOMP_loop_static_next(long*, long*);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

__asm__(".symver old_init, omp_init_nest_lock@OMP_1.0");
__asm__(".symver old_set, omp_set_nest_lock@OMP_1.0");
__asm__(".symver old_unset, omp_unset_nest_lock@OMP_1.0");
__asm__(".symver old_test, omp_test_nest_lock@OMP_1.0");
__asm__(".symver old_simple_set, omp_set_lock@OMP_1.0");
__asm__(".symver old_simple_unset, omp_unset_lock@OMP_1.0");
void old_init(void*), old_set(void*), old_unset(void*), old_simple_set(void*),
    old_simple_unset(void*);
int old_test(void*);

static int members, iterations, sections;

static void plain(void* data)
{
#pragma omp atomic
    members++;
    CHECK(*(int*)data == 42);
}

static void dynamic_loop(void* data)
{
    (void)data;
    long first, end;
    while (GOMP_loop_dynamic_next(&first, &end))
        for (long i = first; i < end; i++)
#pragma omp atomic
            iterations++;
    GOMP_loop_end_nowait();
}

static void static_loop(void* data)
{
    (void)data;
    long first, end;
    while (GOMP_loop_static_next(&first, &end))
        for (long i = first; i < end; i++)
#pragma omp atomic
            iterations++;
    GOMP_loop_end_nowait();
}

static void some_sections(void* data)
{
    (void)data;
    for (unsigned s; (s = GOMP_sections_next()) != 0;)
#pragma omp atomic
        sections += 1 << (4 * s);
    GOMP_sections_end_nowait();
}

int main(void)
{
    int value = 42;
    for (int round = 0; round < 20; round++) {
        members = iterations = sections = 0;
        GOMP_parallel_start(plain, &value, 5);
        plain(&value);
        GOMP_parallel_end();
        CHECK(members == 5);
        GOMP_parallel_loop_dynamic_start(dynamic_loop, NULL, 4, 0, 100, 1, 3);
        dynamic_loop(NULL);
        GOMP_parallel_end();
        GOMP_parallel_loop_static_start(static_loop, NULL, 3, 0, 100, 1, 0);
        static_loop(NULL);
        GOMP_parallel_end();
        /* As gcc 12 does it where a region is a loop with schedule(auto): only the flags' first
           three bits mean something. */
        GOMP_parallel_loop_static(static_loop, NULL, 3, 0, 100, 1, 0, 0xffffff00u);
        CHECK(iterations == 300);
        GOMP_parallel_sections_start(some_sections, NULL, 3, 5);
        some_sections(NULL);
        GOMP_parallel_end();
        CHECK(sections == 0x111110);
    }
    omp_set_max_active_levels(2);
    char nest[8] = {0}, simple[4] = {0};
    long count = 0;
    old_init(nest);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 500; i++) {
        old_set(nest);
        old_set(nest);
        count++;
        CHECK(old_test(nest) == 3);
        /* They belong to threads, also in inner regions. */
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
            CHECK(old_test(nest) == 4);
            old_unset(nest);
        } else {
            CHECK(old_test(nest) == 0);
        }
        old_unset(nest);
        old_unset(nest);
        old_unset(nest);
        old_simple_set(simple);
        old_simple_unset(simple);
    }
    CHECK(count == 2000);
    return finish("old names");
}
