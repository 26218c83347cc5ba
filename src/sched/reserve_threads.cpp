// OS threads of reserves: one more is made or woken when the monitor asks for it, or somebody who
// was told to have more threads than there are; and what is left of one that ends. Which of them
// rest is in reserves.cpp.
#include "base/options.hpp"
#include "base/os/own_threads.hpp"
#include "fiber/overflow.hpp"
#include "fiber/persona.hpp"
#include "sched/crew.hpp"

#include <mutex>
#include <utility>

namespace artel::sched {

// For light threads that are spun on: one of them will live there.
bool crew::add_reserve(cause why) noexcept
{
    const bool dedicated = why == cause::spinning;
    const bool enough = reserve_count() >= fiber::persona_count();
    if (wake_resting(!dedicated || enough, dedicated)) {
        return true;
    }
    const unsigned most = base::options().max_workers;
    if (most != 0 && member_count() + reserve_count() >= most) {
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
    // relaxed (two): published with the thread. Who posts from now on leaves it to the new thread.
    w->vacant.store(false, std::memory_order_relaxed);
    w->retiring.store(false, std::memory_order_relaxed);
    // relaxed (two): published with the thread. What the last one in this slot carried is not there
    // any more.
    w->inhabited.store(false, std::memory_order_relaxed);
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

void crew::call_reserve() noexcept
{
    // relaxed, both: a look; the monitor adds one where it was wrong.
    if (free_.idle.load(std::memory_order_relaxed) == 0 &&
        arriving_.load(std::memory_order_relaxed) <= 0 && add_reserve(cause::promised)) {
        // relaxed: a statistic.
        reserves_added_[static_cast<std::size_t>(cause::promised)].fetch_add(
            1, std::memory_order_relaxed);
    }
}

// By a reserve's OS thread, the last thing that it does for the crew.
void crew::has_ended(worker& w) noexcept
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

// The next reserve may have it. Nothing lies in its queues but mail that nobody could be given
// (forward_mail), which thieves must go on looking for.
void crew::leave_slot(worker& w) noexcept
{
    const std::scoped_lock hold(growing_);
    if (w.mail.empty()) {
        in_use_.erase(w.index);
    }
    w.next_free = ended_;
    ended_ = &w;
}

}  // namespace artel::sched
