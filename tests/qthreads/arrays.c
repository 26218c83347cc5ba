/* Arrays that are distributed over shepherds, and what is computed on them: every element is met
 * once, on the shepherd that its segment belongs to. */
#include "check.h"

#include <qthread/allpairs.h>
#include <qthread/wavefront.h>

enum { count = 5000 };

typedef struct {
    unsigned char visits;
    unsigned char misplaced;
    char padding[39];
} element;

static const qarray* looked_at;

static void visit(element* e, size_t i)
{
    ++e->visits;
    e->misplaced |= qthread_shep() != qarray_shepof(looked_at, i);
}
static size_t index_of(const void* e)
{
    const size_t bytes = (size_t)((const char*)e - looked_at->base_ptr);
    return bytes / looked_at->segment_bytes * looked_at->segment_size +
           bytes % looked_at->segment_bytes / looked_at->unit_size;
}
static aligned_t visit_one(void* e)
{
    visit(e, index_of(e));
    return 0;
}
static void visit_range(const size_t from, const size_t to, qarray* a, void* total)
{
    CHECK(from / a->segment_size == (to - 1) / a->segment_size);
    for (size_t i = from; i < to; ++i) {
        visit(qarray_elem(a, i), i);
    }
    qthread_incr((aligned_t*)total, to - from);
}
static void visit_constant(const size_t from, const size_t to, const qarray* a, void* total)
{
    visit_range(from, to, (qarray*)a, total);
}
static void sum_range(const size_t from, const size_t to, qarray* a, void* unused, void* sum)
{
    (void)unused;
    *(aligned_t*)sum = 0;
    for (size_t i = from; i < to; ++i) {
        visit(qarray_elem(a, i), i);
        *(aligned_t*)sum += i;
    }
}

/* All of [from, to) were visited, and nobody else. */
static void check_visits(qarray* a, size_t from, size_t to)
{
    for (size_t i = 0; i < a->count; ++i) {
        element* const e = qarray_elem(a, i);
        CHECK(e->visits == (i >= from && i < to) && !e->misplaced);
        e->visits = 0;
    }
}

static void loops(distribution_t d, char tight)
{
    qarray* const a = qarray_create_configured(count, sizeof(element), d, tight, 1);
    CHECK(a != NULL && a->count == count);
    CHECK(a->unit_size == (tight ? sizeof(element) : (sizeof(element) + 7) / 8 * 8));
    looked_at = a;
    qarray_iter(a, 0, count, visit_one);
    check_visits(a, 0, count);
    aligned_t total = 0;
    qarray_iter_loop(a, 7, count - 9, visit_range, &total);
    CHECK(total == count - 16);
    check_visits(a, 7, count - 9);
    qarray_iter_constloop(a, 100, 101, visit_constant, &total);
    check_visits(a, 100, 101);
    qarray_iter_loop(a, 5, 5, visit_range, NULL);
    aligned_t done = 0;
    qarray_iter_loop_nb(a, 0, count, visit_range, &total, &done);
    CHECK(qthread_readFF(NULL, &done) == QTHREAD_SUCCESS);
    check_visits(a, 0, count);
    aligned_t sum = 0;
    qarray_iter_loopaccum(a, 10, count, sum_range, NULL, &sum, sizeof sum, qt_uint_add_acc);
    CHECK(sum == (aligned_t)count * (count - 1) / 2 - 45);
    check_visits(a, 10, count);
    qarray_destroy(a);
}

static aligned_t moves(void* a)
{
    CHECK(qarray_elem_migrate(a, count - 1) == qarray_elem((qarray*)a, count - 1));
    CHECK(qthread_shep() == qarray_shepof(a, count - 1));
    return qthread_shep();
}
static void owners(void)
{
    const qthread_shepherd_id_t n = qthread_num_shepherds();
    qarray* const fields = qarray_create_configured(count, 8, FIXED_FIELDS, 0, 1);
    qarray* const moving = qarray_create_configured(count, 8, DIST_STRIPES, 0, 1);
    qarray* const local = qarray_create_configured(count, 8, ALL_LOCAL, 0, 1);
    CHECK(fields->dist_type == FIXED_FIELDS && moving->dist_type == DIST &&
          local->dist_type == ALL_SAME && local->dist_specific.dist_shep == qthread_shep());
    for (size_t i = 1; i < count; ++i) {
        CHECK(qarray_shepof(fields, i) >= qarray_shepof(fields, i - 1)); /* long runs */
        CHECK(qarray_shepof(local, i) == qthread_shep());
    }
    qarray_set_shepof(fields, 0, n - 1); /* not possible */
    CHECK(qarray_shepof(fields, 0) == 0);
    qarray_set_shepof(moving, 0, n - 1);
    CHECK(qarray_shepof(moving, 0) == n - 1 && qarray_shepof(moving, count) == NO_SHEPHERD);
    qarray_dist_like(fields, moving);
    for (size_t i = 0; i < count; ++i) {
        CHECK(qarray_shepof(fields, i) == qarray_shepof(moving, i));
    }
    /* An array that one shepherd has moves as a whole, and only arrays of the same shape are made
       alike. */
    qarray* const other = qarray_create_configured(count, 8, ALL_LEAST, 0, 1);
    qarray* const shorter = qarray_create_configured(count - 1, 8, DIST_STRIPES, 0, 1);
    qarray_set_shepof(local, count - 1, n - 1);
    CHECK(qarray_shepof(local, 0) == n - 1 && local->dist_specific.dist_shep == n - 1);
    qarray_set_shepof(local, 0, n);
    qarray_set_shepof(local, count, 0);
    qarray_dist_like(moving, local);
    CHECK(qarray_shepof(local, 0) == n - 1);
    qarray_dist_like(local, other);
    CHECK(qarray_shepof(other, 0) == n - 1 && qarray_shepof(other, count - 1) == n - 1);
    qarray_dist_like(local, shorter);
    CHECK(qarray_shepof(shorter, 0) == 0);
    qarray_destroy(other);
    qarray_destroy(shorter);
    /* The program's own thread stays where it is, others move. */
    aligned_t moved;
    CHECK(qarray_elem_migrate(moving, count - 1) == qarray_elem(moving, count - 1) &&
          qthread_shep() == 0);
    CHECK(qthread_fork(moves, moving, &moved) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&moved, &moved) == QTHREAD_SUCCESS &&
          moved == qarray_shepof(moving, count - 1));
    CHECK(qarray_create(0, 8) == NULL && qarray_create(8, 0) == NULL);
    CHECK(qarray_create(SIZE_MAX / 8, 16) == NULL);
    /* Without an array or a function nothing is done. */
    aligned_t done;
    qarray_iter(NULL, 0, 1, NULL);
    qarray_iter(fields, 0, 1, NULL);
    qarray_iter_loop(NULL, 0, 1, visit_range, NULL);
    qarray_iter_loop(fields, 0, 1, NULL, NULL);
    qarray_iter_constloop(NULL, 0, 1, NULL, NULL);
    qarray_iter_loopaccum(NULL, 0, 1, sum_range, NULL, &moved, sizeof moved, qt_uint_add_acc);
    qarray_iter_loop_nb(NULL, 0, 1, visit_range, NULL, &done);
    CHECK(qthread_readFF(NULL, &done) == QTHREAD_SUCCESS);
    CHECK(qarray_shepof(NULL, 0) == NO_SHEPHERD && qarray_elem_migrate(NULL, 0) == NULL);
    qarray_set_shepof(NULL, 0, 0);
    qarray_dist_like(NULL, fields);
    qarray_destroy(NULL);
    qarray_destroy(fields);
    qarray_destroy(moving);
    qarray_destroy(local);
}

enum { side = 300 };
static aligned_t pairs;
static aligned_t sums;

static void number(const size_t from, const size_t to, qarray* a, void* unused)
{
    (void)unused;
    for (size_t i = from; i < to; ++i) {
        *(int*)qarray_elem(a, i) = (int)i;
    }
}
static void pair(const void* a, const void* b)
{
    qthread_incr(&pairs, 1);
    qthread_incr(&sums, (aligned_t)(*(const int*)a * 1000 + *(const int*)b));
}
static void multiply(const void* a, const void* b, void* out)
{
    *(int*)out += *(const int*)a * *(const int*)b + 1;
}

static void without_place(const void* a, const void* b, void* out)
{
    CHECK(out == NULL);
    pair(a, b);
}

static void all_pairs(void)
{
    qarray* const a = qarray_create_tight(side, sizeof(int));
    qarray* const b = qarray_create_tight(2 * side, sizeof(int));
    qarray_iter_loop(a, 0, side, number, NULL);
    qarray_iter_loop(b, 0, 2 * side, number, NULL);
    pairs = sums = 0;
    qt_allpairs(a, b, pair);
    const aligned_t of_a = (aligned_t)side * (side - 1) / 2 * 2 * side;
    const aligned_t of_b = (aligned_t)side * (2 * side) * (2 * side - 1) / 2;
    CHECK(pairs == 2 * side * side && sums == of_a * 1000 + of_b);
    void* rows[side];
    for (int i = 0; i < side; ++i) {
        rows[i] = calloc(2 * side, sizeof(int));
    }
    qt_allpairs_output(a, b, multiply, rows, sizeof(int));
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < 2 * side; ++j) {
            CHECK(((int*)rows[i])[j] == i * j + 1); /* once */
        }
        free(rows[i]);
    }
    pairs = 0;
    qt_allpairs_output(a, b, without_place, NULL, sizeof(int));
    CHECK(pairs == 2 * side * side);
    qarray_destroy(a);
    qarray_destroy(b);
}

static int last_unit;
static void mix(const void* left, const void* left_below, const void* below, void* out)
{
    *(unsigned*)out = 3 * *(const unsigned*)left + 5 * *(const unsigned*)left_below +
                      7 * *(const unsigned*)below + 1;
    __atomic_store_n(&last_unit, *(int*)out, __ATOMIC_RELAXED);
}

static void waves(void)
{
    static int flat[side][side];
    int* columns[side];
    static unsigned expected[side][side];
    for (int c = 0; c < side; ++c) {
        columns[c] = flat[c];
        for (int r = 0; r < side; ++r) {
            expected[c][r] = (unsigned)(c * 31 + r);
            flat[c][r] = (int)expected[c][r];
        }
    }
    for (int c = 1; c < side; ++c) {
        for (int r = 1; r < side; ++r) {
            mix(&expected[c - 1][r], &expected[c - 1][r - 1], &expected[c][r - 1], &expected[c][r]);
        }
    }
    qt_basic_wavefront(columns, side, side, mix);
    for (int c = 0; c < side; ++c) {
        for (int r = 0; r < side; ++r) {
            CHECK((unsigned)flat[c][r] == expected[c][r]);
        }
    }
    /* The same lattice: its last unit is computed last. */
    qarray* const left = qarray_create_tight(side - 1, sizeof(int));
    qarray* const below = qarray_create_tight(side, sizeof(int));
    for (int i = 0; i < side; ++i) {
        *(unsigned*)qarray_elem(below, (size_t)i) = (unsigned)(i * 31);
        if (i != 0) {
            *(unsigned*)qarray_elem(left, (size_t)i - 1) = (unsigned)i;
        }
    }
    last_unit = 0;
    qt_wavefront_lattice* const l = qt_wavefront(left, below, mix);
    CHECK(l != NULL && (unsigned)last_unit == expected[side - 1][side - 1]);
    qt_wavefront_destroy_lattice(l);
    CHECK(qt_wavefront(left, NULL, mix) == NULL);
    qarray_destroy(left);
    qarray_destroy(below);
}

/* An array may outlive the shepherds among which it was distributed. */
static void given_to_new_shepherds(void)
{
    enum { many = 64 };
    qarray* const a = qarray_create_configured(many * 512, 8, DIST, 0, 1);
    CHECK(a != NULL);
    qthread_finalize();
    CHECK(qthread_init(many) == QTHREAD_SUCCESS && qthread_num_shepherds() == many);
    for (unsigned i = 0; i < many; ++i) {
        qarray_set_shepof(a, (size_t)i * 512, (qthread_shepherd_id_t)i);
        CHECK(qarray_shepof(a, (size_t)i * 512) == i);
    }
    qarray_destroy(a);
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    for (distribution_t d = FIXED_HASH; d <= ALL_LEAST; ++d) {
        loops(d, 0);
        loops(d, 1);
    }
    owners();
    all_pairs();
    waves();
    given_to_new_shepherds();
    puts("good");
    return 0;
}
