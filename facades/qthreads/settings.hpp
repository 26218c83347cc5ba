// The environment variables of Qthreads. Each is read as QT_NAME or QTHREAD_NAME when the runtime
// is initialised, because programs set them just before. The table is in settings.cpp.
#pragma once

namespace artel::qthreads {

struct settings {
    unsigned long shepherds = 0;             // 0: one for each NUMA node
    unsigned long workers_per_shepherd = 0;  // 0: the CPUs, dealt out evenly
    unsigned long workers = 0;               // HWPAR: all workers; 0: not set
    unsigned long task_local_size = 8;       // bytes: a pointer
    unsigned long stack_size = 0;            // bytes; less than ARTEL_STACK_SIZE has no effect
    unsigned long info = 0;                  // 1: report the result
};

settings read_settings();

}  // namespace artel::qthreads
