// Pools of units, and the idle set of the streams that serve them; the rules are in stream.hpp.
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/stream.hpp"
#include "sched/stream_access.hpp"

#include <mutex>

namespace artel::sched {

void pool::count(int all, int takeable) noexcept
{
    // relaxed (all): under the lock; see the declaration.
    count_.store(count_.load(std::memory_order_relaxed) + static_cast<unsigned>(all),
                 std::memory_order_relaxed);
    if (takeable != 0) {
        takeable_.store(takeable_.load(std::memory_order_relaxed) + static_cast<unsigned>(takeable),
                        std::memory_order_relaxed);
    }
}

// With the lock held.
void pool::add(unit& u) noexcept
{
    u.younger = nullptr;
    u.older = youngest_;
    (youngest_ != nullptr ? youngest_->younger : oldest_) = &u;
    youngest_ = &u;
    count(1, u.stays ? 0 : 1);
}

// With the lock held.
void pool::add(fiber::fiber& f) noexcept
{
    f.next = nullptr;
    if (last_ready_ != nullptr) {
        last_ready_->next = &f;
    } else {
        first_ready_ = &f;
    }
    last_ready_ = &f;
    count(1, 0);
}

// Looked at under the lock: redirect() empties the pool afterwards, so that nothing is put into one
// that nobody looks at any more.
pool& pool::lock_target() noexcept
{
    lock_.lock();
    return redirected_ == nullptr ? *this : unlock_and_lock_target();
}

// The one that is named may have been closed later, too.
pool& pool::unlock_and_lock_target() noexcept
{
    pool& to = *redirected_;
    lock_.unlock();
    return to.lock_target();
}

void pool::push(unit& u) noexcept
{
    const bool anybody = !u.stays;
    pool& to = lock_target();
    u.home = &to;
    to.add(u);
    to.lock_.unlock();  // from here on the unit may have run and be gone
    // pairs with the fence in fall_asleep.
    base::full_fence();
    // relaxed: ordered by the fence.
    if (group.idle_count_.load(std::memory_order_relaxed) != 0) {
        group.wake_one(to, anybody);
    }
}

void pool::push(fiber::fiber& f) noexcept
{
    pool& to = lock_target();
    f.unit->home = &to;
    to.add(f);
    to.lock_.unlock();  // from here on the fiber may run
    // pairs with the fence in fall_asleep.
    base::full_fence();
    // relaxed: ordered by the fence.
    if (group.idle_count_.load(std::memory_order_relaxed) != 0) {
        group.wake_one(to, false);
    }
}

void pool::redirect(pool* to) noexcept
{
    {
        const std::scoped_lock hold(lock_);
        redirected_ = to;
    }
    if (to == nullptr) {
        return;
    }
    for (;;) {
        const found next = stream_access::take(*this, false);
        if (next.ready != nullptr) {
            push(*next.ready);
        } else if (next.fresh != nullptr) {
            push(*next.fresh);
        } else {
            return;
        }
    }
}

found stream_access::take(pool& p, bool oldest_fresh) noexcept
{
    // relaxed: a look; whoever must not miss anything looks again after a fence.
    if (p.count_.load(std::memory_order_relaxed) == 0) {
        return {};
    }
    const std::scoped_lock hold(p.lock_);
    if (p.first_ready_ != nullptr && (!oldest_fresh || p.youngest_ == nullptr)) {
        fiber::fiber* const f = p.first_ready_;
        p.first_ready_ = static_cast<fiber::fiber*>(f->next);
        if (p.first_ready_ == nullptr) {
            p.last_ready_ = nullptr;
        }
        p.count(-1, 0);
        return {f, nullptr};
    }
    unit* const u = oldest_fresh ? p.oldest_ : p.youngest_;
    if (u != nullptr) {
        unlink(p, *u);
    }
    return {nullptr, u};
}

// With the lock held.
void stream_access::unlink(pool& p, unit& u) noexcept
{
    (u.older != nullptr ? u.older->younger : p.oldest_) = u.younger;
    (u.younger != nullptr ? u.younger->older : p.youngest_) = u.older;
    p.count(-1, u.stays ? 0 : -1);
}

unit* stream_access::take_from_others(stream& s) noexcept
{
    stream_group& group = *s.group;
    pool& own = *s.source;
    const unsigned n = group.pools();
    for (unsigned i = 1; i < n; ++i) {
        pool& p = *group.pools_[(own.number + i) % n];
        // relaxed: as in take.
        if (p.takeable_.load(std::memory_order_relaxed) == 0) {
            continue;
        }
        base::work taken;  // before the first; linked by `next`, oldest first
        base::work* last = &taken;
        unsigned got = 0;
        {
            const std::scoped_lock hold(p.lock_);
            // relaxed: under the lock.
            const unsigned half = (p.takeable_.load(std::memory_order_relaxed) + 1) / 2;
            for (unit* u = p.oldest_; u != nullptr && got < half && got < most_at_once;) {
                unit* const younger = u->younger;
                if (!u->stays) {
                    unlink(p, *u);
                    u->next = nullptr;
                    last->next = u;
                    last = u;
                    ++got;
                }
                u = younger;
            }
        }
        if (got == 0) {
            continue;
        }
        // relaxed: a statistic.
        group.steals_.fetch_add(got, std::memory_order_relaxed);
        unit& first = static_cast<unit&>(*taken.next);
        first.home = &own;
        for (base::work* rest = first.next; rest != nullptr;) {
            base::work* const next = rest->next;
            own.push(static_cast<unit&>(*rest));
            rest = next;
        }
        return &first;
    }
    return nullptr;
}

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
    // relaxed: looked at again under the lock.
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
    // The count first: it is never lower than the number of those in the set, or whoever takes this
    // stream out at once would make it seem that nobody else sleeps. relaxed: ordered by the
    // release below.
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
        // relaxed: a look; claim() decides.
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
    } else if (!post_to_member(crew::get(), s.ticket)) {
        base::die("no worker for a stream");
    }
}

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
        // relaxed (two): whoever shows the group to other threads publishes it.
        idle_[i / 64].fetch_or(std::uint64_t{1} << i % 64, std::memory_order_relaxed);
    }
    idle_count_.store(streams(), std::memory_order_relaxed);
}

stream_group::~stream_group() = default;

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
        // One that sleeps is taken out of the idle set.
        wake = claim(s.number);
    }
    if (wake) {
        stream_access::activate(s);
    }
}

}  // namespace artel::sched
