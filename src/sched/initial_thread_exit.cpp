// Counts the program's threads in /proc, now and then.
#include "sched/initial_thread_exit.hpp"

#include "base/os/own_threads.hpp"
#include "base/os/signals.hpp"
#include "sched/alarm.hpp"
#include "sched/crew.hpp"
#include "sched/wait_word.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

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

// It may still run destructors of the program's thread-specific data.
bool initial_thread_is_dead() noexcept
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", ::getpid());
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return true;
    }
    char text[256];
    const ssize_t n = ::read(file, text, sizeof text);
    ::close(file);
    const std::string_view line(text, n > 0 ? static_cast<std::size_t>(n) : 0);
    const std::size_t name_end = line.rfind(')');  // the state comes after "(name) "
    return name_end == std::string_view::npos || name_end + 2 >= line.size() ||
           line[name_end + 2] == 'Z' || line[name_end + 2] == 'X';
}

// Whether only threads of ours are left, and have nothing to do. What can go on is running, queued,
// or waits for a time, by an alarm or in the kernel; from one to the other it goes while we look,
// so one look may find it nowhere (see watch).
bool all_is_done() noexcept
{
    const int all = threads_of_process();
    // relaxed: only a number.
    return all >= 0 && all - 1 <= base::os::own_threads.load(std::memory_order_relaxed) &&
           crew::has_nothing_to_do() && !alarms_set().any && !kernel_sleeps_until_deadlines().any;
}

// How many waits for a time have begun.
std::uint64_t waits_begun() noexcept
{
    return std::uint64_t{alarms_set().begun} + kernel_sleeps_until_deadlines().begun;
}

base::os::signal_set mask_at_exit;  // written before the thread is made

void* watch(void*)
{
    bool was_done = false;           // at the last look
    std::uint64_t begun_before = 0;  // and before it
    for (long nap = shortest_nap;; nap = std::min(nap * 2, longest_nap)) {
        const timespec pause{0, nap};
        ::nanosleep(&pause, nullptr);
        const std::uint64_t begun = waits_begun();
        const bool done = all_is_done();
        // What one look has missed was awake, and can be missed again only as it goes to or from
        // another wait.
        if (was_done && done && waits_begun() == begun_before && initial_thread_is_dead()) {
            // As the last thread's end does (POSIX, pthread_exit).
            base::os::change_blocked(SIG_SETMASK, mask_at_exit);
            std::exit(0);
        }
        was_done = done;
        begun_before = begun;
    }
}

// The process, by its number, whose initial thread has left, that has a crew, and that is watched:
// numbers, because the child of a fork is another one.
std::atomic<pid_t> left{0};
std::atomic<pid_t> with_crew{0};
std::atomic<pid_t> watched{0};

void watch_if_needed(pid_t self) noexcept
{
    // seq_cst, all: store-buffering pair of the two callers; the later one sees both. The exchange
    // selects one of several.
    if (left.load(std::memory_order_seq_cst) != self ||
        with_crew.load(std::memory_order_seq_cst) != self ||
        watched.exchange(self, std::memory_order_seq_cst) == self) {
        return;
    }
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // Signals of the process are for threads of the program, which may wait for them.
    mask_at_exit = base::os::block_all();
    pthread_t thread;
    if (::pthread_create(&thread, &attributes, watch, nullptr) == 0) {
        base::os::own_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: see own_threads
    } else {
        watched.store(0, std::memory_order_seq_cst);  // seq_cst: as above
    }
    base::os::change_blocked(SIG_SETMASK, mask_at_exit);
    ::pthread_attr_destroy(&attributes);
}

[[gnu::constructor]] void note_initial_thread() noexcept
{
    pthread_key_t key;
    if (::gettid() == ::getpid() &&
        ::pthread_key_create(&key, [](void*) { initial_thread_leaves(); }) == 0) {
        ::pthread_setspecific(key, &left);
    }
}

}  // namespace

void initial_thread_leaves() noexcept
{
    left.store(::getpid(), std::memory_order_seq_cst);  // seq_cst: see watch_if_needed
    watch_if_needed(::getpid());
}

void crew_is_made() noexcept
{
    with_crew.store(::getpid(), std::memory_order_seq_cst);  // seq_cst: see watch_if_needed
    watch_if_needed(::getpid());
}

}  // namespace artel::sched
