/* Of the Qthreads interface, for C++. */
#ifndef QTHREAD_QTHREAD_HPP
#define QTHREAD_QTHREAD_HPP

#include "qthread.h"
#include "syncvar.hpp"

#endif
