// cp.h and omp.h for C++: what the library exports.
#pragma once

#include <stddef.h>

#pragma GCC visibility push(default)
extern "C" {
#include "../include/cp.h"
}
#include "../include/omp.h"
#pragma GCC visibility pop
