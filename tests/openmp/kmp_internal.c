/* What libomp exports of its inside and a program can use: memory, waiting for a word, the method
 * of a reduction, a lock, copies of threadprivate variables. */
#include "check.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

struct private_common {
    struct private_common *next, *link;
    void *original, *copy;
    size_t bytes;
};

void* ___kmp_allocate(size_t bytes, const char* file, int line);
void ___kmp_free(void* memory, const char* file, int line);
uint32_t __kmp_wait_4(volatile uint32_t* word, uint32_t checker,
                      uint32_t (*holds)(uint32_t, uint32_t), void* object);
int __kmp_get_reduce_method(void);
int __kmp_acquire_tas_lock(void* lock, int32_t number);
int __kmp_itt_init_ittlib(const char* library, int groups);
void __kmp_itt_fini_ittlib(void);
void __kmp_reset_stats(void);
struct private_common* kmp_threadprivate_insert(int number, void* original, void* first,
                                                size_t bytes);
void kmp_threadprivate_insert_private_data(int number, void* original, void* first, size_t bytes);
void* __kmpc_threadprivate(void* place, int32_t number, void* original, size_t bytes);
int32_t __kmpc_global_thread_num(void* place);
void __kmpc_dispatch_init_4(void* place, int32_t number, int schedule, int32_t first, int32_t last,
                            int32_t step, int32_t chunk);
int __kmpc_dispatch_next_4(void* place, int32_t number, int32_t* is_last, int32_t* first,
                           int32_t* last, int32_t* step);

enum { members = 4 };

static void memory(void)
{
    for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
        unsigned char* const m = ___kmp_allocate(bytes, __FILE__, __LINE__);
        CHECK((uintptr_t)m % 64 == 0);
        for (size_t i = 0; i < bytes; i++)
            CHECK(m[i] == 0);
        memset(m, 0xff, bytes);
        ___kmp_free(m, __FILE__, __LINE__);
    }
}

static uint32_t at_least(uint32_t value, uint32_t checker)
{
    return value >= checker;
}

/* Each member waits for the one before it, whoever runs first. */
static void waiting(void)
{
    volatile uint32_t turn = 0;
#pragma omp parallel num_threads(members)
    for (uint32_t round = 0; round < 20; round++) {
        const uint32_t mine = round * members + (uint32_t)omp_get_thread_num();
        CHECK(__kmp_wait_4(&turn, mine, at_least, NULL) == mine);
        __atomic_store_n(&turn, mine + 1, __ATOMIC_RELEASE);
    }
    CHECK(turn == 20 * members);
}

static void methods(void)
{
    struct {
        double x[20];
    } many = {{0}};
    double* const x = many.x;
    int sum = 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
    sum++;
    CHECK(__kmp_get_reduce_method() == 4);
#pragma omp parallel num_threads(members) reduction(+ : sum)
    sum++;
    CHECK(__kmp_get_reduce_method() >= 1 && __kmp_get_reduce_method() <= 3);
#pragma omp parallel num_threads(members) reduction(+ : x[ : 20])
    x[omp_get_thread_num()] += 1;
    CHECK(__kmp_get_reduce_method() >= 1 && __kmp_get_reduce_method() <= 3 && sum == 1 + members);
}

static void locks(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    CHECK(__kmp_acquire_tas_lock(&lock, __kmpc_global_thread_num(NULL)) == 1 &&
          !omp_test_lock(&lock));
    omp_unset_lock(&lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    long inside = 0, count = 0;
#pragma omp parallel num_threads(members)
    for (int i = 0; i < 2000; i++) {
        __kmp_acquire_tas_lock(&lock, __kmpc_global_thread_num(NULL));
        CHECK(++inside == 1);
        count++;
        inside--;
        omp_unset_lock(&lock);
    }
    CHECK(count == members * 2000);
    omp_destroy_lock(&lock);
}

static void copies(void)
{
    static int known = 1, fresh = 2;
    int image = 42, second = 43;
    kmp_threadprivate_insert_private_data(__kmpc_global_thread_num(NULL), &known, &image,
                                          sizeof known);
    kmp_threadprivate_insert_private_data(__kmpc_global_thread_num(NULL), &known, &second,
                                          sizeof known);
    int* seen[members] = {NULL};
#pragma omp parallel num_threads(members)
    {
        const int me = omp_get_thread_num();
        const int number = __kmpc_global_thread_num(NULL);
        const struct private_common* const c = kmp_threadprivate_insert(number, &known, &known,
                                                                        sizeof known);
        CHECK(c->original == &known && c->bytes == sizeof known);
        CHECK((c->copy == &known) == (me == 0) && *(int*)c->copy == (me == 0 ? 1 : 42));
        CHECK(__kmpc_threadprivate(NULL, number, &known, sizeof known) == c->copy);
        seen[me] = c->copy;
        int own = 50;
        const struct private_common* const f = kmp_threadprivate_insert(number, &fresh, &own,
                                                                        sizeof fresh);
        CHECK(*(int*)f->copy == (me == 0 ? 2 : 50));
#pragma omp barrier
        for (int i = 0; i < members; i++)
            CHECK(i == me || seen[i] != seen[me]);
    }
}

/* A member that has met a loop without asking for a piece holds none: one member may run all of it,
 * whoever came first. */
static void pieces_for_who_asks(void)
{
    enum { dynamic_chunked = 35, guided_chunked = 36, monotonic = 1 << 29, iterations = 100 };
    static const int schedules[] = {dynamic_chunked | monotonic, guided_chunked | monotonic};
    for (int round = 0; round < 20 * members; round++) {
        int ran = 0;
        volatile int done = 0;
#pragma omp parallel num_threads(members)
        {
            const int32_t number = __kmpc_global_thread_num(NULL);
            __kmpc_dispatch_init_4(NULL, number, schedules[round % 2], 0, iterations - 1, 1, 3);
            int32_t is_last = 0, first = 0, last = 0, step = 0;
            if (omp_get_thread_num() == round / 2 % members) {
                while (__kmpc_dispatch_next_4(NULL, number, &is_last, &first, &last, &step))
                    ran += last - first + 1;
                done = 1;
            } else {
                while (!done)
                    usleep(10);
                CHECK(!__kmpc_dispatch_next_4(NULL, number, &is_last, &first, &last, &step));
            }
#pragma omp barrier
        }
        CHECK(ran == iterations);
    }
}

/* The CPUs that masks know are those of the machine. */
static void masks(void)
{
    const int cpus = kmp_get_affinity_max_proc();
    CHECK(cpus == sysconf(_SC_NPROCESSORS_CONF));
    kmp_affinity_mask_t mask;
    kmp_create_affinity_mask(&mask);
    CHECK(kmp_get_affinity(&mask) == 0);
    CHECK(kmp_get_affinity_mask_proc(-1, &mask) == -1 &&
          kmp_get_affinity_mask_proc(cpus, &mask) == -1);
    CHECK(kmp_set_affinity_mask_proc(cpus, &mask) == -1 &&
          kmp_unset_affinity_mask_proc(-1, &mask) == -1);
    int own = 0;
    for (int i = 0; i < cpus; i++) {
        const int has = kmp_get_affinity_mask_proc(i, &mask);
        own += has;
        CHECK(kmp_unset_affinity_mask_proc(i, &mask) == (has ? 0 : -2));
        CHECK(kmp_get_affinity_mask_proc(i, &mask) == 0);
    }
    CHECK(own > 0 && kmp_set_affinity(&mask) == EINVAL);
    kmp_destroy_affinity_mask(&mask);
}

int main(void)
{
    setenv("KMP_LOCK_KIND", "tas", 1); /* Where libomp's locks are such; read at the first call. */
    memory();
    waiting();
    methods();
    locks();
    copies();
    pieces_for_who_asks();
    masks();
    CHECK(__kmp_itt_init_ittlib(NULL, 0) == 0);
    __kmp_itt_fini_ittlib();
    __kmp_reset_stats();
    return finish("kmp_internal");
}
