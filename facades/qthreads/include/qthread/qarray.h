/* Of the Qthreads interface (qthread.h): arrays whose segments belong to shepherds. */
#ifndef QTHREAD_QARRAY_H
#define QTHREAD_QARRAY_H

#include "qloop.h"

Q_STARTCXX

typedef enum {
    FIXED_HASH,
    FIXED_FIELDS,
    ALL_SAME, /* this and DIST: the kind of a made array whose distribution is not fixed */
    DIST,
    DIST_STRIPES,
    DIST_FIELDS,
    DIST_RAND,
    DIST_LEAST,
    ALL_LOCAL,
    ALL_RAND,
    ALL_LEAST
} distribution_t;

typedef struct qarray_s {
    size_t unit_size;
    size_t count;
    size_t segment_size; /* in units */
    size_t segment_bytes;
    char* base_ptr;
    distribution_t dist_type;
    union {
        qthread_shepherd_id_t dist_shep; /* of ALL_SAME */
        struct {
            size_t segs_per_shep;
            size_t extras;
        } stripes; /* of FIXED_FIELDS */
    } dist_specific;
} qarray;

typedef void (*qa_loop_f)(const size_t startat, const size_t stopat, qarray* array, void* arg);
typedef void (*qa_loopr_f)(const size_t startat, const size_t stopat, qarray* array, void* arg,
                           void* ret);
typedef void (*qa_cloop_f)(const size_t startat, const size_t stopat, const qarray* array,
                           void* arg);

qarray* qarray_create(size_t count, size_t unit_size);
qarray* qarray_create_tight(size_t count, size_t unit_size);
qarray* qarray_create_configured(size_t count, size_t unit_size, distribution_t d, char tight,
                                 int seg_pages);
void qarray_destroy(qarray* a);

void qarray_iter(qarray* a, size_t startat, size_t stopat, qthread_f func);
void qarray_iter_loop(qarray* a, size_t startat, size_t stopat, qa_loop_f func, void* arg);
void qarray_iter_loop_nb(qarray* a, size_t startat, size_t stopat, qa_loop_f func, void* arg,
                         aligned_t* ret);
void qarray_iter_constloop(const qarray* a, size_t startat, size_t stopat, qa_cloop_f func,
                           void* arg);
void qarray_iter_loopaccum(qarray* a, size_t startat, size_t stopat, qa_loopr_f func, void* arg,
                           void* ret, size_t retsize, qt_accum_f acc);

void qarray_set_shepof(qarray* a, size_t i, qthread_shepherd_id_t shepherd);
qthread_shepherd_id_t qarray_shepof(const qarray* a, size_t i);
void qarray_dist_like(const qarray* ref, qarray* mod);
void* qarray_elem_migrate(const qarray* a, size_t i);

static inline void* qarray_elem_nomigrate(const qarray* a, size_t i)
{
    if (a == NULL || i > a->count) {
        return NULL;
    }
    return a->base_ptr + i / a->segment_size * a->segment_bytes +
           i % a->segment_size * a->unit_size;
}
#define qarray_elem(a, i) qarray_elem_nomigrate(a, i)

Q_ENDCXX

#endif
