#include <omp.h>
#include <stdio.h>
#include <string.h>
/* locks, ordered output, conditional lastprivate, linear, simd, scan, teams, loop */
static omp_lock_t lock;
static omp_nest_lock_t nl;
#pragma omp declare simd
static double sq(double v)
{
    return v * v;
}
int main(void)
{
    char line[64] = "";
    int lc = -1, lin = 10, j = 3, pre[10], acc = 0, v[10];
    double s = 0;
    int tm[4] = {0};
    omp_init_lock(&lock);
    omp_init_nest_lock(&nl);
#pragma omp parallel for ordered schedule(dynamic) num_threads(4)
    for (int i = 0; i < 10; i++) {
        int t = i * i;
#pragma omp ordered
        sprintf(line + strlen(line), "%d,", t);
    }
#pragma omp parallel for lastprivate(conditional : lc) num_threads(4)
    for (int i = 0; i < 100; i++)
        if (i % 17 == 3)
            lc = i;
#pragma omp parallel for linear(lin : 2) linear(j) num_threads(4)
    for (int i = 0; i < 10; i++) {
        v[i] = lin + j;
        lin += 2;
        j++;
    }
#pragma omp simd reduction(+ : s) aligned(v : 4) safelen(4)
    for (int i = 0; i < 10; i++)
        s += sq(v[i]);
    for (int i = 0; i < 10; i++)
        v[i] = i + 1;
#pragma omp parallel for reduction(inscan, + : acc)
    for (int i = 0; i < 10; i++) {
        acc += v[i];
#pragma omp scan inclusive(acc)
        pre[i] = acc;
    }
    int tn = 0, nested = 0, cnt = 0;
#pragma omp parallel num_threads(4)
    {
        omp_set_lock(&lock);
        tn++;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nl);
        omp_set_nest_lock(&nl);
        nested++;
        omp_unset_nest_lock(&nl);
        omp_unset_nest_lock(&nl);
#pragma omp for nowait schedule(static, 3)
        for (int i = 0; i < 20; i++)
#pragma omp atomic update
            cnt += i;
#pragma omp loop
        for (int i = 0; i < 10; i++)
            pre[i] += 0;
    }
    tn += nested;
#pragma omp teams num_teams(2) thread_limit(2) reduction(+ : tn)
    {
#pragma omp distribute parallel for reduction(+ : tn)
        for (int i = 0; i < 10; i++)
            tn += i;
    }
#pragma omp teams distribute parallel for simd collapse(2) num_teams(3)
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            tm[i * 2 + k] = i * 2 + k;
    printf("%s %d %d %d %d %g %d %d %d %d %d\n", line, lc, lin, j, v[9], s, pre[9], acc, tn, cnt,
           tm[3]);
    return 0;
}
