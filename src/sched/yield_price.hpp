// The cost of yielding the CPU. Among threads of the crew it is low: the other worker runs, and the
// waiter comes back when that one waits in turn. But a computing thread of another program takes
// its whole time slice, some milliseconds, and the kernel may then treat the yielding thread as
// having used that time, so that several slices pass. Sleeping is cheaper then: a thread that is
// woken has kept its share, and the kernel prefers it to one that has used its own.
//
// A thread cannot know at a yield which thread takes the CPU, but afterwards it knows how long the
// CPU was gone and how much CPU time the process has had meanwhile; the difference is lost. So
// waiters measure their yields. When most of the time is lost, all waiters of the crew sleep
// instead, for many times as long as the last yield took; when the next measurement shows the same,
// once more.
//
// The process's clock takes as long to read as a yield, so it is read only after a suspiciously
// long yield. The first such yield is therefore only a warning. In a crew that has the machine to
// itself it was a long piece of work of another worker; the next long yield then shows that nothing
// was lost, and measuring stops for a time.
//
// Rejected: reading the load of the machine, or how long our threads have waited for a CPU, from
// /proc: 10 us each, late, and in a container or under a quota it describes others. Also rejected:
// sleeping after a single expensive yield: beside programs that seldom compute or have less weight,
// regions then took half as long again, because sleepers lose their CPU there as well.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace artel::sched {

// Any thread. All moments are those of base::cycles().
class yield_price {
public:
    explicit yield_price(std::uint64_t cycles_per_microsecond) noexcept
        : microsecond_(cycles_per_microsecond)
    {}

    // Whether a waiter should now sleep instead of yielding.
    bool too_high(std::uint64_t now) const noexcept { return now < high_until_.get(); }

    // Whether the process's CPU time is to be read before a yield.
    bool suspected(std::uint64_t now) const noexcept { return now < suspected_until_.get(); }

    // A yield has taken from `begin` to `end`. `used`(): the process's CPU time in it, in
    // nanoseconds, if that is `known`.
    template <class Used>
    void paid(std::uint64_t begin, std::uint64_t end, bool known, Used used) noexcept
    {
        if (end - begin < dear * microsecond_) [[likely]] {
            return;
        }
        known ? judge(begin, end, used() * microsecond_ / 1000) : warn(begin, end);
    }

    // Microseconds lost by an expensive yield. Time slices are longer.
    static constexpr std::uint64_t dear = 1000;
    // This fraction of the time may be lost, and this many microseconds more; half as many when
    // yields have been given up lately. On a busy machine sleepers lose something, too, and waking
    // them costs time.
    static constexpr std::uint64_t tolerable = 2;
    static constexpr std::uint64_t tolerable_at_once = 6000;
    // Waiters do not yield for this many times the duration of the last expensive yield.
    static constexpr std::uint64_t times = 64;
    // Microseconds: but for no longer than this, since the other program may end at any time.
    static constexpr std::uint64_t longest = 500000;

private:
    // A hint that all threads write.
    class hint {
    public:
        // relaxed (two): only a matter of speed; of concurrent writes any is right.
        std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
        void set(std::uint64_t v) noexcept { value_.store(v, std::memory_order_relaxed); }

    private:
        std::atomic<std::uint64_t> value_{0};
    };

    [[gnu::noinline, gnu::cold]] void warn(std::uint64_t begin, std::uint64_t end) noexcept
    {
        if (begin >= high_until_.get() && begin >= cheap_until_.get()) {
            suspected_until_.set(end + times * (end - begin));
        }
    }

    // `used`: CPU time, in cycles.
    [[gnu::noinline, gnu::cold]] void judge(std::uint64_t begin, std::uint64_t end,
                                            std::uint64_t used) noexcept
    {
        const std::uint64_t high_until = high_until_.get();
        // Time that several threads lose at once is counted once.
        const std::uint64_t counted = std::min(counted_until_.get(), end);
        const std::uint64_t more = end - std::max(begin, counted);
        if (begin < high_until || more < dear * microsecond_) {
            return;
        }
        const std::uint64_t took = end - begin;
        if (took - std::min(took, used) < dear * microsecond_) {
            cheap_until_.set(end + times * took);
            suspected_until_.set(0);
            return;
        }
        const std::uint64_t before = lost_.get();
        const std::uint64_t lost = before - std::min(before, (end - counted) / tolerable) + more;
        lost_.set(lost);
        counted_until_.set(end);
        const std::uint64_t rest = std::min(longest * microsecond_, times * took);
        const bool again = high_until != 0 && begin - high_until < last_rest_.get();
        suspected_until_.set(end + rest);
        if (lost >= tolerable_at_once * microsecond_ / (again ? 2 : 1)) {
            high_until_.set(end + rest);
            suspected_until_.set(end + 2 * rest);
            last_rest_.set(rest);
        }
    }

    const std::uint64_t microsecond_;  // in cycles, as all that follow
    hint high_until_;
    hint suspected_until_;
    hint cheap_until_;
    hint lost_;           // lost time less the tolerable part, ...
    hint counted_until_;  // ... as of this moment
    hint last_rest_;      // for how long it was high last time
};

}  // namespace artel::sched
