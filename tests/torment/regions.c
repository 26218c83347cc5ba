/* regions.c — regions of one thread whose sizes differ in turn, so that each uses again what the
 * last one has just given up. Every member's part is counted; a lost one, or one too many, ends the
 * program with status 1, and one that does not come to an end is for the caller's time limit.
 *
 * regions SECONDS [THREADS]: THREADS (default 2) external threads do this at the same time. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double limit;
static _Atomic long regions;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void expect(const char* what, long found, long wanted)
{
    if (found != wanted) {
        fprintf(stderr, "regions: %s: %ld, and should be %ld\n", what, found, wanted);
        _Exit(1);
    }
}

static unsigned next(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void sums(int n)
{
    long sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
    expect("sum over members", sum, (long)n * (n + 1) / 2);
}

static void loops(int n, int count)
{
    long sum = 0;
    long all = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < count; ++i)
            sum += i;
#pragma omp for schedule(guided)
        for (int i = 0; i < count; ++i)
            sum += i;
#pragma omp single
        all = sum >= 0;
#pragma omp for schedule(static)
        for (int i = 0; i < count; ++i)
            sum += all * i;
    }
    expect("sum of three loops", sum, 3L * count * (count - 1) / 2);
}

static void sections(int n)
{
    int first = 0;
    int second = 0;
    int third = 0;
#pragma omp parallel sections num_threads(n)
    {
#pragma omp section
        ++first;
#pragma omp section
        ++second;
#pragma omp section
        ++third;
    }
    expect("sections", first + 10 * second + 100 * third, 111);
}

static void tasks(int n, int count)
{
    long done = 0;
#pragma omp parallel num_threads(n)
    {
#pragma omp single nowait
        for (int i = 0; i < count; ++i) {
#pragma omp task shared(done)
            {
#pragma omp atomic
                ++done;
                if (i % 4 == 0) {
#pragma omp task shared(done)
#pragma omp atomic
                    ++done;
#pragma omp taskwait
                }
            }
        }
    }
    expect("tasks", done, count + (count + 3) / 4);
}

static void nested(int n, int inner)
{
    long sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    {
        long mine = 0;
        const int size = 1 + (inner + omp_get_thread_num()) % 4;
#pragma omp parallel num_threads(size) reduction(+ : mine)
        {
            mine += 1;
#pragma omp barrier
            mine += 1;
        }
        expect("inner team", mine, 2L * size);
        sum += 1;
    }
    expect("outer team", sum, n);
}

static void cancelled(int n)
{
    long arrived = 0;
#pragma omp parallel num_threads(n) shared(arrived)
    {
#pragma omp atomic
        ++arrived;
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
#pragma omp barrier
    }
    expect("members of a cancelled region", arrived, n);
}

static void barriers(int n)
{
    int phase[64] = {0};
    long wrong = 0;
#pragma omp parallel num_threads(n) reduction(+ : wrong)
    {
        const int me = omp_get_thread_num();
        for (int p = 1; p < 4; ++p) {
            phase[me] = p;
#pragma omp barrier
            for (int i = 0; i < n; ++i)
                wrong += phase[i] != p;
#pragma omp barrier
        }
    }
    expect("phases seen wrong", wrong, 0);
}

static void* work(void* number)
{
    static const int sizes[] = {5, 3, 2, 7, 4, 16, 2, 3, 8, 5};
    unsigned random = 77u * (unsigned)(long)number + 5u;
    long done = 0;
    do {
        for (int k = 0; k < 16; ++k) {
            const int n = sizes[next(&random) % (sizeof sizes / sizeof *sizes)];
            /* Most are empty: what goes wrong at a region's end goes wrong there soonest. */
            switch (next(&random) % 16) {
            case 0: loops(n, 1 + (int)(next(&random) % 40)); break;
            case 1: sections(n); break;
            case 2: tasks(n, 1 + (int)(next(&random) % 20)); break;
            case 3: nested(n > 4 ? 3 : n, (int)(next(&random) % 4)); break;
            case 4: cancelled(n); break;
            case 5: barriers(n); break;
            default: sums(n); break;
            }
            ++done;
        }
    } while (now() < limit);
    regions += done;
    return NULL;
}

int main(int argc, char** argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 0;
    const long threads = argc > 2 ? atol(argv[2]) : 2;
    if (seconds <= 0 || threads < 1 || threads > 256) {
        fprintf(stderr, "Usage: regions SECONDS [THREADS], THREADS from 1 to 256\n");
        return 2;
    }
    limit = now() + seconds;
    omp_set_max_active_levels(4);
    omp_set_dynamic(0);
    pthread_t ids[256];
    for (long i = 1; i < threads; ++i)
        if (pthread_create(&ids[i], NULL, work, (void*)i) != 0)
            return 3;
    work(NULL);
    for (long i = 1; i < threads; ++i)
        pthread_join(ids[i], NULL);
    printf("%ld regions\n", regions);
    return 0;
}
