// See base/os/own_threads.hpp.
#include "base/os/own_threads.hpp"

#include "base/os/signals.hpp"

#include <csignal>
#include <pthread.h>

namespace artel::base::os {

bool start_service_thread(void* (*main)(void*), void* argument) noexcept
{
    const signal_set before = block_all();
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    ::pthread_attr_setstacksize(&attributes, 128 * 1024);
    pthread_t thread;
    const bool started = ::pthread_create(&thread, &attributes, main, argument) == 0;
    own_threads.fetch_add(started ? 1 : 0, std::memory_order_relaxed);  // relaxed: see own_threads
    ::pthread_attr_destroy(&attributes);
    change_blocked(SIG_SETMASK, before);
    return started;
}

}  // namespace artel::base::os
