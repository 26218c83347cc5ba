#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) if (n > 10)
    a = fib(n - 1);
#pragma omp task shared(b) if (n > 10)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
static int solve(int n, int col, const int* hist)
{
    if (col == n)
        return 1;
    int count[n];
    memset(count, 0, sizeof count);
    for (int i = 0; i < n; i++) {
        int j;
        for (j = 0; j < col; j++)
            if (hist[j] == i || abs(hist[j] - i) == col - j)
                break;
        if (j < col)
            continue;
#pragma omp task shared(count) firstprivate(i) final(col > 2) untied
        {
            int h[n];
            memcpy(h, hist, col * sizeof *h);
            h[col] = i;
            count[i] = solve(n, col + 1, h);
        }
    }
#pragma omp taskwait
    int s = 0;
    for (int i = 0; i < n; i++)
        s += count[i];
    return s;
}
static void msort(int* a, int* t, int n)
{
    if (n < 2)
        return;
    int m = n / 2;
#pragma omp task if (n > 64)
    msort(a, t, m);
#pragma omp task if (n > 64)
    msort(a + m, t + m, n - m);
#pragma omp taskwait
    for (int i = 0, j = m, k = 0; k < n; k++)
        t[k] = j >= n || (i < m && a[i] <= a[j]) ? a[i++] : a[j++];
    memcpy(a, t, n * sizeof *a);
}
typedef struct tree {
    struct tree *l, *r;
    int v;
} tree;
static tree* build(int d)
{
    tree* t = malloc(sizeof *t);
    t->v = d;
    t->l = t->r = 0;
    if (d) {
#pragma omp task shared(t)
        t->l = build(d - 1);
#pragma omp task
        t->r = build(d - 1);
#pragma omp taskwait
    }
    return t;
}
static int total(const tree* t)
{
    int l = 0, r = 0;
    if (!t)
        return 0;
#pragma omp taskgroup
    {
#pragma omp task shared(l)
        l = total(t->l);
#pragma omp task shared(r) priority(t -> v)
        r = total(t->r);
    }
    return l + r + t->v;
}
int main(void)
{
    long f;
    int q, a[1000], tmp[1000], ok = 1, tt;
    int h[8];
    for (int i = 0; i < 1000; i++)
        a[i] = (i * 7919) % 1009;
#pragma omp parallel
#pragma omp master
    {
        f = fib(20);
        q = solve(8, 0, h);
        msort(a, tmp, 1000);
        tt = total(build(8));
    }
    for (int i = 1; i < 1000; i++)
        ok &= a[i - 1] <= a[i];
    printf("%ld %d %d %d\n", f, q, ok, tt);
    return 0;
}
