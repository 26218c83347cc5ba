/* An ensemble forecast: nested parallel loops.
 *
 * Several members of a flood model (the two-dimensional shallow water equations) start from
 * slightly different dam breaks. The caller runs the members in parallel; the model is a library
 * routine that was written to be fast on its own and therefore opens its own parallel regions, two
 * short loops per time step. Nobody did anything wrong, and yet outer x inner threads are asked for
 * on every step: the pattern that makes a runtime with one pool of threads per level create and
 * destroy threads by the thousand.
 *
 * Scheme: first-order finite volumes with the Rusanov flux, reflecting walls, time step from the
 * fastest wave. Cells are computed independently and the only reduction is a maximum, so the answer
 * does not depend on the threads. */
#include "example.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>

static const double gravity = 9.81;
static const double courant = 0.4;

/* Height and momentum of one cell. */
typedef struct {
    double h, hu, hv;
} cell_t;

/* One member: a square of size x size cells with a border of one wall cell all round, twice (this
 * step and the next). */
typedef struct {
    int size;
    cell_t *now, *next;
    double elapsed;
} model_t;

static size_t at(const model_t* m, int row, int column)
{
    return (size_t)row * (size_t)(m->size + 2) + (size_t)column;
}

/* Numerical flux through the face between two cells; the normal points along x. */
static cell_t flux(cell_t left, cell_t right)
{
    const double ul = left.hu / left.h, ur = right.hu / right.h;
    const double wave = fmax(fabs(ul) + sqrt(gravity * left.h), fabs(ur) + sqrt(gravity * right.h));
    cell_t f;
    f.h = 0.5 * (left.hu + right.hu) - 0.5 * wave * (right.h - left.h);
    f.hu = 0.5 * (left.hu * ul + 0.5 * gravity * left.h * left.h + right.hu * ur +
                  0.5 * gravity * right.h * right.h) -
           0.5 * wave * (right.hu - left.hu);
    f.hv = 0.5 * (left.hv * ul + right.hv * ur) - 0.5 * wave * (right.hv - left.hv);
    return f;
}

/* The same through a face whose normal points along y: turn the momentum, use flux, turn back. */
static cell_t turned(cell_t c)
{
    return (cell_t){c.h, c.hv, c.hu};
}

static void reflect(model_t* m)
{
    const int n = m->size;
    for (int i = 1; i <= n; ++i) {
        cell_t c;
        c = m->now[at(m, i, 1)], c.hu = -c.hu, m->now[at(m, i, 0)] = c;
        c = m->now[at(m, i, n)], c.hu = -c.hu, m->now[at(m, i, n + 1)] = c;
        c = m->now[at(m, 1, i)], c.hv = -c.hv, m->now[at(m, 0, i)] = c;
        c = m->now[at(m, n, i)], c.hv = -c.hv, m->now[at(m, n + 1, i)] = c;
    }
}

/* The library routine: one time step of one member, with its own parallel regions. */
static void model_step(model_t* m, int threads)
{
    const int n = m->size;
    double fastest = 0;
#pragma omp parallel for num_threads(threads) reduction(max : fastest)
    for (int row = 1; row <= n; ++row)
        for (int column = 1; column <= n; ++column) {
            const cell_t c = m->now[at(m, row, column)];
            fastest = fmax(fastest, fmax(fabs(c.hu), fabs(c.hv)) / c.h + sqrt(gravity * c.h));
        }
    const double ratio = courant / fastest; /* dt / dx */
    reflect(m);
#pragma omp parallel for num_threads(threads)
    for (int row = 1; row <= n; ++row)
        for (int column = 1; column <= n; ++column) {
            const cell_t c = m->now[at(m, row, column)];
            const cell_t west = flux(m->now[at(m, row, column - 1)], c),
                         east = flux(c, m->now[at(m, row, column + 1)]);
            const cell_t north = turned(flux(turned(m->now[at(m, row - 1, column)]), turned(c)));
            const cell_t south = turned(flux(turned(c), turned(m->now[at(m, row + 1, column)])));
            m->next[at(m, row, column)] = (cell_t){
                c.h - ratio * (east.h - west.h + south.h - north.h),
                c.hu - ratio * (east.hu - west.hu + south.hu - north.hu),
                c.hv - ratio * (east.hv - west.hv + south.hv - north.hv)};
        }
    cell_t* const swap = m->now;
    m->now = m->next;
    m->next = swap;
    m->elapsed += ratio;
}

/* A round dam of water in a shallow lake; the member's number moves the dam a little. */
static void model_start(model_t* m, int size, int member)
{
    m->size = size;
    m->elapsed = 0;
    const size_t cells = (size_t)(size + 2) * (size_t)(size + 2);
    m->now = allocate(cells * sizeof(cell_t));
    m->next = allocate(cells * sizeof(cell_t));
    const double x = size * (0.40 + 0.02 * (member % 5)), y = size * (0.45 + 0.015 * (member % 7));
    for (int row = 0; row < size + 2; ++row)
        for (int column = 0; column < size + 2; ++column) {
            const double far = hypot(row - y, column - x) / (0.15 * size);
            m->now[at(m, row, column)] = (cell_t){far < 1 ? 2.0 : 1.0, 0, 0};
        }
    memcpy(m->next, m->now, cells * sizeof(cell_t));
}

static double water(const model_t* m)
{
    double sum = 0;
    for (int row = 1; row <= m->size; ++row)
        for (int column = 1; column <= m->size; ++column)
            sum += m->now[at(m, row, column)].h;
    return sum;
}

static void usage(void)
{
    puts(
        "usage: ensemble [options]\n"
        "Runs an ensemble of shallow-water forecasts: a parallel loop over members, each of which "
        "calls a model that\n"
        "opens its own parallel regions.\n\n"
        "  --members N   members of the ensemble (default 8)\n"
        "  --size N      cells along each side of a member (default 64)\n"
        "  --steps N     time steps (default 300)\n"
        "  --outer N     threads over the members (default 8)\n"
        "  --inner N     threads inside the model (default 8)\n"
        "  --help        this text");
}

int main(int argc, char** argv)
{
    int members = 8, size = 64, steps = 300, outer = 8, inner = 8;
    static const struct option options[] = {
        {"members", 1, 0, 'm'}, {"size", 1, 0, 's'}, {"steps", 1, 0, 't'}, {"outer", 1, 0, 'o'},
        {"inner", 1, 0, 'i'},   {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'm': members = (int)parse_long("members", optarg, 1, 10000); break;
        case 's': size = (int)parse_long("size", optarg, 2, 20000); break;
        case 't': steps = (int)parse_long("steps", optarg, 1, 100000000); break;
        case 'o': outer = (int)parse_long("outer", optarg, 1, 4096); break;
        case 'i': inner = (int)parse_long("inner", optarg, 1, 4096); break;
        case 'h': usage(); return 0;
        default: return 2;
        }
    no_more_arguments(argc, argv, optind);
    omp_set_max_active_levels(2);
    omp_set_dynamic(0);

    model_t* const model = allocate((size_t)members * sizeof(model_t));
    double* const before = allocate((size_t)members * sizeof(double));
    for (int i = 0; i < members; ++i) {
        model_start(&model[i], size, i);
        before[i] = water(&model[i]);
    }
    const double start = seconds();
#pragma omp parallel for num_threads(outer) schedule(static, 1)
    for (int i = 0; i < members; ++i)
        for (int step = 0; step < steps; ++step)
            model_step(&model[i], inner);
    const double took = seconds() - start;

    uint64_t sum = CHECKSUM_START;
    double drift = 0;
    for (int i = 0; i < members; ++i) {
        drift = fmax(drift, fabs(water(&model[i]) / before[i] - 1));
        for (int row = 1; row <= size; ++row)
            sum = checksum(sum, &model[i].now[at(&model[i], row, 1)],
                           (size_t)size * sizeof(cell_t));
        free(model[i].now);
        free(model[i].next);
    }
    printf("result: ensemble members=%d size=%d steps=%d checksum=%016llx\n", members, size, steps,
           (unsigned long long)sum);
    printf("time: %.3f s\n", took);
    free(before);
    free(model);
    if (!(drift < 1e-9)) /* also catches a NaN */
        fail(1, "water was created or lost: relative drift %.3g", drift);
    return 0;
}
