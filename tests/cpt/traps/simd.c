/* simd alone and combined: what the compiler is told of the loop must not change what it computes,
 * and counters and lastprivate variables have their values behind it. */
#include <limits.h>
#include <stdlib.h>
#define N 103
#define CHECK(what)  \
    do {             \
        if (!(what)) \
            abort(); \
    } while (0)
static int a[N], b[N];
static double x[N], y[N];
static int twice(int i)
{
    return 2 * i;
}
static void sums(int n)
{
    int sum = 5, least = INT_MAX, most = -1, all = 1, any = 0, bits = 0, both = ~0;
    double product = 1, total = 0;
#pragma omp simd reduction(+ : sum, total) reduction(min : least) reduction(max : most) \
    reduction(&& : all) reduction(|| : any) reduction(| : bits) reduction(& : both)
    for (int i = 0; i < n; i++) {
        sum += a[i];
        total += y[i];
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
        all = all && a[i] >= 0;
        any = any || a[i] == 50;
        bits |= i;
        both &= i | 64;
    }
    CHECK(sum == 5 + n * (n - 1) / 2 && total == n * (n - 1) && all && any && bits == 127);
    CHECK(least == 0 && most == n - 1 && both == 64);
#pragma omp parallel for simd reduction(* : product) reduction(- : sum) num_threads(3)
    for (int i = 1; i < 8; i++) {
        product *= i;
        sum -= i;
    }
    CHECK(product == 5040 && sum == 5 + n * (n - 1) / 2 - 28);
#pragma omp parallel num_threads(2) shared(sum)
    {
#pragma omp single
        {
#pragma omp simd reduction(+ : sum) simdlen(4) safelen(8)
            for (int i = 0; i < 8; i++)
                sum += twice(i);
        }
    }
    CHECK(sum == 5 + n * (n - 1) / 2 + 28);
}
static void counters(int n)
{
    int i, last = -1, t[3];
    unsigned char c;
    short s;
    int* p;
    long l = 0;
#pragma omp simd private(t) lastprivate(last)
    for (i = 3; i < n; i += 7) {
        t[i % 3] = i;
        a[i] = t[i % 3] + 1;
        last = i * 2;
    }
    CHECK(i == 108 && last == 2 * 101);
#pragma omp simd
    for (i = n; i < 5; i++)
        abort();
#pragma omp simd
    for (c = 0; c < 255; c++)
        b[c % N] = c;
    CHECK(c == 255);
#pragma omp simd reduction(+ : l)
    for (s = 100; s > -50; s -= 3)
        l += s;
    CHECK(s == -50 && l == 1325);
#pragma omp simd reduction(+ : l)
    for (s = -5; s <= 5; s = 2 + s)
        l += s;
    CHECK(s == 7 && l == 1325);
#pragma omp simd
    for (p = b; p < b + N; ++p)
        *p = 4;
    CHECK(p == b + N && b[0] == 4 && b[N - 1] == 4);
#pragma omp simd
    for (p = b + N - 1; p >= b; p -= 2)
        *p = 5;
    CHECK(b[0] == 5 && b[1] == 4 && b[N - 1] == 5);
#pragma omp parallel for simd lastprivate(last) num_threads(4)
    for (i = 0; i != n; ++i) {
        last = i;
        if (i == 50)
            continue;
        a[i] = i;
    }
    CHECK(i == n && last == n - 1 && a[49] == 49);
#pragma omp simd
    for (i = INT_MAX - 4; i < INT_MAX; i++)
        a[INT_MAX - i] = 1;
    CHECK(i == INT_MAX && a[4] == 1);
}
static void others(int n)
{
    int k = 0, step = 3, first = 9, m[4] = {0}, i, j, *q = m;
    struct {
        int one, two;
    } pair = {1, 2};
#pragma omp simd linear(k : step)
    for (i = 0; i < 10; i++) {
        a[i] = k;
        k += step;
    }
    CHECK(k == 30 && a[9] == 27);
#pragma omp parallel for simd firstprivate(first) lastprivate(first) num_threads(2)
    for (i = 0; i < 10; i++)
        first = i + 9;
    CHECK(first == 18);
#pragma omp parallel for simd private(pair) num_threads(2)
    for (i = 0; i < n; i++) {
        pair.one = i;
        b[i] = pair.one;
    }
    CHECK(b[n - 1] == n - 1 && pair.one == 1);
#pragma omp simd collapse(2) reduction(+ : m)
    for (i = 0; i < 5; i++)
        for (j = 0; j < 4; j++)
            m[j] += i;
    CHECK(m[0] == 10 && m[3] == 10 && i == 5 && j == 4);
#pragma omp simd reduction(+ : q[1 : 2])
    for (i = 0; i < 5; i++)
        q[1 + i % 2]++;
    CHECK(m[1] == 13 && m[2] == 12);
#pragma omp simd if (n < 5) aligned(q : sizeof(int)) nontemporal(q)
    for (i = 0; i < 4; i++)
        q[i] = twice(i);
    CHECK(m[3] == 6);
#pragma omp simd
    for (i = 0; i < 4; i++) {
#pragma omp ordered simd
        m[0] += i;
    }
    CHECK(m[0] == 6);
#pragma omp teams distribute parallel for simd num_teams(2) thread_limit(2)
    for (i = 0; i < n; i++)
        x[i] += y[i];
#pragma omp teams distribute simd num_teams(2)
    for (i = 0; i < n; i++)
        x[i] += y[i];
    CHECK(x[n - 1] == 4 * (n - 1));
}
int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i;
        y[i] = 2 * i;
    }
    sums(N);
    counters(N);
    others(N);
    return 0;
}
