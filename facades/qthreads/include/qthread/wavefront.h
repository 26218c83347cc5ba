/* Of the Qthreads interface (qthread.h): a lattice whose units follow from three neighbours. The
 * first unit of the array below is the lattice's corner. */
#ifndef QTHREAD_WAVEFRONT_H
#define QTHREAD_WAVEFRONT_H

#include "qarray.h"

Q_STARTCXX

typedef void (*wave_comp_f)(const void* left, const void* leftdown, const void* down, void* out);
typedef void (*wave_f)(qarray* left, qarray* below, void** R);
typedef struct qt_wavefront_lattice_s qt_wavefront_lattice;

qt_wavefront_lattice* qt_wavefront(qarray* left, qarray* below, wave_comp_f func);
void qt_wavefront_print_lattice(const qt_wavefront_lattice* l);
void qt_wavefront_destroy_lattice(qt_wavefront_lattice* l);
void qt_basic_wavefront(int* restrict const* R, size_t cols, size_t rows, wave_comp_f func);

Q_ENDCXX

#endif
