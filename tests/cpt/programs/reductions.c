#include <stdio.h>
#include <stdlib.h>
struct big {
    int k;
    double v[3];
};
static void comb(struct big* o, const struct big* i)
{
    o->k += i->k;
    for (int j = 0; j < 3; j++)
        if (i->v[j] > o->v[j])
            o->v[j] = i->v[j];
}
static void init(struct big* p, const struct big* o)
{
    *p = *o;
    p->k = 0;
}
#pragma omp declare reduction(big : struct big : comb(&omp_out, &omp_in)) \
    initializer(init(&omp_priv, &omp_orig))
static int tree(int d)
{
    int s = 0;
#pragma omp taskgroup task_reduction(+ : s)
    {
        if (d == 0)
            s++;
        else
            for (int i = 0; i < 3; i++)
#pragma omp task in_reduction(+ : s)
                s += tree(d - 1);
    }
    return s;
}
static void leaf(int* p, int n)
{
#pragma omp task in_reduction(+ : p[0 : n]) firstprivate(n)
    for (int i = 0; i < n; i++)
        p[i] += i;
}
int main(void)
{
    struct big b = {1, {-1, -1, 50}};
    int *dyn = calloc(10, sizeof *dyn), mat[3][4] = {{0}}, sec = 0;
    int g[4] = {0}, n = 4, tr;
    long pr = 1;
    char ch = 0;
    _Bool t = 0;
    float mn = 1e9f;
    double mxd = -1e300;
    unsigned um = 0;
    short sm = 30000;
#pragma omp parallel for reduction(big : b) reduction(+ : dyn[ : 10], mat[1 : 2][0 : 4]) \
    reduction(+ : ch) reduction(|| : t) reduction(min : mn, sm) reduction(max : mxd, um) \
    num_threads(4)
    for (int i = 0; i < 40; i++) {
        b.k++;
        b.v[i % 3] = b.v[i % 3] > i ? b.v[i % 3] : i;
        dyn[i % 10] += i;
        mat[1 + i % 2][i % 4] += 1;
        ch += 1;
        t = t || i == 39;
        if (i - 7 < mn)
            mn = i - 7;
        if (-i > mxd)
            mxd = -i;
        if ((unsigned)i > um)
            um = (unsigned)i;
        if (i < sm)
            sm = (short)i;
    }
#pragma omp parallel num_threads(4)
    {
#pragma omp sections reduction(+ : sec) reduction(* : pr)
        {
#pragma omp section
            {
                sec += 1;
                pr *= 3;
            }
#pragma omp section
            {
                sec += 20;
                pr *= 5;
            }
        }
#pragma omp for reduction(task, + : g) schedule(static)
        for (int i = 0; i < 8; i++) {
            g[0] += 1;
            leaf(g, n);
        }
#pragma omp single
        tr = tree(3);
    }
#pragma omp parallel reduction(task, + : n) num_threads(3)
    {
        n += 10;
#pragma omp task in_reduction(+ : n)
        n += 100;
    }
#pragma omp parallel num_threads(3)
#pragma omp scope reduction(+ : sec)
    sec += 1000;
    printf("%d %g %g %g %d %d %d %d %d %ld %d %d %g %g %u %d | %d %d %d %d %d\n", b.k, b.v[0],
           b.v[1], b.v[2], dyn[3], mat[1][2], mat[2][1], mat[0][0], sec, pr, ch, t, mn, mxd, um, sm,
           g[0], g[1], g[3], tr, n);
    return 0;
}
