#include "sched/put_aside.hpp"

#include "base/os/keep_errno.hpp"
#include "base/os/thread_state.hpp"
#include "sched/crew.hpp"

#include <sched.h>

namespace artel::sched {
namespace {

// Whether others may be waiting for what `w` does now. relaxed (all): a guess.
bool has_something_to_do(const worker& w) noexcept
{
    return w.cpu_clock.load(std::memory_order_relaxed) != 0 && !w.idle.load(std::memory_order_relaxed) && !w.bed.is_parked() &&
           !w.resting.load(std::memory_order_relaxed) && (w.duty != role::guest || w.taking_part.load(std::memory_order_relaxed));
}

std::uint64_t cpu_time(const worker& w) noexcept
{
    return base::os::read_clock(w.cpu_clock.load(std::memory_order_relaxed));  // relaxed: set once
}

// Makes the kernel move the thread, which waits for a CPU, to the one that the caller runs on. It may leave it again at once.
bool bring_here(int thread) noexcept
{
    const int here = ::sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || base::os::read_thread_state(thread).cpu == here) {
        return false;
    }
    cpu_set_t allowed;
    if (::sched_getaffinity(thread, sizeof allowed, &allowed) != 0 || !CPU_ISSET(static_cast<unsigned>(here), &allowed)) {
        return false;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(here), &one);
    if (::sched_setaffinity(thread, sizeof one, &one) != 0) {
        return false;
    }
    ::sched_setaffinity(thread, sizeof allowed, &allowed);
    return true;
}

}  // namespace

void put_aside_watch::watch_next(const worker& w) noexcept
{
    const crew& all = w.home;
    const unsigned n = all.table_size();
    watched_ = nullptr;
    for (unsigned i = 0; i < n && watched_ == nullptr; ++i) {
        worker& other = *all.at(turn_++ % n);
        if (&other != &w && has_something_to_do(other)) {
            watched_ = &other;
            had_ = cpu_time(other);
        }
    }
}

bool put_aside_watch::look(worker& w) noexcept
{
    const base::os::keep_errno guard;
    bool brought = false;
    if (worker* const other = watched_; other != nullptr && has_something_to_do(*other) && had_ != 0 && cpu_time(*other) == had_) {
        const int thread = base::os::thread_of_clock(other->cpu_clock.load(std::memory_order_relaxed));  // relaxed: as in cpu_time
        if (base::os::read_thread_state(thread).wants_cpu() && bring_here(thread)) {
            w.fetches.add();
            // relaxed (two): hints. Where it is now, so that the caller yields; and that it was brought, so that it goes away again when it has done what it is needed for.
            other->cpu.store(::sched_getcpu(), std::memory_order_relaxed);
            other->brought.store(true, std::memory_order_relaxed);
            brought = true;
        }
    }
    watch_next(w);
    return brought;
}

}  // namespace artel::sched
