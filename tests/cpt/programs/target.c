/* What a program gives to a device runs on the host. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
static int table[4] = {1, 2, 3, 4};
static int scale = 2;
static int twice(int x)
{
    return scale * x;
}
#pragma omp end declare target

static void saxpy(int n, float a, const float* x, float* y)
{
    int i;
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(tofrom : y[0 : n])
    for (i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static long sums(int n, int m, int* v)
{
    long sum = 0, pairs = 0, most = -1;
    int i, j;
#pragma omp target data map(to : v[0 : n])
    {
#pragma omp target parallel for reduction(+ : sum) schedule(static, 2)
        for (i = 0; i < n; i++)
            sum += twice(v[i]) + table[i % 4];
#pragma omp target teams distribute parallel for simd collapse(2) reduction(+ : pairs) \
    num_teams(2) thread_limit(3)
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                pairs += v[i] * j;
#pragma omp target teams num_teams(2) reduction(max : most)
#pragma omp distribute parallel for reduction(max : most)
        for (i = 0; i < n; i++)
            if (v[i] > most)
                most = v[i];
#pragma omp target update from(v[0 : n])
    }
    printf("%ld %ld %ld\n", sum, pairs, most);
    return sum;
}

/* Scalars are the region's own, arrays and what is mapped are the program's. */
static void copies(void)
{
    int own = 1, mapped = 1, first = 5, last = 0, array[3] = {1, 1, 1}, team = -1, among = -1;
#pragma omp target map(tofrom : mapped, team) firstprivate(first)
    {
        own++;
        mapped += own + first++;
        array[1] = own;
        team = omp_get_num_threads() * 10 + omp_get_thread_num();
#pragma omp parallel num_threads(3)
        {
#pragma omp atomic
            own++;
#pragma omp barrier
#pragma omp master
            array[2] = own;
        }
    }
    printf("%d %d %d %d %d %d\n", own, mapped, first, array[1], array[2], team);
#pragma omp target parallel num_threads(3) map(tofrom : mapped) private(last)
    {
        last = 1;
#pragma omp atomic
        mapped += last + own;
#pragma omp atomic
        first++;
#pragma omp barrier
#pragma omp single
        mapped += first;
    }
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp target map(from : among)
    {
        /* Loops share among the region's own team: here one thread. */
        int n = 0;
#pragma omp for
        for (int i = 0; i < 7; i++)
            n++;
        among = n * 10 + omp_in_parallel();
    }
    printf("%d %d %d\n", mapped, first, among);
}

static void order(void)
{
    int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : value) shared(value)
        value = 1;
#pragma omp target enter data map(to : value) depend(inout : value) nowait
#pragma omp target depend(inout : value) map(tofrom : value) nowait if (target : value > 5)
        value = value * 10 + 2;
#pragma omp task depend(inout : value) shared(value)
        value = value * 10 + 3;
#pragma omp target exit data map(from : value) depend(in : value)
    }
    printf("%d %d\n", value, omp_get_num_devices() == 0 || omp_get_num_devices() > 0);
}

int main(void)
{
    int n = 37, i;
    float* x = malloc(sizeof(float) * n);
    float* y = malloc(sizeof(float) * n);
    int* v = malloc(sizeof(int) * n);
    for (i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1;
        v[i] = i * 7 % 11;
    }
    saxpy(n, 2, x, y);
    printf("%g %g\n", y[0], y[n - 1]);
    sums(n, 5, v);
    copies();
    order();
    free(x);
    free(y);
    free(v);
    return 0;
}
