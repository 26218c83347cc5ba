/* Merge sort with tasks: recursion in which the merges are parallel too.
 *
 * Both halves are sorted by tasks, then the two sorted runs are merged by splitting the longer one
 * in the middle, finding where that value falls in the other, and merging the two parts by tasks.
 * --cutoff is the number of elements below which a piece is no longer split. */
#include "example.h"

#include <getopt.h>
#include <omp.h>

/* Merges the sorted runs a and b into out, in plain order. */
static void merge_plain(const double* a, size_t na, const double* b, size_t nb, double* out)
{
    while (na > 0 && nb > 0) {
        if (*b < *a)
            *out++ = *b++, --nb;
        else
            *out++ = *a++, --na;
    }
    memcpy(out, a, na * sizeof(double));
    memcpy(out + na, b, nb * sizeof(double));
}

/* The first place in the sorted run at which the value could be inserted. */
static size_t lower_bound(const double* run, size_t count, double value)
{
    size_t low = 0;
    while (count > 0) {
        const size_t half = count / 2;
        if (run[low + half] < value)
            low += half + 1, count -= half + 1;
        else
            count = half;
    }
    return low;
}

static void merge(const double* a, size_t na, const double* b, size_t nb, double* out,
                  size_t cutoff)
{
    if (na + nb <= cutoff) {
        merge_plain(a, na, b, nb, out);
        return;
    }
    if (na < nb) {
        const double* const swap = a;
        const size_t count = na;
        a = b, na = nb;
        b = swap, nb = count;
    }
    const size_t middle = na / 2, other = lower_bound(b, nb, a[middle]);
#pragma omp task default(none) firstprivate(a, middle, b, other, out, cutoff)
    merge(a, middle, b, other, out, cutoff);
    merge(a + middle, na - middle, b + other, nb - other, out + middle + other, cutoff);
#pragma omp taskwait
}

static int compare(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

/* Sorts count elements of data; the result is left in data, spare is as long. */
static void sort(double* data, double* spare, size_t count, size_t cutoff)
{
    if (count <= cutoff) {
        qsort(data, count, sizeof(double), compare);
        return;
    }
    const size_t half = count / 2;
#pragma omp task default(none) firstprivate(data, spare, half, cutoff)
    sort(data, spare, half, cutoff);
    sort(data + half, spare + half, count - half, cutoff);
#pragma omp taskwait
    merge(data, half, data + half, count - half, spare, cutoff);
    memcpy(data, spare, count * sizeof(double));
}

/* A small generator of good quality (splitmix64), so that every machine sorts the same numbers. */
static uint64_t next_random(uint64_t* state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void usage(void)
{
    puts(
        "usage: mergesort [options]\n"
        "Sorts random numbers with OpenMP tasks; the merges are parallel too.\n\n"
        "  --size N      numbers to sort (default 2000000)\n"
        "  --cutoff N    pieces up to this size are not split (default 64)\n"
        "  --seed N      of the random numbers (default 1)\n"
        "  --threads N   threads (default: what OpenMP chooses)\n"
        "  --help        this text");
}

int main(int argc, char** argv)
{
    size_t size = 2000000, cutoff = 64;
    uint64_t seed = 1;
    int threads = 0;
    static const struct option options[] = {{"size", 1, 0, 's'}, {"cutoff", 1, 0, 'c'},
                                            {"seed", 1, 0, 'r'}, {"threads", 1, 0, 't'},
                                            {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 's': size = (size_t)parse_long("size", optarg, 0, 1L << 32); break;
        case 'c': cutoff = (size_t)parse_long("cutoff", optarg, 2, 1L << 32); break;
        case 'r': seed = (uint64_t)parse_long("seed", optarg, 0, 1L << 62); break;
        case 't': threads = (int)parse_long("threads", optarg, 1, 4096); break;
        case 'h': usage(); return 0;
        default: return 2;
        }
    no_more_arguments(argc, argv, optind);
    omp_set_dynamic(0);
    if (threads == 0)
        threads = omp_get_max_threads();

    double *const data = allocate(size * sizeof(double)), *const spare = allocate(size *
                                                                                  sizeof(double));
    uint64_t state = seed, before = 0, after = 0;
    for (size_t i = 0; i < size; ++i) {
        data[i] = (double)(next_random(&state) >> 11) * 0x1p-53;
        before += checksum(CHECKSUM_START, &data[i], sizeof(double)); /* a sum does not see the
                                                                         order */
    }
    const double start = seconds();
#pragma omp parallel num_threads(threads)
#pragma omp single
    sort(data, spare, size, cutoff);
    const double took = seconds() - start;

    for (size_t i = 0; i < size; ++i) {
        if (i > 0 && data[i] < data[i - 1])
            fail(1, "element %zu is smaller than the one before it", i);
        after += checksum(CHECKSUM_START, &data[i], sizeof(double));
    }
    printf("result: mergesort size=%zu seed=%llu checksum=%016llx\n", size,
           (unsigned long long)seed,
           (unsigned long long)checksum(CHECKSUM_START, data, size * sizeof(double)));
    printf("time: %.3f s\n", took);
    free(data);
    free(spare);
    if (before != after)
        fail(1, "numbers were lost or invented");
    return 0;
}
