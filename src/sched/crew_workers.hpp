// Who belongs to the crew: own workers, guests (external threads) and reserves, with their slots
// and OS threads, from their coming to their end.
#pragma once

#include "base/fp_control.hpp"
#include "base/spinlock.hpp"
#include "sched/crew_monitor.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

namespace artel::sched {

class crew_workers : public crew_monitor {
public:
    // The worker slot of the calling OS thread, which becomes a guest at its first call; nullptr
    // when the table is full.
    worker* enter() noexcept;

    // Called when an external thread gets a stream of its own and carries no other one. It then
    // counts like a second external thread: own_worker_limit() rises to width().
    void guest_keeps_to_its_own() noexcept;

    // Own worker number i (0 <= i < own_worker_limit()), created if it does not exist yet. nullptr
    // when the system gives no more threads; then that is remembered and own_worker_limit() no
    // longer promises it.
    worker* own_worker(unsigned i) noexcept;

    // Called after work that must run concurrently was queued, by callers that were promised more
    // threads than the crew has: when no own worker is idle and no reserve is on its way, wakes or
    // creates an OS thread at once, without waiting for the monitor.
    void call_reserve() noexcept;

    // Called by a reserve that has found nothing to do: whether its OS thread ends now, because the
    // monitor wants it to. If so nobody relies on it any more.
    bool ends_now(worker& w) noexcept;

    // Forwards mail of a guest or a reserve whose thread has ended to one of the crew's own
    // threads. Called by the thread that made the slot vacant, or by one that has posted there and
    // made a full fence since.
    void forward_mail(worker& ended) noexcept;

    // Whether the calling thread blocks exactly the signals that the crew's threads, or the light
    // thread on it, block. If not, it may be in a signal handler, which may have interrupted
    // anything. A system call.
    bool usual_signal_mask(const worker& w) const noexcept;

    // Why the monitor has started or woken a reserve.
    enum class cause : std::uint8_t {
        spinning,  // light threads wait behind one that computes and does not switch
        blocked,   // they wait behind one that is blocked in the kernel, or long without a CPU
        promised   // members that nobody has started, and all workers are stuck
    };
    static constexpr std::size_t causes = 3;
    std::uint64_t reserves_added(cause why) const noexcept
    {
        // relaxed: a statistic.
        return reserves_added_[static_cast<std::size_t>(why)].load(std::memory_order_relaxed);
    }
    // That of the thread that first used the crew; what workers run begins with it.
    std::uint64_t fp_control() const noexcept { return fp_control_; }
    // relaxed: a statistic.
    unsigned reserve_count() const noexcept
    {
        return reserve_count_.load(std::memory_order_relaxed);
    }

protected:
    static constexpr unsigned own_index = ~0u;
    worker* add(role r, unsigned seat = own_index) noexcept;
    bool forward(base::work& item) noexcept;
    void vacate(worker& w) noexcept;  // vacancy.cpp; by the guest that ends
    static void release_guest(void* slot) noexcept;
    bool start_thread(worker& w) noexcept;

    // reserves.cpp
    void rest(worker& w) noexcept;
    void has_arrived(worker& w) noexcept;
    bool wake_resting(bool any, bool dedicated) noexcept;
    void retire_reserves() noexcept;
    void end_rested(worker& w) noexcept;
    // reserve_threads.cpp
    bool add_reserve(cause why) noexcept;
    // departure.cpp
    static bool may_leave(worker& w) noexcept;
    static void bring_back(parker& bed) noexcept;
    bool end_thread_of(worker& w, std::int64_t end) noexcept;

    // the signal mask of the thread that first used the crew, and of our threads.
    sigset_t program_mask_{};
    const std::uint64_t fp_control_ = base::fp_control();
    // Reserves that the monitor has started or woken and that have not had a CPU since. relaxed:
    // the monitor looks at each tick.
    std::atomic<int> arriving_{0};
    // The sum of worker::concurrent_queued of guests that have ended. relaxed: as that.
    std::atomic<int> queued_by_ended_{0};
    // relaxed: statistics.
    std::array<std::atomic<std::uint64_t>, causes> reserves_added_{};
    // reserve workers with nothing to do; guarded by growing_.
    std::atomic<worker*> resting_{nullptr};
    // guards creation and ownership of slots; held briefly (threads are created outside).
    base::spinlock growing_;

private:
    void guest_comes() noexcept;
    void raise_own_worker_limit() noexcept;
    static void* thread_main(void* argument);
    void is_to_arrive(worker& w) noexcept;
    worker* take_resting(bool any) noexcept;
    bool stop_resting(worker& w) noexcept;
    void has_ended(worker& w) noexcept;
    void leave_slot(worker& w) noexcept;
    static bool departs(worker& w) noexcept;

    // external threads inside the crew; guarded by growing_.
    unsigned guests_ = 0;
    bool several_came_ = false;  // there were once two or more at a time; guarded by growing_
    // held while an own thread is created, so that later callers learn whether that was possible.
    base::spinlock creation_;
    std::atomic<unsigned> reserve_count_{0};
    // Slots of guests that have ended, for new ones; guarded by growing_.
    slot_set<max_workers> vacancies_;
    worker* ended_ = nullptr;  // slots of reserves whose thread has ended; guarded by growing_
};

}  // namespace artel::sched
