// See base/os/own_threads.hpp.
#include "base/os/own_threads.hpp"

#include "base/os/signals.hpp"

#include <csignal>
#include <dlfcn.h>
#include <pthread.h>

namespace artel::base::os {

namespace {

using stack_function = std::size_t(const pthread_attr_t*);

// glibc's; other libraries keep thread-local variables elsewhere. Looked up when the library is
// loaded: later the dynamic linker's lock may be held by a thread that waits for us.
stack_function* const least_stack = reinterpret_cast<stack_function*>(
    ::dlsym(RTLD_DEFAULT, "__pthread_get_minstack"));

// A thread's stack also holds its thread-local variables, which may be large in some programs.
std::size_t stack_size(const pthread_attr_t& attributes) noexcept
{
    constexpr std::size_t needed = std::size_t{128} * 1024;
    constexpr std::size_t page = 4096;
    const std::size_t size = needed + (least_stack != nullptr ? least_stack(&attributes) : 0);
    return (size + page - 1) / page * page;
}

}  // namespace

bool start_service_thread(void* (*main)(void*), void* argument) noexcept
{
    const signal_set before = block_all();
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    ::pthread_attr_setstacksize(&attributes, stack_size(attributes));
    pthread_t thread;
    const bool started = ::pthread_create(&thread, &attributes, main, argument) == 0;
    own_threads.fetch_add(started ? 1 : 0, std::memory_order_relaxed);  // relaxed: see own_threads
    ::pthread_attr_destroy(&attributes);
    change_blocked(SIG_SETMASK, before);
    return started;
}

}  // namespace artel::base::os
