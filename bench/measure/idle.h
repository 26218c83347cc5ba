/* idle.h — CPU time that a process uses while its main thread sleeps and its workers have nothing
 * to do. */
#pragma once

#include <sys/resource.h>

#include "measure.h"

/* CPU seconds of all threads of this process so far. */
static inline double idle_cpu(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
           (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
}

/* Prints two measures, each the CPU used in percent of one CPU while main sleeps: "idle-first" over
 * the tenth of a second that follows the work (a runtime's spin shows here), "idle" over the time
 * after that. Blocks. */
static inline void idle_print(const struct measure_options* options, const char* extra)
{
    const double windows[2] = {0.1, options->seconds < 0.2 ? 0.2 : options->seconds};
    const char* names[2] = {"idle-first", "idle"};
    for (int window = 0; window < 2; ++window) {
        struct timespec pause = {(time_t)windows[window],
                                 (long)((windows[window] - (double)(time_t)windows[window]) * 1e9)};
        double wall = measure_now(), cpu = idle_cpu();
        nanosleep(&pause, NULL);
        double percent = (idle_cpu() - cpu) / (measure_now() - wall) * 100;
        measure_print(names[window], "% CPU", options, &percent, 1, 1, extra);
    }
}
