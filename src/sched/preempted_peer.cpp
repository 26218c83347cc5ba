// A worker watches one other at a time, by its CPU time: if that stands still while the other has
// something to do, it has no CPU.
#include "sched/preempted_peer.hpp"

#include "base/os/thread_clock.hpp"
#include "sched/crew.hpp"

namespace artel::sched {
namespace {

constexpr std::uint64_t hot_for = 500;  // us; Linux's sched_migration_cost_ns
// some milliseconds: a peer that has not been moved by then will not be.
constexpr unsigned most_naps_in_vain = 20;

// Whether others may be waiting for what `w` does now. relaxed (all): an estimate.
bool has_something_to_do(const worker& w) noexcept
{
    return w.cpu_clock.load(std::memory_order_relaxed) != 0 &&
           !w.idle.load(std::memory_order_relaxed) && !w.bed.is_parked() &&
           !w.resting.load(std::memory_order_relaxed) &&
           (w.kind != role::guest || w.taking_part.load(std::memory_order_relaxed));
}

std::uint64_t cpu_time(const worker& w) noexcept
{
    return base::os::read_clock(w.cpu_clock.load(std::memory_order_relaxed));  // relaxed: set once
}

}  // namespace

void preempted_peer_watch::watch_next(const worker& w) noexcept
{
    const crew& all = w.own_crew;
    watched_ = nullptr;
    in_vain_ = 0;
    all.any_worker_from(turn_, [&](const worker& other) {
        if (&other == &w || !has_something_to_do(other)) {
            return false;
        }
        const std::uint64_t had = cpu_time(other);
        if (had == 0 || (&other == given_up_ && had == had_when_given_up_)) {
            return false;
        }
        watched_ = &other;
        had_ = had;
        since_ = base::cycles();
        turn_ = other.index + 1;
        return true;
    });
}

preempted preempted_peer_watch::look(worker& w) noexcept
{
    if (watched_ == nullptr || !has_something_to_do(*watched_) || cpu_time(*watched_) != had_) {
        watch_next(w);
        return preempted::nobody;
    }
    if (base::cycles() - since_ < hot_for * base::cycles_per_microsecond()) {
        return preempted::perhaps;
    }
    if (++in_vain_ > most_naps_in_vain) {
        given_up_ = watched_;
        had_when_given_up_ = had_;
        watch_next(w);
        return preempted::nobody;
    }
    return preempted::surely;
}

}  // namespace artel::sched
