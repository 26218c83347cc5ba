// The participants of a running loop, and the claims on its iterations. The header has the
// invariants.
#include "loop/descriptor.hpp"

#include "base/thread_end.hpp"
#include "loop/descriptor_pool.hpp"
#include "sched/guest_scope.hpp"
#include "sched/wait_word.hpp"

#include <utility>

namespace artel::loop {

namespace {

constexpr std::uint32_t most_units = 1u << 31;

// Writes only changes: a write takes the cache line away from the threads that have read it.
template <class T>
void set(T& field, T value) noexcept
{
    if (field != value) {
        field = value;
    }
}

}  // namespace

[[maybe_unused]] const int descriptor_pool::registered = ::pthread_atfork(
    nullptr, nullptr, descriptor_pool::forget_after_fork);

descriptor* descriptor::make(const request& r, unsigned slots) noexcept
{
    descriptor* const d = descriptor_pool::take(slots);
    if (d == nullptr) {
        return nullptr;
    }
    // relaxed everywhere: no other thread knows it yet; offers and queues publish it.
    d->state_.store(0, std::memory_order_relaxed);
    d->references_.store(1, std::memory_order_relaxed);         // relaxed: as above
    d->free_.store(0, std::memory_order_relaxed);               // relaxed: as above
    d->somebody_came_.store(false, std::memory_order_relaxed);  // relaxed: as above
    if (d->failed_.load(std::memory_order_relaxed)) {           // relaxed: as above
        d->failed_.store(false, std::memory_order_relaxed);     // relaxed: as above
    }
    const std::uint64_t iterations = iterations_between(r.begin, r.end);
    std::uint64_t unit = 1;
    std::uint64_t units = iterations;
    if (iterations > most_units) [[unlikely]] {
        unit = iterations / most_units + 1;
        units = iterations / unit + (iterations % unit != 0 ? 1 : 0);
    }
    const std::uint64_t grain = unit == 1 ? static_cast<std::uint64_t>(r.grain)
                                          : static_cast<std::uint64_t>(r.grain) / unit;
    set(d->stoppable_, r.stop.stop_possible());
    set(d->slots_, slots);
    set(d->grain_units_, static_cast<std::uint32_t>(std::clamp<std::uint64_t>(grain, 1, units)));
    set(d->units_, static_cast<std::uint32_t>(units));
    set(d->unit_, static_cast<std::int64_t>(unit));
    set(d->begin_, r.begin);
    set(d->end_, r.end);
    set(d->body_, r.body);
    set(d->context_, r.context);
    set(d->request_, &r);
    set(d->how_, r.how);
    set(d->within_, r.within);
    set(d->may_be_empty_, r.how->comes_and_goes || r.nodes.restricts());
    if (r.how->begins_with == layout::common) {
        d->common_.reset();
    }
    for (unsigned i = 0; i < slots; ++i) {
        d->mark(i, ownership::reserved);
    }
    return d;
}

unit_range descriptor::share(unsigned i) const noexcept
{
    switch (how_->begins_with) {
    case layout::shares: break;
    case layout::caller: return i == first_slot_ ? unit_range{0, units_} : unit_range{};
    case layout::common: return {};
    }
    return equal_share(i);
}

unit_range descriptor::equal_share(unsigned i) const noexcept
{
    const std::uint32_t each = units_ / slots_;
    const std::uint32_t longer = units_ % slots_;  // the first ones get one more
    const std::uint32_t first = i * each + std::min(i, longer);
    return {first, first + each + (i < longer ? 1 : 0)};
}

void descriptor::leave(unsigned entries) noexcept
{
    // release: pairs with the acquire loads in close() and await_others(). The caller, which reads
    // the last participant's write, sees what all of them did: every change of the word after the
    // first is a read-modify-write, so it continues the release sequences of earlier leavers. Hence
    // no acquire: the last one uses nothing that the others did, it only wakes the caller.
    std::uint32_t before = 0;
    if (!may_be_empty_) {
        before = state_.fetch_sub(entries, std::memory_order_release);  // release: as above
    } else {
        // The caller may be about to sleep on a word that says "awaited, no participants", and a
        // participant that comes and leaves would restore just that value: so the last one clears
        // the announcement. A participant that came after an announcement sees it here, because it
        // has changed the word since.
        before = state_.load(std::memory_order_relaxed);  // relaxed: the exchange compares
        std::uint32_t after = 0;
        do {
            after = before - entries;
            if ((after & participants) == 0) {
                after &= ~awaited;
            }
            // release: as above.
        } while (!state_.compare_exchange_weak(before, after, std::memory_order_release,
                                               std::memory_order_relaxed));
    }
    if ((before & awaited) != 0 && (before & participants) == entries) {
        // uses only the address: the loop may be over and its memory reused.
        sched::wake_word(state_, 1);
    }
}

unsigned descriptor::take_slot() noexcept
{
    for (unsigned i = 0; i < slots_ && any_free(); ++i) {
        if (ownerships()[i].take()) {
            free_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a hint
            return i;
        }
    }
    return no_slot;
}

bool descriptor::others_at_work(unsigned own) noexcept
{
    for (unsigned i = 0; i < slots_; ++i) {
        if (const ownership t = ownership_of(i);
            i != own && (t == ownership::owned || t == ownership::offered)) {
            return true;
        }
    }
    return false;
}

bool descriptor::announce_waiter(std::uint32_t now) noexcept
{
    // relaxed: it publishes nothing, and wait_word compares again.
    return (now & awaited) != 0 ||
           state_.compare_exchange_strong(now, now | awaited, std::memory_order_relaxed);
}

void descriptor::close() noexcept
{
    // acquire: pairs with leave(): all that participants did that have left already. No release: a
    // late enter() that reads this only leaves.
    std::uint32_t now = state_.fetch_or(closed, std::memory_order_acquire) | closed;
    if ((now & participants) == 0) {
        return;
    }
    const sched::guest_scope scope;
    // rounds of 25 ns: about the last chunk of a light loop, and longer than a suspension costs.
    constexpr unsigned spin_limit = 24;
    for (unsigned i = 0; (now & participants) != 0; ++i) {
        const sched::worker* const w = sched::this_worker();
        const bool spin = i < spin_limit && (w == nullptr || !w->has_work());
        if (spin) {
            base::cpu_relax();
        } else if (announce_waiter(now)) {
            sched::wait_word(state_, now | awaited);
        }
        now = state_.load(std::memory_order_acquire);  // acquire: pairs with leave()
    }
}

void descriptor::await_others() noexcept
{
    constexpr unsigned spin_limit = 24;  // as in close()
    for (unsigned round = 0;; ++round) {
        std::uint32_t now = state_.load(std::memory_order_acquire);  // acquire: pairs with leave()
        if ((now & participants) == 0) {
            bool left = how_->begins_with == layout::common && common_.has_units(units_);
            for (unsigned i = 0; i < slots_ && !left; ++i) {
                left = has_units(i);
            }
            if (!left || stopped()) {
                return;
            }
        } else if (const sched::worker* const w = sched::this_worker();
                   round < spin_limit && (w == nullptr || !w->has_work())) {
            base::cpu_relax();
            continue;
        }
        if ((now & awaited) == 0) {
            // And check again: a participant may have come, run everything and left since `now`,
            // which the announcement cannot tell from none having come. One that comes after the
            // announcement clears it when it leaves.
            announce_waiter(now);
        } else {
            sched::wait_word(state_, now);
        }
    }
}

void descriptor::drop_reference() noexcept
{
    // release: our use of it ends before its reuse; acquire: the last one sees the uses of the
    // others.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        descriptor_pool::give(this);
    }
}

void descriptor::run(unit_range units, unsigned participant) noexcept
{
    // All unsigned, because the distance from begin_ may exceed the largest signed integer. Only
    // the last unit may be shorter.
    const auto unit = static_cast<std::uint64_t>(unit_);
    const std::uint64_t first = static_cast<std::uint64_t>(begin_) + units.first * unit;
    const std::uint64_t length = units.size() * unit;
    const std::uint64_t left = static_cast<std::uint64_t>(end_) - first;
    const auto begin = static_cast<std::int64_t>(first);
    const std::int64_t end = length < left ? static_cast<std::int64_t>(first + length) : end_;
    try {
        body_(context_, begin, end, participant);
    } catch (...) {
        fail();
    }
}

void descriptor::fail() noexcept
{
    std::exception_ptr error = base::caught();
    // relaxed: selects the thread that writes the error, which leave() publishes.
    if (!failed_.exchange(true, std::memory_order_relaxed)) {
        error_ = std::move(error);
    }
}

}  // namespace artel::loop
