#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int nx, ny, nz;
    double *u, *rhs;
    double norm;
} zone;
static void init(zone* z, int k)
{
    z->nx = 4 + k;
    z->ny = 5;
    z->nz = 3;
    z->u = malloc(sizeof(double) * z->nx * z->ny * z->nz);
    z->rhs = calloc(z->nx * z->ny * z->nz, sizeof(double));
}
#define U(z, i, j, k) (z)->u[((k) * (z)->ny + (j)) * (z)->nx + (i)]
static void step(zone* z, int inner)
{
    double norm = 0.0;
    int i, j, k;
    const int nx = z->nx, ny = z->ny, nz = z->nz;
    double* rhs = z->rhs;
#pragma omp parallel num_threads(inner) default(none) \
    shared(z, rhs, nx, ny, nz, norm) private(i, j, k)
    {
#pragma omp for schedule(static) nowait
        for (k = 0; k < nz; k++)
            for (j = 0; j < ny; j++)
                for (i = 0; i < nx; i++)
                    rhs[(k * ny + j) * nx + i] = U(z, i, j, k) * 0.5 + i - j + k;
#pragma omp barrier
#pragma omp for reduction(+ : norm) schedule(static)
        for (k = 0; k < nz; k++)
            for (j = 0; j < ny; j++)
                for (i = 0; i < nx; i++) {
                    U(z, i, j, k) += rhs[(k * ny + j) * nx + i];
                    norm += 1;
                }
#pragma omp master
        z->norm = norm;
    }
}
int main(void)
{
    enum { Z = 5 };
    zone zones[Z];
    int iter;
    double all = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) private(iter)
    {
        int z;
#pragma omp for schedule(dynamic) private(z)
        for (z = 0; z < Z; z++) {
            init(&zones[z], z);
            for (int q = 0; q < zones[z].nx * zones[z].ny * zones[z].nz; q++)
                zones[z].u[q] = q;
        }
        for (iter = 0; iter < 3; iter++) {
#pragma omp for
            for (z = 0; z < Z; z++)
                step(&zones[z], 2);
#pragma omp single
            for (int z = 1; z < Z; z++)
                U(&zones[z], 0, 0, 0) = U(&zones[z - 1], 1, 1, 1);
        }
#pragma omp for reduction(+ : all)
        for (z = 0; z < Z; z++)
            for (int q = 0; q < zones[z].nx * zones[z].ny * zones[z].nz; q++)
                all += zones[z].u[q];
    }
    printf("%.6f %.1f\n", all, zones[4].norm);
    return 0;
}
