// The thread-specific key under which an external thread keeps its slot; its destructor tells the
// crew when the thread ends. Made with the process's first crew. Inside src/sched only.
#pragma once

#include <pthread.h>

namespace artel::sched {

[[gnu::visibility("hidden")]] extern pthread_key_t guest_key;

}  // namespace artel::sched
