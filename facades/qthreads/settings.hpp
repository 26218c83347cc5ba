// What Qthreads' environment variables say: each is looked for as QT_NAME and as QTHREAD_NAME. Read
// when the runtime is initialised, since programs set them just before. One table (settings.cpp).
#pragma once

namespace artel::qthreads {

struct settings {
    unsigned long shepherds = 0;             // 0: one for each NUMA node
    unsigned long workers_per_shepherd = 0;  // 0: the CPUs, dealt out evenly
    unsigned long workers = 0;               // HWPAR: in all; 0: not said
    unsigned long task_local_size = 0;       // bytes
    unsigned long stack_size = 0;            // bytes; less than ARTEL_STACK_SIZE has no effect
    unsigned long info = 0;                  // 1: say what was made of all this
};

settings read_settings();

}  // namespace artel::qthreads
