#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 2000
#define NK 64
static double x[2 * NK], q[10];
static double qq[10];
#pragma omp threadprivate(x, qq)
static int key[N], hist_all[16];
static double randlc(double* s, double a)
{
    *s = fmod(a * *s, 16777213.0);
    return *s / 16777213.0;
}
static double a_cg[N], z[N], pvec[N], r[N], w[N];
static double cg(int n)
{
    double rho = 0, d, alpha, rho0, beta;
    int j, it;
#pragma omp parallel default(shared) private(j, it)
    {
#pragma omp for
        for (j = 0; j < n; j++) {
            z[j] = 0;
            r[j] = pvec[j] = 1.0 + j % 3;
        }
#pragma omp for reduction(+ : rho)
        for (j = 0; j < n; j++)
            rho += r[j] * r[j];
        for (it = 0; it < 5; it++) {
#pragma omp single
            {
                d = 0;
                rho0 = rho;
                rho = 0;
            }
#pragma omp for nowait
            for (j = 0; j < n; j++)
                w[j] = a_cg[j] * pvec[j];
#pragma omp for reduction(+ : d)
            for (j = 0; j < n; j++)
                d += pvec[j] * w[j];
            alpha = rho0 / d;
#pragma omp for reduction(+ : rho)
            for (j = 0; j < n; j++) {
                z[j] += alpha * pvec[j];
                r[j] -= alpha * w[j];
                rho += r[j] * r[j];
            }
            beta = rho / rho0;
#pragma omp for
            for (j = 0; j < n; j++)
                pvec[j] = r[j] + beta * pvec[j];
        }
    }
    return rho;
}
int main(void)
{
    double sx = 0, sy = 0;
    int i, k, gc = 0;
#pragma omp parallel for
    for (i = 0; i < N; i++) {
        a_cg[i] = 2 + i % 5;
        key[i] = (i * 31) % 16;
    }
#pragma omp parallel copyin(x)
    {
        double t1, seed;
        int kk, ik;
        for (ik = 0; ik < 10; ik++)
            qq[ik] = 0;
#pragma omp for reduction(+ : sx, sy)
        for (k = 0; k < 16; k++) {
            seed = 12345 + 77 * k;
            for (kk = 0; kk < 2 * NK; kk++)
                x[kk] = randlc(&seed, 1103.0);
            for (kk = 0; kk < NK; kk++) {
                double x1 = 2 * x[2 * kk] - 1, x2 = 2 * x[2 * kk + 1] - 1;
                t1 = x1 * x1 + x2 * x2;
                if (t1 <= 1.0) {
                    int l = (int)(fabs(x1) * 9);
                    qq[l] += 1;
                    sx += floor(x1 * 100);
                    sy += floor(x2 * 100);
                }
            }
        }
        for (ik = 0; ik < 10; ik++)
#pragma omp atomic
            q[ik] += qq[ik];
    }
    for (i = 0; i < 10; i++)
        gc += (int)q[i];
#pragma omp parallel
    {
        int local[16] = {0};
#pragma omp for nowait schedule(static)
        for (int i = 0; i < N; i++)
            local[key[i]]++;
#pragma omp critical(merge)
        for (int i = 0; i < 16; i++)
            hist_all[i] += local[i];
    }
    int hs = 0;
    for (i = 0; i < 16; i++)
        hs = hs * 3 + hist_all[i];
    printf("%.0f %.0f %d %d %.10f\n", sx, sy, gc, hs, cg(N));
    return 0;
}
