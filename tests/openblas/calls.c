/* usage: calls USER_LIBRARY STAND_IN COPY_OF_STAND_IN, under `artel run` with ARTEL_NUM_THREADS=4
          calls LIBRARY THREADS: checks only that a lone caller may use THREADS, and less with a
          limit of its own

   Checks which number of threads OpenBLAS's calls see: 4 for a lone call, fewer for concurrent
   ones, whichever thread calls and however it found the function. Prints "all right", or the
   failures. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef void inside_function(int threads, void* data);
typedef void call_function(inside_function* inside, void* data);

static int failures;

#define EXPECT(condition, ...)                                     \
    do {                                                           \
        if (!(condition)) {                                        \
            ++failures;                                            \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            printf(__VA_ARGS__);                                   \
            printf("\n");                                          \
        }                                                          \
    } while (0)

static void* need(void* library, const char* name)
{
    void* const found = dlsym(library, name);
    if (found == NULL) {
        printf("no %s: %s\n", name, dlerror());
        exit(1);
    }
    return found;
}

static void* open_or_die(const char* path)
{
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("%s\n", dlerror());
        exit(1);
    }
    return library;
}

static void note(int threads, void* data)
{
    *(int*)data = threads;
}

static int seen_by(call_function* call)
{
    int seen = 0;
    call(note, &seen);
    return seen;
}

/* The number that a lone caller sees rises only after a while, because other threads may be between
 * two calls. */
static int seen_in_the_end(call_function* call, int wanted)
{
    int seen = 0;
    for (int i = 0; i < 2000 && (seen = seen_by(call)) != wanted; ++i)
        usleep(5000);
    return seen;
}

struct meeting {
    pthread_barrier_t all_in, looked;
    _Atomic int* number;
    _Atomic int smallest, largest;
};

struct visitor {
    struct meeting* at;
    call_function* call;
};

/* Reads the number while all callers are inside. */
static void meet(int threads, void* data)
{
    (void)threads;
    struct meeting* const m = data;
    pthread_barrier_wait(&m->all_in);
    const int now = *m->number;
    if (now < m->smallest)
        m->smallest = now;
    if (now > m->largest)
        m->largest = now;
    pthread_barrier_wait(&m->looked);
}

static void* visit(void* argument)
{
    const struct visitor* const v = argument;
    v->call(meet, v->at);
    return NULL;
}

static void together(int count, call_function** calls, _Atomic int* number, int wanted)
{
    struct meeting m = {.number = number, .smallest = 1000, .largest = 0};
    pthread_barrier_init(&m.all_in, NULL, (unsigned)count);
    pthread_barrier_init(&m.looked, NULL, (unsigned)count);
    pthread_t threads[16];
    struct visitor visitors[16];
    for (int i = 0; i < count; ++i) {
        visitors[i] = (struct visitor){&m, calls[i % 2]};
        pthread_create(&threads[i], NULL, visit, &visitors[i]);
    }
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    EXPECT(m.smallest == wanted && m.largest == wanted, "%d callers saw %d to %d instead of %d",
           count, m.smallest, m.largest, wanted);
}

static jmp_buf back;

static void jump(int threads, void* data)
{
    (void)threads;
    (void)data;
    longjmp(back, 1);
}

static void call_again(int threads, void* data)
{
    call_function* const call = *(call_function**)data;
    EXPECT(threads == 4, "%d", threads);
    EXPECT(seen_by(call) == 4, "a call from within a call");
}

static void check_alone(call_function* call, int all)
{
    unsigned (*const limit_here)(unsigned) = (unsigned (*)(unsigned))need(
        RTLD_DEFAULT, "artel_openblas_limit_here");
    EXPECT(seen_by(call) == all, "%d", seen_by(call));
    for (int limit = 50; limit <= 200; limit += 50) {
        limit_here((unsigned)limit);
        const int seen = seen_by(call);
        /* 127 is the most that it can say. */
        const int most = limit < all ? limit : all;
        EXPECT(seen == (most == 150 ? 127 : most), "limit %d: %d", limit, seen);
    }
    limit_here(0);
    EXPECT(seen_by(call) == all, "%d", seen_by(call));
}

int main(int count, char** words)
{
    if (count == 3) {
        void* const it = open_or_die(words[1]);
        const char* const name = dlsym(it, "use") != NULL ? "use" : "scipy_cblas_dsymm64_";
        check_alone((call_function*)need(it, name), atoi(words[2]));
        puts(failures == 0 ? "all right" : "wrong");
        return failures;
    }
    if (count != 4)
        return 2;
    void* const user = open_or_die(words[1]);
    void* const library = open_or_die(words[2]);
    call_function* const use = (call_function*)need(user, "use");
    call_function* const gemm = (call_function*)need(library, "scipy_cblas_dsymm64_");
    call_function* const getrf = (call_function*)need(library, "scipy_dgetrf_64_");
    void (*const set)(int) = (void (*)(int))need(library, "scipy_openblas_set_num_threads64_");
    int (*const get)(void) = (int (*)(void))need(library, "scipy_openblas_get_num_threads64_");
    _Atomic int* const number = need(library, "blas_cpu_number");

    EXPECT(get() == 4, "%d", get());
    EXPECT(seen_by(use) == 4 && seen_by(gemm) == 4 && seen_by(getrf) == 4, "somebody alone");
    call_function* again = gemm;
    gemm(call_again, &again);

    call_function* both[2] = {use, getrf};
    together(2, both, number, 3);
    together(3, both, number, 2);
    together(4, both, number, 1);
    together(9, both, number, 1);
    EXPECT(get() == 4, "the limit is still what it was: %d", get());
    EXPECT(seen_in_the_end(gemm, 4) == 4, "alone again, but told %d", *number);

    /* Limits. */
    set(2);
    EXPECT(get() == 2 && seen_by(use) == 2, "limit 2: %d", get());
    together(4, both, number, 1);
    EXPECT(seen_in_the_end(gemm, 2) == 2 && get() == 2, "limit 2: %d", get());
    set(1);
    EXPECT(get() == 1 && seen_by(use) == 1, "limit 1: %d", get());
    set(4);
    EXPECT(seen_in_the_end(gemm, 4) == 4, "limit 4: %d", get());

    /* A limit of this thread alone. */
    unsigned (*const limit_here)(unsigned) = (unsigned (*)(unsigned))need(
        RTLD_DEFAULT, "artel_openblas_limit_here");
    EXPECT(limit_here(2) == 0 && seen_by(use) == 2 && get() == 4, "2 for this thread: %d",
           seen_by(use));
    together(2, both, number, 3);
    EXPECT(seen_in_the_end(gemm, 2) == 2, "2 for this thread: %d", *number);
    EXPECT(limit_here(0) == 2 && seen_in_the_end(gemm, 4) == 4, "no limit for this thread: %d",
           *number);

    /* Another copy, loaded later, shares the CPUs. */
    void* const copy = open_or_die(words[3]);
    call_function* const other = (call_function*)need(copy, "scipy_cblas_dsymm64_");
    EXPECT(other != gemm && seen_by(other) == 4, "the copy: %d", seen_by(other));
    call_function* mixed[2] = {use, other};
    together(4, mixed, number, 1);
    together(4, mixed, need(copy, "blas_cpu_number"), 1);
    EXPECT(seen_in_the_end(other, 4) == 4, "the copy");

    /* Arguments and results. */
    double (*const many)() = (double (*)())need(library, "scipy_dtgsna_64_");
    const double sum = many(1L, 1.5, 2L, 2.5, 3L, 3.5, 4L, 4.5, 5L, 5.5, 6L, 6.5, 7L, 7.5, 8L, 8.5,
                            9L, 9.5, 10L, 10.5, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L,
                            21L, 22L, 23L, 24L, 25L, 26L, 27L, 28L, 29L, 30L, 31L, 32L, 33L, 34L,
                            35L, 36L);
    double expected = 0;
    for (int i = 0; i < 10; ++i)
        expected += (i + 1) * (i + 1.5);
    for (int i = 0; i < 36; ++i)
        expected += (double)(i + 1) * (i + 11);
    EXPECT(sum == expected, "%f instead of %f", sum, expected);
    double complex (*const value)(double, double) = (double complex (*)(double, double))need(
        library, "scipy_zdotu_64_");
    EXPECT(value(1.5, -2) == 1.5 - 2 * I, "a complex result");
    double (*const dot)(int64_t, const double*, int64_t, const double*, int64_t) = (double (*)(
        int64_t, const double*, int64_t, const double*, int64_t))need(library,
                                                                      "scipy_cblas_ddot64_");
    static double ones[10000];
    for (int i = 0; i < 10000; ++i)
        ones[i] = 1;
    for (int n = 0; n <= 10000; n += 100)
        EXPECT(dot(n, ones, 1, ones, 1) == n, "dot of %d", n);

    /* A call that is left by longjmp() does not stay inside. */
    for (int i = 0; i < 3; ++i)
        if (setjmp(back) == 0)
            gemm(jump, NULL);
    EXPECT(seen_by(gemm) == 4, "after longjmp");
    together(4, both, number, 1);
    EXPECT(seen_in_the_end(gemm, 4) == 4, "after longjmp and others");

    /* A child of a fork is alone. */
    const pid_t child = fork();
    if (child == 0)
        _exit(seen_in_the_end(use, 4) == 4 ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child: %d", status);

    if (failures == 0)
        puts("all right");
    return failures != 0;
}
