/* Six programs in the manner of the NAS benchmarks, small enough to run many at once: ep (random
 * pairs), cg (sparse products and sums), mg (a hierarchy of grids), ft (transforms along the rows
 * and columns of a matrix), is (sorting by counting), sp (lines solved along both directions of a
 * plane). Started with a name, a scale and a number of rounds; prints seconds and a sum that does
 * not depend on threads. */
#include <complex.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* need(size_t bytes)
{
    void* const p = malloc(bytes);
    if (p == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return p;
}

static unsigned long long next_random(unsigned long long* state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 33;
}

/* Pairs that lie in the unit circle, counted by ring. */
static double ep(int scale, int rounds)
{
    long rings[10] = {0};
#pragma omp parallel for schedule(runtime) reduction(+ : rings[0 : 10])
    for (int block = 0; block < 16 * rounds; block++) {
        unsigned long long state = 12345 + 977 * (unsigned long long)block;
        for (int i = 0; i < 1000 * scale; i++) {
            const double x = 2.0 * (double)next_random(&state) / 2147483648.0 - 1;
            const double y = 2.0 * (double)next_random(&state) / 2147483648.0 - 1;
            const double r = x * x + y * y;
            if (r <= 1)
                rings[(int)(r * 9.999)]++;
        }
    }
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += (double)rings[i] * (i + 1);
    return sum;
}

/* Powers of a sparse matrix on a vector; the parts of the sum are added in order. */
static double cg(int scale, int rounds)
{
    enum { width = 15 };
    const int n = 1000 * scale;
    int* const column = need(sizeof(int) * width * (size_t)n);
    double *x = need(sizeof(double) * (size_t)n), *y = need(sizeof(double) * (size_t)n), sums[64],
           norm = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned long long state = 7 * (unsigned long long)i + 1;
        for (int k = 0; k < width; k++)
            column[i * width + k] = (int)(next_random(&state) % (unsigned)n);
        x[i] = 1.0 / (1 + i % 17);
    }
    for (int r = 0; r < 10 * rounds; r++) {
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < n; i++) {
            double s = 2 * x[i];
            for (int k = 0; k < width; k++)
                s += 0.5 / width * x[column[i * width + k]];
            y[i] = s;
        }
#pragma omp parallel for schedule(runtime)
        for (int part = 0; part < 64; part++) {
            double s = 0;
            for (long i = (long)part * n / 64; i < (long)(part + 1) * n / 64; i++)
                s += y[i] * y[i];
            sums[part] = s;
        }
        norm = 0;
        for (int part = 0; part < 64; part++)
            norm += sums[part];
        norm = sqrt(norm);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = y[i] / norm;
    }
    free(column);
    free(x);
    free(y);
    return norm;
}

/* Relaxation on grids of half the side each, down and up again. */
static void relax(double* to, const double* from, int side)
{
#pragma omp parallel for schedule(runtime)
    for (int i = 1; i < side - 1; i++)
        for (int j = 1; j < side - 1; j++)
            to[i * side + j] = 0.5 * from[i * side + j] +
                               0.125 * (from[(i - 1) * side + j] + from[(i + 1) * side + j] +
                                        from[i * side + j - 1] + from[i * side + j + 1]);
}

static double mg(int scale, int rounds)
{
    enum { levels = 4 };
    double *grid[levels], *other[levels], sum = 0;
    int side[levels];
    for (int l = 0; l < levels; l++) {
        side[l] = (64 * scale >> l) + 2;
        grid[l] = calloc((size_t)side[l] * side[l], sizeof(double));
        other[l] = calloc((size_t)side[l] * side[l], sizeof(double));
        if (grid[l] == NULL || other[l] == NULL)
            exit(1);
    }
    for (int i = 0; i < side[0] * side[0]; i++)
        grid[0][i] = i % 13;
    for (int r = 0; r < rounds; r++) {
        for (int l = 0; l + 1 < levels; l++) {
            relax(other[l], grid[l], side[l]);
#pragma omp parallel for
            for (int i = 1; i < side[l + 1] - 1; i++)
                for (int j = 1; j < side[l + 1] - 1; j++)
                    grid[l + 1][i * side[l + 1] + j] = other[l][(2 * i - 1) * side[l] + 2 * j - 1];
        }
        for (int l = levels - 1; l-- > 0;) {
#pragma omp parallel for
            for (int i = 1; i < side[l] - 1; i++)
                for (int j = 1; j < side[l] - 1; j++)
                    other[l][i * side[l] + j] += 0.5 * grid[l + 1][(i + 1) / 2 * side[l + 1] +
                                                                   (j + 1) / 2];
            relax(grid[l], other[l], side[l]);
        }
    }
    for (int i = 0; i < side[0] * side[0]; i++)
        sum += grid[0][i];
    for (int l = 0; l < levels; l++) {
        free(grid[l]);
        free(other[l]);
    }
    return sum;
}

static void transform(double complex* a, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (int half = 1; half < n; half *= 2) {
        const double complex turn = cexp(-M_PI * I / half);
        for (int i = 0; i < n; i += 2 * half) {
            double complex w = 1;
            for (int j = 0; j < half; j++, w *= turn) {
                const double complex u = a[i + j], v = a[i + j + half] * w;
                a[i + j] = u + v;
                a[i + j + half] = u - v;
            }
        }
    }
}

static double ft(int scale, int rounds)
{
    int n = 32;
    while (n < 16 * scale)
        n *= 2;
    double complex *a = need(sizeof *a * (size_t)n * n), *b = need(sizeof *b * (size_t)n * n);
    for (int i = 0; i < n * n; i++)
        a[i] = i % 7 + I * (i % 5);
    for (int r = 0; r < 2 * rounds; r++) {
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < n; i++)
            transform(a + (size_t)i * n, n);
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                b[(size_t)i * n + j] = a[(size_t)j * n + i] / sqrt(n);
        double complex* const t = a;
        a = b;
        b = t;
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        sum += cabs(a[i]);
    free(a);
    free(b);
    return sum;
}

/* Sorts by counting: each of 32 blocks counts its keys; the sums of the counts give the keys of
 * each block their places. */
static double is(int scale, int rounds)
{
    enum { blocks = 32, keys = 1 << 10 };
    const int n = 4000 * scale;
    int *const key = need(sizeof(int) * (size_t)n), *const place = need(sizeof(int) * (size_t)n);
    int(*const counts)[keys] = need(sizeof(int[blocks][keys]));
    double sum = 0;
    for (int r = 0; r < 2 * rounds; r++) {
#pragma omp parallel
        {
#pragma omp for schedule(runtime)
            for (int b = 0; b < blocks; b++) {
                unsigned long long state = (unsigned)(b + r + 1);
                memset(counts[b], 0, sizeof counts[b]);
                for (long i = (long)b * n / blocks; i < (long)(b + 1) * n / blocks; i++)
                    counts[b][key[i] = (int)(next_random(&state) % keys)]++;
            }
#pragma omp single
            for (int k = 0, at = 0; k < keys; k++)
                for (int b = 0; b < blocks; b++) {
                    const int more = counts[b][k];
                    counts[b][k] = at;
                    at += more;
                }
#pragma omp for schedule(runtime)
            for (int b = 0; b < blocks; b++)
                for (long i = (long)b * n / blocks; i < (long)(b + 1) * n / blocks; i++)
                    place[counts[b][key[i]]++] = key[i];
        }
        for (int i = 0; i < n; i += 97)
            sum += place[i] * (double)(i % 31);
    }
    free(key);
    free(place);
    free(counts);
    return sum;
}

/* Three-point systems along all rows, then along all columns. */
static void lines(double* grid, int n, int along, int across, double* work)
{
#pragma omp parallel for schedule(runtime)
    for (int l = 0; l < n; l++) {
        double* const x = grid + (size_t)l * across;
        double* const c = work + (size_t)l * n;
        c[0] = -0.25;
        for (int i = 1; i < n; i++) {
            const double m = 1 / (1 + 0.25 * c[i - 1]);
            c[i] = -0.25 * m;
            x[(size_t)i * along] = (x[(size_t)i * along] + 0.25 * x[(size_t)(i - 1) * along]) * m;
        }
        for (int i = n - 2; i >= 0; i--)
            x[(size_t)i * along] -= c[i] * x[(size_t)(i + 1) * along];
    }
}

static double sp(int scale, int rounds)
{
    const int n = 40 * scale;
    double *const grid = need(sizeof(double) * (size_t)n * n), *const work = need(sizeof(double) *
                                                                                  (size_t)n * n);
    for (int i = 0; i < n * n; i++)
        grid[i] = i % 23;
    for (int r = 0; r < 2 * rounds; r++) {
        lines(grid, n, 1, n, work);
        lines(grid, n, n, 1, work);
#pragma omp parallel for
        for (int i = 0; i < n * n; i++)
            grid[i] = 0.25 * grid[i] + i % 3;
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        sum += grid[i];
    free(grid);
    free(work);
    return sum;
}

static const struct {
    const char* name;
    double (*run)(int scale, int rounds);
} programs[] = {{"ep", ep}, {"cg", cg}, {"mg", mg}, {"ft", ft}, {"is", is}, {"sp", sp}};

int main(int count, char** arguments)
{
    for (unsigned i = 0; count == 4 && i < sizeof programs / sizeof programs[0]; i++) {
        if (strcmp(arguments[1], programs[i].name) == 0) {
            const double begin = omp_get_wtime();
            const double sum = programs[i].run(atoi(arguments[2]), atoi(arguments[3]));
            printf("%.6f %.10e\n", omp_get_wtime() - begin, sum);
            return 0;
        }
    }
    fprintf(stderr, "Usage: nas_like ep|cg|mg|ft|is|sp SCALE ROUNDS\n");
    return 2;
}
