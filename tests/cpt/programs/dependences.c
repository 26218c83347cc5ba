#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define B 4
static void blocks(int nb, double (*m)[B], double* out)
{
    for (int k = 0; k < nb; k++) {
#pragma omp task depend(inout : m[k][0 : B]) firstprivate(k)
        for (int i = 0; i < B; i++)
            m[k][i] += k;
        for (int j = k + 1; j < nb; j++)
#pragma omp task depend(in : m[k][0 : B]) depend(inout : m[j][0 : B])
            for (int i = 0; i < B; i++)
                m[j][i] += m[k][i] / 2;
    }
#pragma omp task depend(iterator(int q = 0 : nb), in : m[q][0 : B]) depend(out : *out)
    {
        *out = 0;
        for (int k = 0; k < nb; k++)
            for (int i = 0; i < B; i++)
                *out += m[k][i];
    }
#pragma omp taskwait depend(in : *out)
}
int main(void)
{
    double m[6][B] = {{1}}, out;
    int order[8], n = 0, x = 0, y = 1, s = 0, cnt = 0;
    omp_depend_t d;
#pragma omp parallel
#pragma omp single
    {
        blocks(6, m, &out);
        for (int i = 0; i < 8; i++)
#pragma omp task depend(inout : order) shared(n)
            order[n++] = i;
#pragma omp depobj(d) depend(inout : x)
#pragma omp task depend(depobj : d) shared(x)
        x = 5;
#pragma omp task depend(in : x) depend(mutexinoutset : y)
        y += x;
#pragma omp task depend(mutexinoutset : y)
        y += 100;
#pragma omp taskwait
#pragma omp depobj(d) destroy
#pragma omp taskloop grainsize(3) reduction(+ : s) firstprivate(x)
        for (int i = 0; i < 20; i++) {
            s += i + x;
            x = x;
        }
#pragma omp taskgroup
        {
#pragma omp taskloop nogroup num_tasks(5) shared(cnt) collapse(2)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 5; j++)
#pragma omp atomic
                    cnt += i * j;
        }
    }
    for (int i = 1; i < 8; i++)
        n += order[i] < order[i - 1] ? 1000 : 0;
    printf("%.6f %d %d %d %d %d\n", out, n, x, y, s, cnt);
    return 0;
}
