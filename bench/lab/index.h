/* The loop that the lab-index programs share: out[i] = 2 i over n indices, claimed in chunks of one
 * grain. Measures what an index costs beyond its work, for three lengths: as many indices as
 * workers (the cost of a loop), a thousand, a million. */
#pragma once

#include "measure/measure.h"

struct index_length {
    const char* measure; /* name of the figure */
    const char* unit;
    double scale;    /* seconds of a loop to the unit, for each index or for the loop */
    int64_t indices; /* 0: as many as workers */
};

static const struct index_length index_lengths[] = {
    {"loop", "us", 1e6, 0},
    {"index-1000", "ns", 1e9 / 1e3, 1000},
    {"index-million", "ns", 1e9 / 1e6, 1000000},
};

/* As process_crew chooses it: small enough that the last worker is not late, and large enough that
 * claims are rare. */
static inline int64_t index_grain(int64_t n, int workers)
{
    const int64_t grain = n / ((int64_t)workers * 32);
    return grain < 1 ? 1 : grain > 1024 ? 1024 : grain;
}
