/* A multi-zone solver with the geometry of NPB-MZ: zones in the plane, each with a grid of its own,
 * an outer loop over zones and inner loops over the planes of one zone; after each step neighbours
 * exchange their edges. Started with the geometry (sp: 4x4 equal zones, lu: 4x4 equal and larger
 * ones, bt: 4x4 zones whose sizes vary 20-fold), the scale of the grids, steps, threads outside and
 * inside, and over how many NUMA nodes the zones are distributed (0: they are bound to none, and
 * have no streams of their own). Prints seconds and a sum, which depends on the geometry alone. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __CPT__
#include <cp.h>
#endif

enum { across = 4, zones = across * across };

struct zone {
    int nx, ny, nz;
    double *now, *next;
};
static struct zone all[zones];

static double* at(const struct zone* z, double* grid, int i, int j, int k)
{
    return &grid[((size_t)k * z->ny + j) * z->nx + i];
}

/* Widths along one side; for bt they grow by a ratio whose square is 20 over the whole side. */
static void widths(const char* geometry, int total, int* w)
{
    const double ratio = strcmp(geometry, "bt") == 0 ? pow(sqrt(20.0), 1.0 / (across - 1)) : 1;
    double sum = 0;
    for (int i = 0; i < across; i++)
        sum += pow(ratio, i);
    for (int i = 0; i < across; i++) {
        w[i] = (int)(total * pow(ratio, i) / sum);
        w[i] = w[i] < 4 ? 4 : w[i];
    }
}

static void make_zones(const char* geometry, int scale)
{
    int w[across];
    const int depth = strcmp(geometry, "lu") == 0 ? 2 * scale : scale;
    widths(geometry, 4 * scale, w);
    for (int n = 0; n < zones; n++) {
        struct zone* const z = &all[n];
        z->nx = w[n % across];
        z->ny = w[n / across];
        z->nz = depth;
        const size_t cells = (size_t)z->nx * z->ny * z->nz;
        z->now = malloc(cells * sizeof(double));
        z->next = malloc(cells * sizeof(double));
        if (z->now == NULL || z->next == NULL) {
            fprintf(stderr, "no memory for the zones\n");
            exit(1);
        }
    }
}

static void fill(struct zone* z, int number, int inner)
{
#pragma omp parallel for num_threads(inner)
    for (int k = 0; k < z->nz; k++)
        for (int j = 0; j < z->ny; j++)
            for (int i = 0; i < z->nx; i++)
                *at(z, z->now, i, j, k) = *at(z, z->next, i, j, k) = (i * 7 + j * 3 + k + number) %
                                                                     11;
}

/* Three sweeps, one along each direction, as the solvers of NPB have. */
static void step(struct zone* z, int inner)
{
#pragma omp parallel for num_threads(inner) schedule(runtime)
    for (int k = 1; k < z->nz - 1; k++)
        for (int j = 1; j < z->ny - 1; j++)
            for (int i = 1; i < z->nx - 1; i++)
                *at(z, z->next, i, j,
                    k) = *at(z, z->now, i, j, k) * 0.4 +
                         0.1 * (*at(z, z->now, i - 1, j, k) + *at(z, z->now, i + 1, j, k) +
                                *at(z, z->now, i, j - 1, k) + *at(z, z->now, i, j + 1, k) +
                                *at(z, z->now, i, j, k - 1) + *at(z, z->now, i, j, k + 1));
#pragma omp parallel for num_threads(inner) schedule(runtime)
    for (int k = 1; k < z->nz - 1; k++)
        for (int j = 1; j < z->ny - 1; j++)
            for (int i = 1; i < z->nx - 1; i++)
                *at(z, z->next, i, j, k) = 0.7 * *at(z, z->next, i, j, k) +
                                           0.3 * *at(z, z->next, i - 1, j, k);
#pragma omp parallel for num_threads(inner) schedule(runtime)
    for (int k = 1; k < z->nz - 1; k++)
        for (int j = 1; j < z->ny - 1; j++)
            for (int i = z->nx - 2; i >= 1; i--)
                *at(z, z->next, i, j, k) = 0.7 * *at(z, z->next, i, j, k) +
                                           0.3 * *at(z, z->next, i + 1, j, k);
    double* const t = z->now;
    z->now = z->next;
    z->next = t;
}

/* If the program was translated by cpt, a zone has as many streams as threads, on one node. */
static void step_on_node(struct zone* z, int inner, int number, int nodes)
{
#ifdef __CPT__
    char node[16];
    snprintf(node, sizeof node, "%d", nodes > 0 ? number % nodes : 0);
    const int opened = nodes > 0 && cp_zone_begin((unsigned)inner, nodes > 1 ? node : NULL) == 0;
    step(z, inner);
    if (opened)
        cp_zone_end();
#else
    (void)number, (void)nodes;
    step(z, inner);
#endif
}

/* Copies the neighbours' values to a zone's edges; no thread writes those values meanwhile. */
static void exchange(struct zone* z, const struct zone* west, const struct zone* north)
{
    for (int k = 1; k < z->nz - 1; k++) {
        for (int j = 0; west != NULL && j < z->ny; j++)
            *at(z, z->now, 0, j, k) = *at(west, west->now, west->nx - 2, j % west->ny, k);
        for (int i = 1; north != NULL && i < z->nx; i++)
            *at(z, z->now, i, 0, k) = *at(north, north->now, i % north->nx, north->ny - 2, k);
    }
}

int main(int count, char** arguments)
{
    if (count != 7) {
        fprintf(stderr, "Usage: zones sp|lu|bt SCALE STEPS OUTER INNER NODES\n");
        return 2;
    }
    const int scale = atoi(arguments[2]), steps = atoi(arguments[3]);
    const int outer = atoi(arguments[4]), inner = atoi(arguments[5]), nodes = atoi(arguments[6]);
    make_zones(arguments[1], scale);
#pragma omp parallel for num_threads(outer) schedule(dynamic)
    for (int n = 0; n < zones; n++)
        fill(&all[n], n, inner);
    const double begin = omp_get_wtime();
    for (int s = 0; s < steps; s++) {
        /* The largest first, which are the last ones. */
#pragma omp parallel for num_threads(outer) schedule(dynamic)
        for (int n = zones - 1; n >= 0; n--)
            step_on_node(&all[n], inner, n, nodes);
        for (int n = zones - 1; n >= 0; n--)
            exchange(&all[n], n % across > 0 ? &all[n - 1] : NULL,
                     n >= across ? &all[n - across] : NULL);
    }
    const double seconds = omp_get_wtime() - begin;
    double sum = 0;
    for (int n = 0; n < zones; n++)
        for (int k = 0; k < all[n].nz; k++)
            for (int j = 0; j < all[n].ny; j++)
                for (int i = 0; i < all[n].nx; i++)
                    sum += *at(&all[n], all[n].now, i, j, k);
    printf("%.6f %.10e\n", seconds, sum);
    return 0;
}
