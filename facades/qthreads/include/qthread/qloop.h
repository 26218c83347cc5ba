/* Of the Qthreads interface (qthread.h): loops and reductions. */
#ifndef QTHREAD_QLOOP
#define QTHREAD_QLOOP

#include "qthread.h"

Q_STARTCXX

typedef void (*qt_loop_f)(const size_t startat, const size_t stopat, void* arg);
typedef void (*qt_loopr_f)(const size_t startat, const size_t stopat, void* arg, void* ret);
typedef void (*qt_accum_f)(void* into, const void* from);

/* A qthread for each iteration. */
void qt_loop(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_simple(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_sv(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_dc(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_aligned(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_sinc(size_t start, size_t stop, qt_loop_f func, void* arg);

/* A qthread for each worker. */
void qt_loop_balance(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_balance_simple(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_balance_sv(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_balance_dc(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_balance_aligned(size_t start, size_t stop, qt_loop_f func, void* arg);
void qt_loop_balance_sinc(size_t start, size_t stop, qt_loop_f func, void* arg);

void qt_loopaccum_balance(size_t start, size_t stop, size_t size, void* out, qt_loopr_f func,
                          void* arg, qt_accum_f acc);
void qt_loopaccum_balance_sv(size_t start, size_t stop, size_t size, void* out, qt_loopr_f func,
                             void* arg, qt_accum_f acc);
void qt_loopaccum_balance_dc(size_t start, size_t stop, size_t size, void* out, qt_loopr_f func,
                             void* arg, qt_accum_f acc);
void qt_loopaccum_balance_sinc(size_t start, size_t stop, size_t size, void* out, qt_loopr_f func,
                               void* arg, qt_accum_f acc);

/* Loops whose workers take chunks. qt_loop_queue_run and qt_loop_queue_run_there free the
   handle. */
typedef enum { CHUNK, GUIDED, FACTORED, TIMED } qt_loop_queue_type;
typedef struct qqloop_handle_s qqloop_handle_t;
qqloop_handle_t* qt_loop_queue_create(qt_loop_queue_type type, size_t start, size_t stop,
                                      size_t incr, qt_loop_f func, void* arg);
void qt_loop_queue_setchunk(qqloop_handle_t* l, size_t chunk);
void qt_loop_queue_run(qqloop_handle_t* l);
void qt_loop_queue_run_there(qqloop_handle_t* l, qthread_shepherd_id_t shepherd);
void qt_loop_queue_addworker(qqloop_handle_t* l, qthread_shepherd_id_t shepherd);

double qt_double_sum(double* array, size_t length, int checkfeb);
double qt_double_prod(double* array, size_t length, int checkfeb);
double qt_double_max(double* array, size_t length, int checkfeb);
double qt_double_min(double* array, size_t length, int checkfeb);
saligned_t qt_int_sum(saligned_t* array, size_t length, int checkfeb);
saligned_t qt_int_prod(saligned_t* array, size_t length, int checkfeb);
saligned_t qt_int_max(saligned_t* array, size_t length, int checkfeb);
saligned_t qt_int_min(saligned_t* array, size_t length, int checkfeb);
aligned_t qt_uint_sum(aligned_t* array, size_t length, int checkfeb);
aligned_t qt_uint_prod(aligned_t* array, size_t length, int checkfeb);
aligned_t qt_uint_max(aligned_t* array, size_t length, int checkfeb);
aligned_t qt_uint_min(aligned_t* array, size_t length, int checkfeb);
void qt_qsort(double* array, size_t length);

/* For qt_loopaccum_balance and its like: qt_dbl_add_acc and so on. */
#define QTHREAD_ACCUMULATIONS_(name, type)                                     \
    static inline void qt_##name##_add_acc(void* a, const void* b)             \
    {                                                                          \
        *(type*)a += *(const type*)b;                                          \
    }                                                                          \
    static inline void qt_##name##_prod_acc(void* a, const void* b)            \
    {                                                                          \
        *(type*)a *= *(const type*)b;                                          \
    }                                                                          \
    static inline void qt_##name##_max_acc(void* a, const void* b)             \
    {                                                                          \
        *(type*)a = *(const type*)b > *(type*)a ? *(const type*)b : *(type*)a; \
    }                                                                          \
    static inline void qt_##name##_min_acc(void* a, const void* b)             \
    {                                                                          \
        *(type*)a = *(const type*)b < *(type*)a ? *(const type*)b : *(type*)a; \
    }
QTHREAD_ACCUMULATIONS_(dbl, double)
QTHREAD_ACCUMULATIONS_(int, saligned_t)
QTHREAD_ACCUMULATIONS_(uint, aligned_t)
#undef QTHREAD_ACCUMULATIONS_

Q_ENDCXX

#endif
