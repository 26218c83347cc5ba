/* openmp.h — what the OpenMP benchmark programs share besides measure.h: which library they use. */
#pragma once

#include <omp.h>

#include "../measure/measure.h"

/* JSON members every line carries, plus `more` ("" or members preceded by a comma). Valid until the
 * next call. */
static inline const char* openmp_extra(const char* more)
{
    static char text[1024];
    const char* policy = getenv("OMP_WAIT_POLICY");
    snprintf(text, sizeof text, ",\"library\":\"%s\",\"policy\":\"%s\"%s",
             measure_library("omp_get_max_threads"), policy ? policy : "default", more);
    return text;
}
