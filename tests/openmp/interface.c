/* The omp_ functions: what they return where, and that setters are seen by getters. */
#include "check.h"

#include <omp.h>

static void outside(void)
{
    CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && omp_get_level() == 0 &&
          omp_in_parallel() == 0);
    CHECK(omp_get_num_procs() >= 1 && omp_get_thread_limit() >= 1 &&
          omp_get_supported_active_levels() >= 8);
    CHECK(omp_get_max_threads() >= 1);
    CHECK(omp_in_final() == 0 && omp_get_num_teams() == 1 && omp_get_team_num() == 0);
    CHECK(omp_get_num_devices() == 0 && omp_is_initial_device() == 1 &&
          omp_get_device_num() == omp_get_initial_device());
    CHECK(omp_get_max_task_priority() == 0);
    CHECK(omp_get_cancellation() == 0);
}

static void setters(void)
{
    omp_set_num_threads(5);
    CHECK(omp_get_max_threads() == 5);
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK(size == 5);
    omp_set_dynamic(1);
    CHECK(omp_get_dynamic() == 1);
    omp_set_dynamic(0);
    CHECK(omp_get_dynamic() == 0);
    omp_set_max_active_levels(3);
    CHECK(omp_get_max_active_levels() == 3);
    omp_set_nested(0);
    CHECK(omp_get_max_active_levels() == 1 && omp_get_nested() == 0);
    omp_set_nested(1);
    CHECK(omp_get_max_active_levels() == omp_get_supported_active_levels() &&
          omp_get_nested() == 1);
    for (int levels = 0; levels < 5; levels++) {
        omp_set_max_active_levels(levels);
        omp_set_nested(0);
        CHECK(omp_get_max_active_levels() == (levels > 1 ? 1 : levels));
        omp_set_max_active_levels(levels);
        omp_set_nested(1);
        CHECK(omp_get_max_active_levels() == omp_get_supported_active_levels());
    }
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_monotonic | omp_sched_dynamic};
    for (int i = 0; i < 4; i++) {
        omp_sched_t kind;
        int chunk;
        omp_set_schedule(kinds[i], 17);
        omp_get_schedule(&kind, &chunk);
        CHECK(kind == kinds[i] && chunk == 17);
        omp_set_schedule(kinds[i], -3);
        omp_get_schedule(&kind, &chunk);
        CHECK(kind == kinds[i] && chunk == (kinds[i] == omp_sched_static ? 0 : 1));
    }
    omp_set_default_device(3);
    CHECK(omp_get_default_device() == 3);
    omp_set_num_teams(4);
    CHECK(omp_get_max_teams() == 4);
    omp_set_teams_thread_limit(7);
    CHECK(omp_get_teams_thread_limit() == 7);
    omp_set_num_teams(0);
    omp_set_teams_thread_limit(0);
}

static void leagues(void)
{
    int seen = 0;
#pragma omp teams num_teams(3) thread_limit(2)
    {
        const int team = omp_get_team_num(), count = omp_get_num_teams();
#pragma omp parallel num_threads(2)
        {
            CHECK(count == 3 && omp_get_team_num() == team && omp_get_num_teams() == 3 &&
                  omp_get_thread_limit() == 2);
#pragma omp single
#pragma omp atomic
            seen += 1 << (4 * team);
        }
    }
    printf("teams %x, afterwards %d\n", seen, omp_get_num_teams());
    long sum = 0;
#pragma omp teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    printf("distributed %ld\n", sum);
}

static void memory(void)
{
    double* a = omp_alloc(1000 * sizeof *a, omp_default_mem_alloc);
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    a = omp_realloc(a, 5000 * sizeof *a, omp_default_mem_alloc, omp_default_mem_alloc);
    CHECK(a[999] == 999);
    omp_free(a, omp_null_allocator);
    char* aligned = omp_aligned_alloc(4096, 100, omp_null_allocator);
    CHECK(((size_t)aligned & 4095) == 0);
    omp_free(aligned, omp_null_allocator);
    const omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 256}, {omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, traits);
    CHECK(pool != omp_null_allocator);
    char* first = omp_calloc(1, 5000, pool);
    CHECK(first != NULL && first[4999] == 0 && ((size_t)first & 255) == 0);
    CHECK(omp_alloc(5000, pool) == NULL);
    omp_free(first, pool);
    first = omp_alloc(5000, pool);
    CHECK(first != NULL);
    omp_free(first, pool);
    omp_set_default_allocator(pool);
    CHECK(omp_get_default_allocator() == pool);
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(pool);
    const omp_alloctrait_t bad[] = {{omp_atk_alignment, 3}};
    CHECK(omp_init_allocator(omp_default_mem_space, 1, bad) == omp_null_allocator);
    CHECK(omp_alloc(0, omp_default_mem_alloc) == NULL);
    long total = 0;
    long part = 0;
#pragma omp parallel num_threads(3) reduction(+ : total) private(part) \
    allocate(omp_default_mem_alloc : part)
    {
        part = 4950;
        total += part;
    }
    printf("allocate %ld\n", total);
}

static void devices(void)
{
    const int host = omp_get_initial_device();
    char *a = omp_target_alloc(64, host), *b = omp_target_alloc(64, host);
    for (int i = 0; i < 64; i++)
        a[i] = (char)i;
    memset(b, 0, 64);
    CHECK(omp_target_memcpy(b, a, 16, 8, 4, host, host) == 0 && b[8] == 4 && b[23] == 19 &&
          b[24] == 0);
    const size_t volume[2] = {2, 3}, to[2] = {1, 1}, from[2] = {0, 2}, to_size[2] = {8, 8},
                 from_size[2] = {8, 8};
    CHECK(omp_target_memcpy_rect(b, a, 1, 2, volume, to, from, to_size, from_size, host, host) ==
              0 &&
          b[9] == 2 && b[19] == 12);
    CHECK(omp_target_is_present(a, host));
    omp_target_free(a, host);
    omp_target_free(b, host);
}

static void affinity(void)
{
    char text[200];
    omp_set_affinity_format("L%L n%n N%N %0.4n|%6n|%.6{thread_num}|%%");
    size_t length = omp_get_affinity_format(text, sizeof text);
    CHECK(length == strlen(text));
    length = omp_capture_affinity(text, sizeof text, NULL);
    printf("%s (%zu)\n", text, length);
    length = omp_capture_affinity(text, 5, "%{num_threads} threads");
    printf("%s (%zu)\n", text, length);
}

int main(void)
{
    outside();
    setters();
    leagues();
    memory();
    devices();
    affinity();
    const double start = omp_get_wtime();
    CHECK(omp_get_wtick() > 0 && omp_get_wtick() < 0.1 && omp_get_wtime() >= start);
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
    return finish("interface");
}
