// Where the crew's threads run, and how those that share a CPU avoid each other (placement.cpp).
#pragma once

#include "sched/crew_load.hpp"
#include "sched/crew_table.hpp"

#include <pthread.h>
#include <sched.h>

namespace artel::sched {

class crew_placement : public crew_table, public crew_load {
public:
    // Records the CPU that the calling OS thread, which carries `w`, runs on; whether that has
    // changed. Takes nanoseconds.
    static bool note_cpu(worker& w) noexcept;
    // Records the caller's CPU, if it is a worker inside of the crew. Called before it wakes
    // another thread, which the kernel often puts on the waker's CPU.
    static void note_cpu_of_waker() noexcept;
    // Records the CPU of `w`, and returns whether a thread may be waiting for `w` to leave it: one
    // of the crew that does not sleep and was last seen there, or one that is starting. An
    // estimate. Takes time proportional to the number of workers.
    bool shares_cpu(worker& w) const noexcept;
    // If another thread of the crew that does not sleep was last seen on the CPU of `w`: moves `w`
    // to a CPU of its affinity mask on which none was, unless `w` is a guest or was moved lately.
    // The mask is unchanged afterwards. Takes some microseconds.
    void leave_shared_cpu(worker& w) const noexcept;
    // Notes the CPU of a worker that the kernel has just started, woken or moved, and moves it if
    // that CPU is shared, unless there are more busy threads than CPUs anyway.
    void leave_cpu_if_shared(worker& w) const noexcept;

    // Gives the calling OS thread, which serves the whole process, the CPUs of the thread that
    // first used the crew: the thread that has started it may be bound to one CPU.
    static void take_program_cpus() noexcept;

protected:
    // Called by the maker: chooses the CPUs on which the new thread starts.
    void start_apart(worker& w, pthread_attr_t& attributes) const noexcept;
    // Called by the new thread: takes its maker's affinity mask, or the program's when it comes
    // back; then its own binding.
    static void leave_start_mask(worker& w) noexcept;
    void settle_down(worker& w) const noexcept;

    // The affinity mask of the thread that first used the crew, for OS threads that come back. Not
    // when there are more CPUs than a cpu_set_t can hold.
    cpu_set_t program_cpus_{};
    bool program_cpus_known_ = false;

private:
    void bind(const worker& w) const noexcept;
    bool unused_cpus(const worker* except, const cpu_set_t& allowed,
                     cpu_set_t& unused) const noexcept;
    // Whether another thread of the crew that does not sleep was last seen on that CPU.
    bool another_is_on(const worker& w, int cpu) const noexcept;
};

}  // namespace artel::sched
