// OS threads of reserves: making or waking one for the monitor, or for a caller that was promised
// more threads than there are; and the end of one. The list of resting ones is in reserves.cpp.
#include "base/options.hpp"
#include "base/os/own_threads.hpp"
#include "fiber/overflow.hpp"
#include "fiber/persona.hpp"
#include "sched/crew.hpp"

#include <mutex>
#include <utility>

namespace artel::sched {

// With cause::spinning the reserve will carry only one light thread.
bool crew_workers::add_reserve(cause why) noexcept
{
    const bool dedicated = why == cause::spinning;
    const bool enough = reserve_count() >= fiber::persona_count();
    if (wake_resting(!dedicated || enough, dedicated)) {
        return true;
    }
    const unsigned most = base::options().max_workers;
    if (most != 0 && own_worker_count() + reserve_count() >= most) {
        return false;
    }
    worker* w = nullptr;
    {
        const std::scoped_lock hold(growing_);
        if (ended_ != nullptr) {
            w = ended_;
            ended_ = w->next_free;
            in_use_.insert(w->index);
        }
    }
    if (w == nullptr) {
        w = add(role::reserve);
        if (w == nullptr) {
            return false;
        }
    }
    // relaxed (two): published with the thread. Posters from now on leave the mail to the new
    // thread.
    w->vacant.store(false, std::memory_order_relaxed);
    w->retiring.store(false, std::memory_order_relaxed);
    // relaxed (two): published with the thread. What the last thread in this slot carried is gone.
    w->occupied.store(false, std::memory_order_relaxed);
    w->dedicated.store(dedicated, std::memory_order_relaxed);
    // relaxed: read in spin loops, which look again.
    working_reserves_.fetch_add(1, std::memory_order_relaxed);
    is_to_arrive(*w);
    if (!start_thread(*w)) {
        has_arrived(*w);
        working_reserves_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: as above
        w->vacant.store(true, std::memory_order_relaxed);           // relaxed: ordered by the fence
        base::full_fence();  // pairs with the fence in post(), as in ends_now
        leave_slot(*w);
        forward_mail(*w);
        return false;
    }
    reserve_count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: a statistic
    return true;
}

void crew_workers::call_reserve() noexcept
{
    // relaxed, both: estimates; the monitor adds a reserve when they were wrong.
    if (free_.idle.load(std::memory_order_relaxed) == 0 &&
        arriving_.load(std::memory_order_relaxed) <= 0 && add_reserve(cause::promised)) {
        // relaxed: a statistic.
        reserves_added_[static_cast<std::size_t>(cause::promised)].fetch_add(
            1, std::memory_order_relaxed);
    }
}

// The last step of a reserve's OS thread for the crew.
void crew_workers::has_ended(worker& w) noexcept
{
    fiber::this_tls().current_carrier = nullptr;
    fiber::release_signal_stack(std::exchange(w.signal_stack, nullptr));
    // relaxed (all): hints and statistics; see concurrent_queued.
    queued_by_ended_.fetch_add(w.concurrent_queued.load(std::memory_order_relaxed),
                               std::memory_order_relaxed);
    w.concurrent_queued.store(0, std::memory_order_relaxed);
    w.cpu.store(worker::no_cpu, std::memory_order_relaxed);
    w.cpu_clock.store(0, std::memory_order_relaxed);  // the kernel may use the number again
    working_reserves_.fetch_sub(1, std::memory_order_relaxed);
    reserve_count_.fetch_sub(1, std::memory_order_relaxed);
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);
    leave_slot(w);
}

// Makes the slot available to the next reserve. Its queues are empty, except for mail that no
// thread would take (forward_mail), for which thieves must keep looking.
void crew_workers::leave_slot(worker& w) noexcept
{
    const std::scoped_lock hold(growing_);
    if (w.mail.empty()) {
        in_use_.erase(w.index);
    }
    w.next_free = ended_;
    ended_ = &w;
}

}  // namespace artel::sched
