/* usage: crowd LIBRARY PREFIX SUFFIX SECONDS
   e.g. crowd libopenblas.so.0 "" "" 60; crowd libscipy_openblas64_.so scipy_ 64_ 60: integers of 64
   bits if the suffix has a 64

   Eight threads and two teams of four OpenMP members call an OpenBLAS at once, all routines that
   use its threads in their own ways, in matrices of all sizes, and some threads come and go. Each
   result is compared with that of one caller on one thread. Prints how many calls there were and
   "all right", or what is wrong; a call that does not end is for who runs this to notice. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { largest = 400, kinds = 9, sizes = 8 };

static const int size_of[sizes] = {5, 24, 64, 100, 150, 210, 300, largest};

/* An integer as this library has it; little endian, so its lower half does for 32 bits. */
typedef int64_t integer;
typedef const char* text;

static void (*gemm)(text, text, const integer*, const integer*, const integer*, const double*,
                    const double*, const integer*, const double*, const integer*, const double*,
                    double*, const integer*);
static void (*gemv)(text, const integer*, const integer*, const double*, const double*,
                    const integer*, const double*, const integer*, const double*, double*,
                    const integer*);
static void (*syrk)(text, text, const integer*, const integer*, const double*, const double*,
                    const integer*, const double*, double*, const integer*);
static void (*trsm)(text, text, text, text, const integer*, const integer*, const double*,
                    const double*, const integer*, double*, const integer*);
static void (*potrf)(text, const integer*, double*, const integer*, integer*);
static void (*gesv)(const integer*, const integer*, double*, const integer*, integer*, double*,
                    const integer*, integer*);
static void (*potri)(text, const integer*, double*, const integer*, integer*);
static void (*geqrf)(const integer*, const integer*, double*, const integer*, double*, double*,
                     const integer*, integer*);
static double (*dot)(const integer*, const double*, const integer*, const double*, const integer*);

static double *general, *definite;     /* largest x largest, column by column */
static double* expected[kinds][sizes]; /* n x n each */
static atomic_long calls, wrong;
static atomic_int ends;

struct space {
    double *a, *b, *work;
    integer* pivots;
};

static struct space make_space(void)
{
    const size_t all = (size_t)largest * largest;
    return (struct space){malloc(all * 8), malloc(all * 8), malloc(all * 8 * 2),
                          malloc(largest * sizeof(integer))};
}

static void free_space(struct space s)
{
    free(s.a), free(s.b), free(s.work), free(s.pivots);
}

static void copy(double* to, const double* from, int n)
{
    for (int column = 0; column < n; ++column)
        memcpy(to + (size_t)column * n, from + (size_t)column * largest, (size_t)n * 8);
}

static void zero_upper(double* a, int n)
{
    for (int column = 1; column < n; ++column)
        memset(a + (size_t)column * n, 0, (size_t)column * 8);
}

/* The result is in s->a afterwards. */
static void compute(int kind, int n_, struct space* s)
{
    const integer n = n_, lead = largest, one = 1;
    integer info = 0;
    const double unit = 1, zero = 0;
    const size_t all = (size_t)n_ * (size_t)n_;
    switch (kind) {
    case 0:
        gemm("N", "T", &n, &n, &n, &unit, general, &lead, definite, &lead, &zero, s->a, &n);
        break;
    case 1:
        memset(s->a, 0, all * 8);
        gemv("N", &n, &n, &unit, general, &lead, definite, &one, &zero, s->a, &one);
        if (n_ > 1)
            gemv("T", &n, &n, &unit, general, &lead, definite, &one, &zero, s->a + n_, &one);
        break;
    case 2:
        memset(s->a, 0, all * 8);
        syrk("L", "N", &n, &n, &unit, general, &lead, &zero, s->a, &n);
        break;
    case 3:
        copy(s->a, general, n_);
        trsm("L", "L", "N", "N", &n, &n, &unit, definite, &lead, s->a, &n);
        break;
    case 4:
        copy(s->a, definite, n_);
        potrf("L", &n, s->a, &n, &info);
        zero_upper(s->a, n_);
        break;
    case 5: /* getrf_parallel, getrs */
        copy(s->b, definite, n_);
        copy(s->a, general, n_);
        gesv(&n, &n, s->b, &n, s->pivots, s->a, &n, &info);
        break;
    case 6: /* trtri, lauum */
        copy(s->a, definite, n_);
        potrf("L", &n, s->a, &n, &info);
        potri("L", &n, s->a, &n, &info);
        zero_upper(s->a, n_);
        break;
    case 7: {
        const integer room = (integer)largest * largest;
        copy(s->a, general, n_);
        geqrf(&n, &n, s->a, &n, s->b, s->work, &room, &info);
        zero_upper(s->a, 1);
        break;
    }
    case 8: {
        const integer length = (integer)n_ * largest; /* up to 160000 */
        memset(s->a, 0, all * 8);
        s->a[0] = dot(&length, general, &one, definite, &one);
        break;
    }
    default: abort();
    }
    if (info != 0) {
        printf("kind %d of %d: info %ld\n", kind, n_, (long)info);
        atomic_fetch_add(&wrong, 1);
    }
}

static void check(int kind, int size, const double* found)
{
    const size_t all = (size_t)size_of[size] * (size_t)size_of[size];
    double largest_one = 1, error = 0;
    for (size_t i = 0; i < all; ++i) {
        const double e = fabs(expected[kind][size][i]);
        largest_one = e > largest_one ? e : largest_one;
        const double d = fabs(found[i] - expected[kind][size][i]);
        if (!(d <= error)) /* also what is no number */
            error = d;
    }
    if (!(error <= 1e-9 * largest_one)) {
        if (atomic_fetch_add(&wrong, 1) < 20)
            printf("kind %d of %d: off by %g of %g\n", kind, size_of[size], error, largest_one);
    }
}

static unsigned next(unsigned* seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

static void some(unsigned* seed, int count)
{
    struct space s = make_space();
    for (int i = 0; i < count && !atomic_load(&ends); ++i) {
        const int kind = (int)(next(seed) % kinds), size = (int)(next(seed) % sizes);
        compute(kind, size_of[size], &s);
        check(kind, size, s.a);
        atomic_fetch_add(&calls, 1);
    }
    free_space(s);
}

static void* thread_main(void* number)
{
    unsigned seed = (unsigned)(uintptr_t)number;
    while (!atomic_load(&ends))
        some(&seed, 1000);
    return NULL;
}

static void* short_lived(void* number)
{
    unsigned seed = (unsigned)(uintptr_t)number;
    some(&seed, 3);
    return NULL;
}

static void* team_main(void* number)
{
    unsigned seed = (unsigned)(uintptr_t)number;
    while (!atomic_load(&ends)) {
        const unsigned from = next(&seed);
#pragma omp parallel num_threads(4)
        {
            unsigned mine = from;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 12; ++i) {
                mine = from + (unsigned)i;
                some(&mine, 2);
            }
        }
    }
    return NULL;
}

static void* need(void* library, const char* prefix, const char* name, const char* suffix)
{
    char full[100];
    snprintf(full, sizeof full, "%s%s%s", prefix, name, suffix);
    void* const found = dlsym(library, full);
    if (found == NULL) {
        printf("no %s\n", full);
        exit(1);
    }
    return found;
}

int main(int count, char** words)
{
    if (count != 5)
        return 2;
    void* const library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 77;
    }
    const char *const p = words[2], *const s = words[3];
    *(void**)&gemm = need(library, p, "dgemm_", s);
    *(void**)&gemv = need(library, p, "dgemv_", s);
    *(void**)&syrk = need(library, p, "dsyrk_", s);
    *(void**)&trsm = need(library, p, "dtrsm_", s);
    *(void**)&potrf = need(library, p, "dpotrf_", s);
    *(void**)&gesv = need(library, p, "dgesv_", s);
    *(void**)&potri = need(library, p, "dpotri_", s);
    *(void**)&geqrf = need(library, p, "dgeqrf_", s);
    *(void**)&dot = need(library, p, "ddot_", s);
    void (*const set)(int) = (void (*)(int))need(library, p, "openblas_set_num_threads", s);
    int (*const get)(void) = (int (*)(void))need(library, p, "openblas_get_num_threads", s);

    general = malloc((size_t)largest * largest * 8);
    definite = malloc((size_t)largest * largest * 8);
    unsigned seed = 7;
    for (int i = 0; i < largest; ++i)
        for (int j = 0; j < largest; ++j) {
            general[i * largest + j] = (double)(next(&seed) % 1000) / 500 - 1;
            definite[i * largest + j] = i == j ? largest : 1.0 / (1 + abs(i - j));
        }
    const int threads = get();
    set(1);
    for (int kind = 0; kind < kinds; ++kind)
        for (int size = 0; size < sizes; ++size) {
            struct space mine = make_space();
            compute(kind, size_of[size], &mine);
            expected[kind][size] = mine.a;
            mine.a = NULL;
            free_space(mine);
        }
    set(threads);

    pthread_t all[10];
    for (uintptr_t i = 0; i < 10; ++i)
        pthread_create(&all[i], NULL, i < 8 ? thread_main : team_main, (void*)(i + 1));
    const time_t end = time(NULL) + atoi(words[4]);
    for (uintptr_t i = 100; time(NULL) < end; ++i) {
        pthread_t visitor;
        pthread_create(&visitor, NULL, short_lived, (void*)i);
        pthread_join(visitor, NULL);
    }
    atomic_store(&ends, 1);
    for (int i = 0; i < 10; ++i)
        pthread_join(all[i], NULL);
    printf("%d threads, %ld calls\n", threads, atomic_load(&calls));
    if (atomic_load(&calls) < 100)
        printf("too few calls\n");
    else if (atomic_load(&wrong) == 0)
        printf("all right\n");
    return atomic_load(&wrong) != 0 || atomic_load(&calls) < 100;
}
