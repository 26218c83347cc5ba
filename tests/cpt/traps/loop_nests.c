/* Statements between loops that are counted as one, unrolled loops, and tiles. */
#include <stdlib.h>
#define N 7
#define M 11
static int cells[N][M];
static void expect_all(int value)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            if (cells[i][j] != value)
                abort();
            cells[i][j] = 0;
        }
}
static void between_loops(int n)
{
    int sum = 0, rows = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) schedule(dynamic, 3)
    for (int i = 0; i < n; i++) {
        const int row = i * M;
        int seen = 0;
        for (int j = 0; j < M; j++) {
            seen++;
            if (j % 2 == 1)
                continue;
            cells[i][j] += row + j - i * M - j + 1;
        }
        sum += seen; /* of one iteration */
        if (i == 0)
            continue;
#pragma omp atomic
        rows++;
    }
    if (sum != n * M || rows != (n - 1) * M)
        abort();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) {
            if (cells[i][j] != (j % 2 == 0))
                abort();
            cells[i][j] = 0;
        }
}
static void three_deep(int n)
{
    int sum = 0, other = 0, i, j, k;
#pragma omp parallel for collapse(3) reduction(+ : sum, other)
    for (i = 0; i < n; i++) {
        int a = i;
        {
            int b = a + 1;
            for (j = 0; j < i; j += 2) {
                for (k = j; k > 0; k--)
                    sum += a + b + k;
                other++;
            }
        }
    }
    int wanted = 0, times = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j += 2)
            for (k = j; k > 0; k--, times++)
                wanted += i + i + 1 + k;
    if (sum != wanted || other != times)
        abort();
}
static void in_tasks(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskloop collapse(2) grainsize(4)
        for (int i = 0; i < N; i++) {
            int* row = cells[i];
            for (int j = 0; j < M; j++)
                row[j]++;
        }
    }
    expect_all(1);
    int last = 0;
#pragma omp simd collapse(2) lastprivate(last)
    for (int i = 0; i < N; i++) {
        last = i;
        for (int j = 0; j < M; j++)
            cells[i][j] += 2;
    }
    if (last != N - 1)
        abort();
    expect_all(2);
}
static void unrolled(int n)
{
    int sum = 0;
#pragma omp unroll
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp unroll full
    for (int i = 0; i < 4; i++)
        sum += i;
#pragma omp parallel for reduction(+ : sum)
#pragma omp unroll partial(3)
    for (int i = 0; i < n; i++)
        sum += i;
    if (sum != n * (n - 1) + 6)
        abort();
}
static void tiles(int n)
{
    int order[N * M], number = 0, i, j;
#pragma omp tile sizes(2, 4)
    for (i = 0; i < N; i++)
        for (j = M - 1; j >= 0; j--)
            order[number++] = i * M + j;
    if (number != N * M || i != N || j != -1)
        abort();
    /* The first tile: two rows, four columns from the end. */
    if (order[0] != M - 1 || order[3] != M - 4 || order[4] != 2 * M - 1 || order[8] != M - 5)
        abort();
#pragma omp tile sizes(3)
    for (int* p = &cells[0][0]; p < &cells[0][0] + N * M; p++)
        ++*p;
#pragma omp parallel for
#pragma omp tile sizes(3, 4)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            cells[i][j]++;
#pragma omp parallel num_threads(3)
#pragma omp for collapse(2) schedule(static, 1)
#pragma omp tile sizes(2, 5)
    for (unsigned i = 0; i < N; i++)
        for (long j = 0; j < M; j++)
            cells[i][j]++;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
#pragma omp tile sizes(2, 5)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            cells[i][j]++;
    expect_all(4);
#pragma omp tile sizes(4)
    for (int i = n; i < 0; i++)
        abort();
}
static int count, last_i, last_j, step = 1;
static void copied_bounds(int n, const int* list)
{
    int ends[3] = {3, 4, 5}, i, j;
#pragma omp for collapse(2) reduction(+ : count) private(n, ends, list, step, i, j) \
    schedule(dynamic, 2)
    for (i = 0; i < n; i += step)
        for (j = ends[1] + list[2]; j > i; j--) {
            n = ends[1] = -1;
            list = NULL;
            step = 100 + i;
            count += 10 + i + j;
        }
#pragma omp for collapse(2) lastprivate(last_i, last_j)
    for (last_i = 0; last_i < n; last_i++)
        for (last_j = last_i; last_j < n; last_j++)
            ;
}
int main(void)
{
    const int list[3] = {0, 1, 2};
#pragma omp parallel num_threads(2)
    copied_bounds(5, list);
    if (count != 315 || step != 1 || last_i != 5 || last_j != 5)
        abort();
    between_loops(N);
    three_deep(9);
    in_tasks();
    unrolled(10);
    tiles(5);
    return 0;
}
