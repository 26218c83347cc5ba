/* How long one collective takes, under the MPI for which this is compiled. Two ways to measure:

     rate calls one after the other, divided by their number: what a root that runs ahead sees
     completion all ranks start at a common instant of the machine's clock; from there until the
     last one is done. With more ranks than CPUs only this one is meaningful; ranks sleep until
     shortly before the instant, so that they do not keep each other from running.

   Every call uses another part of a large buffer (--off-cache BYTES; 0: the same one), as in the
   paper. Prints one JSON line per size: medians and minima over the repetitions in microseconds,
   the CPU time of all ranks per call, and how near each other the CPUs of the first two ranks were:
   the longer of two bare round trips, before and after. Usage: collective OPERATION SIZE...
   [--off-cache BYTES] [--calls N] [--repeats N] [--rotate]. One machine only: the clock must be
   common. */
#define _GNU_SOURCE
#include <mpi.h>

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int rank, size, rotate;
static char *buffer, *second;
static size_t room;
static double* values;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_time(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Two words that ranks 0 and 1 share under any MPI, each on a cache line of its own; NULL if that
 * is impossible. */
static struct words {
    _Alignas(128) atomic_long ping;
    _Alignas(128) atomic_long pong;
}* words;

static void share_words(void)
{
    char path[64] = "";
    int fd = -1;
    if (rank == 0 && (fd = memfd_create("collective", 0)) >= 0 &&
        ftruncate(fd, sizeof *words) == 0) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), fd);
    }
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 1 && path[0] != '\0') {
        fd = open(path, O_RDWR);
    }
    void* const at = fd < 0 ? MAP_FAILED
                            : mmap(NULL, sizeof *words, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int there = rank > 1 || (size > 1 && at != MAP_FAILED);
    MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    words = there && rank < 2 ? at : NULL;
    if (fd >= 0) {
        close(fd);
    }
}

/* The nanoseconds that ranks 0 and 1 need to answer each other, the least of some batches; 0 if not
 * known. Only with a CPU for each, since they spin. */
static double round_trip(void)
{
    enum { batches = 5, trips = 300 };
    double least = 1e9;
    MPI_Barrier(MPI_COMM_WORLD);
    if (words != NULL && size <= sysconf(_SC_NPROCESSORS_ONLN)) {
        static long trip;
        for (int batch = 0; batch < batches; ++batch) {
            const double start = now();
            for (int i = 0; i < trips; ++i) {
                ++trip;
                /* release, acquire: as two ranks need that pass on a result. */
                if (rank == 0) {
                    atomic_store_explicit(&words->ping, trip, memory_order_release);
                }
                while (atomic_load_explicit(rank == 0 ? &words->pong : &words->ping,
                                            memory_order_acquire) != trip) {
                }
                if (rank == 1) {
                    atomic_store_explicit(&words->pong, trip, memory_order_release);
                }
            }
            const double each = (now() - start) / trips * 1e9;
            least = each < least ? each : least;
        }
    } else {
        least = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return least;
}

static char* part(char* of, size_t bytes, long call)
{
    const size_t step = (bytes + 4095) / 4096 * 4096;
    const size_t parts = room / step;
    return of + (parts == 0 ? 0 : (size_t)call % parts * step);
}

static void operate(const char* operation, size_t bytes, long call)
{
    const int root = rotate ? (int)(call % size) : 0;
    if (strcmp(operation, "bcast") == 0) {
        MPI_Bcast(part(buffer, bytes, call), (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    } else if (strcmp(operation, "allreduce") == 0) {
        MPI_Allreduce(part(buffer, bytes, call), part(second, bytes, call),
                      (int)(bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(part(buffer, bytes, call), part(second, bytes, call),
                   (int)(bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    } else if (strcmp(operation, "allgather") == 0) {
        /* Each rank sends so many bytes. */
        MPI_Allgather(part(buffer, bytes, call), (int)bytes, MPI_BYTE,
                      part(second, bytes * (size_t)size, call), (int)bytes, MPI_BYTE,
                      MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static double median(int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* All ranks leave at the same time, which rank 0 names. */
static void start_together(double ahead)
{
    double instant = now() + ahead;
    MPI_Allreduce(MPI_IN_PLACE, &instant, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* With a CPU for each rank, ranks spin for the last part, so that waking up is not measured;
     * otherwise spinning ranks would keep each other from running. */
    const double early = instant - (size <= sysconf(_SC_NPROCESSORS_ONLN) ? 200e-6 : 0);
    const struct timespec until = {(time_t)early, (long)((early - (double)(time_t)early) * 1e9)};
    /* By default the kernel may wake a process 50 us late, so that it can combine timers. Only the
     * collective's own sleeps may be that late. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    prctl(PR_SET_TIMERSLACK, 0UL); /* what it was */
    while (now() < instant) {
    }
    values[0] = instant;
}

static void measure(const char* operation, size_t bytes, long calls, int repeats)
{
    double rate_median, rate_least, completion_median, completion_least, cpu;
    for (int i = 0; i < 8; ++i) {
        operate(operation, bytes, i);
    }
    const double nearness = round_trip();
    double* const rates = malloc((size_t)repeats * sizeof(double));
    double used = 0;
    long done = 0;
    for (int r = 0; r < repeats; ++r) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double cpu_before = cpu_time(), start = now();
        for (long i = 0; i < calls; ++i) {
            operate(operation, bytes, i);
        }
        double spent = now() - start;
        MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        used += cpu_time() - cpu_before;
        done += calls;
        rates[r] = spent / (double)calls * 1e6;
    }
    MPI_Allreduce(MPI_IN_PLACE, &used, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    cpu = used / (double)done * 1e6;
    memcpy(values, rates, (size_t)repeats * sizeof(double));
    rate_median = median(repeats);
    rate_least = values[0];
    const int singles = repeats * 4;
    double* const times = malloc((size_t)singles * sizeof(double));
    for (int r = 0; r < singles; ++r) {
        start_together(size > 4 ? 1e-3 : 500e-6);
        const double instant = values[0];
        operate(operation, bytes, r);
        double end = now() - instant;
        MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        times[r] = end * 1e6;
    }
    memcpy(values, times, (size_t)singles * sizeof(double));
    completion_median = median(singles);
    completion_least = values[0];
    const double nearness_after = round_trip();
    if (rank == 0) {
        printf(
            "{\"operation\": \"%s\", \"ranks\": %d, \"bytes\": %zu, \"rate_us\": %.4f, "
            "\"rate_min_us\": %.4f, \"completion_us\": %.3f, \"completion_min_us\": %.3f, "
            "\"cpu_us\": %.4f, \"round_trip_ns\": %.1f}\n",
            operation, size, bytes, rate_median, rate_least, completion_median, completion_least,
            cpu, nearness > nearness_after ? nearness : nearness_after);
        fflush(stdout);
    }
    free(rates);
    free(times);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char* operation = NULL;
    size_t sizes[64], off_cache = 0;
    int n = 0, repeats = 5;
    long calls = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--off-cache") == 0 && i + 1 < argc) {
            off_cache = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--calls") == 0 && i + 1 < argc) {
            calls = atol(argv[++i]);
        } else if (strcmp(argv[i], "--repeats") == 0 && i + 1 < argc) {
            repeats = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--rotate") == 0) {
            rotate = 1;
        } else if (operation == NULL) {
            operation = argv[i];
        } else if (n < 64) {
            sizes[n++] = strtoull(argv[i], NULL, 10);
        }
    }
    if (operation == NULL || n == 0) {
        if (rank == 0) {
            fprintf(stderr,
                    "usage: collective bcast|allreduce|reduce|allgather|barrier SIZE... "
                    "[--off-cache BYTES] [--calls N] [--repeats N] [--rotate]\n");
        }
        MPI_Finalize();
        return 2;
    }
    size_t most = 0;
    for (int i = 0; i < n; ++i) {
        most = sizes[i] > most ? sizes[i] : most;
    }
    room = off_cache;
    const size_t whole = (most > room ? most : room) + 8192;
    buffer = aligned_alloc(4096, whole / 4096 * 4096 + 4096);
    /* An allgather receives from all; parts of it lie within off_cache as well. */
    const size_t received = strcmp(operation, "allgather") == 0 && most * (size_t)size > room
                                ? most * (size_t)size + 8192
                                : whole;
    second = aligned_alloc(4096, received / 4096 * 4096 + 4096);
    share_words();
    values = malloc(sizeof(double) * (size_t)(repeats * 4 + 8));
    memset(buffer, 1, whole);
    memset(second, 1, received);
    for (int i = 0; i < n; ++i) {
        long c = calls;
        if (c == 0) { /* about 20 ms a repeat */
            c = sizes[i] <= 4096        ? 20000
                : sizes[i] <= 262144    ? 500
                : sizes[i] <= (2 << 20) ? 50
                                        : 6;
            c = size > 2 ? c / 10 + 1 : c;
        }
        measure(operation, sizes[i], c, repeats);
    }
    MPI_Finalize();
    return 0;
}
