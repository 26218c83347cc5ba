// Pools of units: their content, and how streams take from their own and from others'. stream.hpp
// has the rules; stream_group.cpp selects the stream that a push wakes.
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

// Checked under the lock: redirect() empties the pool afterwards, so nothing is put into a pool
// that nobody serves any more.
pool& pool::lock_target() noexcept
{
    lock_.lock();
    return redirected_ == nullptr ? *this : unlock_and_lock_target();
}

// The target may itself have been closed later.
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
    // relaxed: an estimate; code that must not miss anything checks again after a fence.
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

}  // namespace artel::sched
