// The lists by address, in buckets, and the sleep itself: a worker's persona is suspended, any
// other thread sleeps in the kernel.
#include "sleeper.hpp"

#include "base/os/futex.hpp"
#include "sched/alarm.hpp"
#include "sched/suspend.hpp"

#include <array>
#include <new>

namespace artel::onetbb {
namespace {

constexpr unsigned bucket_bits = base::modelled ? 1 : 8;

struct alignas(base::cache_line) bucket : wait_list {};
constinit std::array<bucket, 1U << bucket_bits> buckets;

}  // namespace

wait_list& waiters_at(std::uintptr_t address) noexcept
{
    // Fibonacci hashing: neighbouring addresses land in different buckets.
    return buckets[(address >> 3) * 0x9E3779B97F4A7C15U >> (64 - bucket_bits)];
}

void forget_waiters_after_fork() noexcept
{
    for (bucket& b : buckets) {
        b.forget();
    }
}

void wait_list::add(wait_node& b) noexcept
{
    b.listed = true;
    b.number = ++added;
    b.next = nullptr;
    b.before = last;
    (last != nullptr ? last->next : first) = &b;
    last = &b;
    // relaxed, both: see the declaration.
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void wait_list::remove(wait_node& b) noexcept
{
    if (!b.listed) {
        return;
    }
    b.listed = false;
    (b.before != nullptr ? b.before->next : first) = b.next;
    (b.next != nullptr ? b.next->before : last) = b.before;
    // relaxed, both: see the declaration.
    count.store(count.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

void wait_list::forget() noexcept
{
    new (&lock) base::spinlock;
    for (wait_node* b = first; b != nullptr; b = b->next) {
        b->listed = false;  // only the forking thread's own nodes, if any, are still valid
    }
    first = last = nullptr;
    count.store(0, std::memory_order_relaxed);  // relaxed: nobody else is here
}

// Runs on the next fiber's stack, after the switch.
void sleeper::switched_away(fiber::carrier&, fiber::fiber& previous, void* self)
{
    sleeper& s = *static_cast<sleeper*>(self);
    s.who_ = &previous;
    std::uint32_t expected = awake;
    // release: publishes the saved context to poke(). relaxed: on failure nothing is read.
    if (!s.state_.compare_exchange_strong(expected, asleep, std::memory_order_release,
                                          std::memory_order_relaxed)) {
        sched::make_ready(previous);
    }
}

void sleeper::sleep(const void* waits_for) noexcept
{
    sched::worker* const w = sched::this_worker();
    if (w != nullptr) {
        const bool carries = waits_for != nullptr && w->current->type == fiber::kind::bound;
        if (carries) {
            w->asleep_value = 0;
            w->asleep_on = &poked_;
            w->waits_for = waits_for;
        }
        const bool slept = sched::suspend(switched_away, this);
        if (carries) {
            w->asleep_on = nullptr;  // a bound fiber is still on its own worker
            w->waits_for = nullptr;
        }
        if (slept) {
            return;
        }
    }
    std::uint32_t expected = awake;
    // relaxed, all: the kernel compares again; what the waker has written is read under a lock.
    if (state_.compare_exchange_strong(expected, in_kernel, std::memory_order_relaxed,
                                       std::memory_order_relaxed)) {
        while (state_.load(std::memory_order_relaxed) == in_kernel) {
            base::os::futex_wait(state_, in_kernel);
        }
    }
}

bool sleeper::sleep_for(std::int64_t time) noexcept
{
    struct limit : sched::alarm {
        explicit limit(sleeper& s) noexcept : of(s) {}
        sleeper& of;
        bool has_rung = false;  // guarded by the lock of all alarms
    };
    limit end(*this);
    end.ring = [](sched::alarm& a) noexcept {
        auto& self = static_cast<limit&>(a);
        self.has_rung = true;
        // The sleeper is still there: it does not return before clear_alarm().
        return self.of.poke();
    };
    end.when = sched::now() + time;
    if (!sched::set_alarm(end)) {
        sleep();
        return true;
    }
    sleep();
    sched::clear_alarm(end);
    return !end.has_rung;
}

fiber::fiber* sleeper::poke() noexcept
{
    // release: pairs with the acquire in may_carry.
    poked_.store(1, std::memory_order_release);
    // acq_rel: pairs with switched_away, and publishes what the waker has done to the sleeper.
    const std::uint32_t before = state_.exchange(poked, std::memory_order_acq_rel);
    if (before == in_kernel) {
        base::os::futex_wake(state_, 1);
    }
    return before == asleep ? who_ : nullptr;
}

void sleeper::wake(fiber::fiber* who) noexcept
{
    if (who != nullptr) {
        sched::make_ready(*who);
    }
}

}  // namespace artel::onetbb
