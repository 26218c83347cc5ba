// The streams of one interface, their idle set, waking them for the units in the pools, and the
// program's own thread, which may have a stream for a while. stream.hpp has the rules.
#include "base/log.hpp"
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/stream.hpp"
#include "sched/stream_access.hpp"

#include <mutex>

namespace artel::sched {

stream_group::stream_group(unsigned pools, unsigned streams_per_pool)
    : idle_((pools * streams_per_pool + 63) / 64)
{
    for (unsigned i = 0; i < pools; ++i) {
        pools_.push_back(std::make_unique<pool>(*this, i));
    }
    for (unsigned i = 0; i < pools * streams_per_pool; ++i) {
        auto s = std::make_unique<stream>();
        s->ticket.run = stream_access::run_ticket;
        s->ticket.of = s.get();
        s->group = this;
        s->source = pools_[i / streams_per_pool].get();
        s->number = i;
        streams_.push_back(std::move(s));
        // relaxed (two): published with the group.
        idle_[i / 64].fetch_or(std::uint64_t{1} << i % 64, std::memory_order_relaxed);
    }
    idle_count_.store(streams(), std::memory_order_relaxed);
}

stream_group::~stream_group() = default;

bool stream_access::anything_for(const stream& s) noexcept
{
    // relaxed (two): after the fence in fall_asleep.
    if (s.source->count_.load(std::memory_order_relaxed) != 0) {
        return true;
    }
    for (const auto& p : s.group->pools_) {
        if (p->takeable_.load(std::memory_order_relaxed) != 0) {
            return true;
        }
    }
    return false;
}

void stream_access::wake_instead(const stream& s) noexcept
{
    stream_group& g = *s.group;
    // pairs with the fence in fall_asleep.
    base::full_fence();
    // relaxed (three): ordered by the fence.
    if (g.idle_count_.load(std::memory_order_relaxed) == 0) {
        return;
    }
    if (s.source->count_.load(std::memory_order_relaxed) != 0) {
        g.wake_one(*s.source, false);
    }
    for (const auto& p : g.pools_) {
        if (p->takeable_.load(std::memory_order_relaxed) != 0) {
            g.wake_one(*p, true);
        }
    }
}

bool stream_access::fall_asleep(stream& s) noexcept
{
    stream_group& g = *s.group;
    // relaxed: checked again under the lock.
    if (!s.enabled.load(std::memory_order_relaxed)) {
        bool rests = false;
        {
            const std::scoped_lock hold(g.lock_);
            // relaxed: under the lock.
            rests = !s.enabled.load(std::memory_order_relaxed);
            s.left_alone = rests;
        }
        if (rests) {
            wake_instead(s);
            return true;
        }
    }
    // The count first: it is never lower than the size of the set; otherwise a thread that takes
    // this stream out at once would make the set seem empty. relaxed: ordered by the release below.
    g.idle_count_.fetch_add(1, std::memory_order_relaxed);
    // release: pairs with claim(): the stream as its holder leaves it.
    g.idle_[s.number / 64].fetch_or(std::uint64_t{1} << s.number % 64, std::memory_order_release);
    // store-buffering pair with the fence in pool::push.
    base::full_fence();
    return !(anything_for(s) && g.claim(s.number));
}

bool stream_group::claim(unsigned i) noexcept
{
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    // acquire: pairs with fall_asleep().
    if ((idle_[i / 64].fetch_and(~bit, std::memory_order_acquire) & bit) == 0) {
        return false;
    }
    // relaxed: a count that is too high for a moment costs a look in vain.
    idle_count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

void stream_group::wake_one(const pool& p, bool anybody) noexcept
{
    const unsigned each = streams() / pools();
    for (unsigned i = p.number * each; i < (p.number + 1) * each; ++i) {
        // relaxed: a hint; claim() decides.
        if ((idle_[i / 64].load(std::memory_order_relaxed) >> i % 64 & 1) != 0 && claim(i)) {
            stream_access::activate(*streams_[i]);
            return;
        }
    }
    if (!anybody) {
        return;
    }
    for (unsigned i = 0; i < streams(); ++i) {
        // relaxed: as above.
        const std::uint64_t word = idle_[i / 64].load(std::memory_order_relaxed);
        if (word == 0) {
            i |= 63;
        } else if ((word >> i % 64 & 1) != 0 && claim(i)) {
            stream_access::activate(*streams_[i]);
            return;
        }
    }
}

void stream_access::activate(stream& s) noexcept
{
    worker* w = this_worker();
    if (w == nullptr) {
        w = crew::get().enter();
    }
    s.ticket.counted = w != nullptr;
    if (w != nullptr) {
        w->count_concurrent(1);
        push(*w, s.ticket);
    } else if (!post_to_own_worker(crew::get(), s.ticket)) {
        base::die("no worker for a stream");
    }
}

void stream_group::enable(stream& s, bool on) noexcept
{
    bool wake = false;
    {
        const std::scoped_lock hold(lock_);
        // relaxed: see fall_asleep.
        s.enabled.store(on, std::memory_order_relaxed);
        if (on && s.left_alone) {
            s.left_alone = false;
            wake = true;
        }
    }
    if (!on) {
        // A sleeping one is taken out of the idle set.
        wake = claim(s.number);
    }
    if (wake) {
        stream_access::activate(s);
    }
}

bool stream_group::join(unit& u) noexcept
{
    worker* const w = crew::get().enter();
    if (w == nullptr) {
        base::die("no room for one more thread in the crew");
    }
    if (w->current->unit != nullptr) {
        return false;
    }
    u.home = pools_[0].get();
    u.stays = true;
    w->current->unit = &u;
    if (claim(0)) {
        w->current->stream = streams_[0].get();
    } else {
        end_to_block();
    }
    return true;
}

void stream_group::leave() noexcept
{
    fiber::fiber& self = *this_worker()->current;
    stream& s = *self.stream;
    self.unit = nullptr;
    self.stream = nullptr;
    leave_stream(s);
}

}  // namespace artel::sched
