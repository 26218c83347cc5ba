// Counts the program's threads in /proc, now and then.
#include "sched/initial_thread_exit.hpp"

#include "base/os/own_threads.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <pthread.h>

namespace artel::sched {
namespace {

constexpr long shortest_nap = 2000000;   // ns
constexpr long longest_nap = 100000000;  // ns

// Threads of the process, the dead initial one included; -1 when that cannot be known.
int threads_of_process() noexcept
{
    DIR* const tasks = ::opendir("/proc/self/task");
    if (tasks == nullptr) {
        return -1;
    }
    int n = 0;
    while (const dirent* const entry = ::readdir(tasks)) {
        n += entry->d_name[0] != '.' ? 1 : 0;
    }
    ::closedir(tasks);
    return n;
}

void* watch(void*)
{
    for (long nap = shortest_nap;; nap = std::min(nap * 2, longest_nap)) {
        const timespec pause{0, nap};
        ::nanosleep(&pause, nullptr);
        const int all = threads_of_process();
        // relaxed: only a number.
        if (all >= 0 && all - 1 <= base::os::own_threads.load(std::memory_order_relaxed)) {
            std::exit(0);  // as the last thread's end does (POSIX, pthread_exit)
        }
    }
}

}  // namespace

void initial_thread_leaves() noexcept
{
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    if (::pthread_create(&thread, &attributes, watch, nullptr) == 0) {
        base::os::own_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: see own_threads
    }
    ::pthread_attr_destroy(&attributes);
}

}  // namespace artel::sched
