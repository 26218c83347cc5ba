// Built-in pools, and what all pools have in common. Pools of the user are in user_pool.cpp.
#include "pool.hpp"

#include "deadline.hpp"
#include "runtime.hpp"
#include "sched/wait_word.hpp"
#include "xstream.hpp"

#include <cstdlib>
#include <mutex>

namespace artel::argobots {
namespace {

// relaxed: ids only need to differ.
std::atomic<int> next_pool_id{0};

constexpr ABT_pool_context creating = ABT_POOL_CONTEXT_OP_THREAD_CREATE |
                                      ABT_POOL_CONTEXT_OP_THREAD_CREATE_TO |
                                      ABT_POOL_CONTEXT_OP_THREAD_REVIVE |
                                      ABT_POOL_CONTEXT_OP_THREAD_REVIVE_TO;

}  // namespace

pool::pool(ABT_pool_kind k, ABT_pool_access a, bool is_automatic) noexcept
    : kind(k), access(a), automatic(is_automatic),
      id(next_pool_id.fetch_add(1, std::memory_order_relaxed))  // relaxed: see next_pool_id
{}

pool::~pool()
{
    std::free(watchers_);
}

inline bool pool::stays(const thread& t) const noexcept
{
    return t.primary && primary_ != nullptr;
}

[[gnu::always_inline]] inline void pool::link(thread& t, bool first) noexcept
{
    t.younger = nullptr;
    t.older = nullptr;
    if (first_ == nullptr) {
        first_ = last_ = &t;
    } else if (first) {
        t.younger = first_;
        first_->older = &t;
        first_ = &t;
    } else {
        t.older = last_;
        last_->younger = &t;
        last_ = &t;
    }
    t.queued = true;
    primary_queued_ = primary_queued_ || t.primary;
    // relaxed (two): see count_.
    count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

[[gnu::always_inline]] inline thread* pool::unlink(sched::unit* u) noexcept
{
    auto* const t = static_cast<thread*>(u);
    if (t == nullptr || !t->queued) {
        return nullptr;
    }
    (t->older != nullptr ? t->older->younger : first_) = t->younger;
    (t->younger != nullptr ? t->younger->older : last_) = t->older;
    t->queued = false;
    primary_queued_ = primary_queued_ && !t->primary;
    // relaxed (two): see count_.
    count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return t;
}

xstream* pool::claim_sleeper(const thread& t) noexcept
{
    if (stays(t)) {
        return primary_->sleep.poke() ? primary_ : nullptr;
    }
    for (unsigned i = 0; i < watcher_count_; ++i) {
        if (watchers_[i]->sleep.poke()) {
            return watchers_[i];
        }
    }
    return nullptr;
}

// The end of a push, under the lock: wakes a waiting pop or a stream, and unlocks.
[[gnu::always_inline]] inline void pool::pushed(thread& t, bool last_blocked) noexcept
{
    xstream* const woken = sleepers_ != 0 ? claim_sleeper(t) : nullptr;
    // relaxed: under the lock.
    const bool waited_for = waiting_.load(std::memory_order_relaxed) != 0;
    if (waited_for) {
        let_waiters_go();
    }
    if (last_blocked && sleepers_ != 0 && stopping_) {
        poke_all();
    }
    lock_.unlock();  // from here on the pool may be gone
    if (woken != nullptr) {
        sched::activate(*woken);
    }
    if (waited_for) {
        sched::wake_word(pushes_, sched::wake_all);  // a key, no access
    }
}

void pool::push(thread& t, ABT_pool_context why) noexcept
{
    if (!ours()) {
        push_user(t, why);
        return;
    }
    lock_.lock();
    link(t, kind == ABT_POOL_RANDWS && (why & creating) != 0);
    pushed(t, false);
}

void pool::add_and_unlock(thread& t) noexcept
{
    link(t, false);
    pushed(t, false);
}

void pool::push_unblocked(thread& t) noexcept
{
    t.state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);  // relaxed: see state
    if (!ours()) {
        // relaxed: see pushing_.
        pushing_.fetch_add(1, std::memory_order_relaxed);
        const int counted = t.uncounted ? 0 : 1;
        push_user(t, ABT_POOL_CONTEXT_OP_THREAD_RESUME);
        add_blocked(-counted);
        // release: pairs with free_pool.
        pushing_.fetch_sub(1, std::memory_order_release);
        return;
    }
    lock_.lock();
    link(t, false);
    blocked_ -= t.uncounted ? 0 : 1;
    pushed(t, blocked_ == 0);
}

void pool::let_waiters_go() noexcept
{
    // release: pairs with the wait in pop_wait.
    pushes_.fetch_add(1, std::memory_order_release);
}

[[gnu::always_inline]] inline thread* pool::unlink_next(ABT_pool_context why) noexcept
{
    const bool other_end = kind == ABT_POOL_RANDWS && (why & ABT_POOL_CONTEXT_OWNER_SECONDARY) != 0;
    sched::unit* u = other_end ? last_ : first_;
    if (u != nullptr && (why & from_secondary_stream) != 0 && stays(*static_cast<thread*>(u))) {
        u = other_end ? u->older : u->younger;
    }
    return unlink(u);
}

thread* pool::pop(ABT_pool_context why) noexcept
{
    if (!ours()) {
        return pop_user(why);
    }
    if (seems_empty()) {
        return nullptr;
    }
    const std::scoped_lock hold(lock_);
    return unlink_next(why);
}

thread* pool::pop_for_block(ABT_pool_context why, bool& counted) noexcept
{
    if (seems_empty()) {
        return nullptr;
    }
    const std::scoped_lock hold(lock_);
    ++blocked_;
    counted = true;
    return unlink_next(why);
}

thread* pool::pop_for_yield(ABT_pool_context why) noexcept
{
    if (seems_empty()) {
        return nullptr;
    }
    lock_.lock();
    thread* const t = unlink_next(why);
    if (t == nullptr) {
        lock_.unlock();
    }
    return t;
}

thread* pool::pop_wait(double seconds, ABT_pool_context why) noexcept
{
    if (!ours()) {
        return pop_wait_user(seconds, why);
    }
    const sched::moment deadline = after_seconds(seconds);
    for (;;) {
        // acquire: pairs with let_waiters_go.
        const std::uint32_t seen = pushes_.load(std::memory_order_acquire);
        if (thread* const t = pop(why); t != nullptr) {
            return t;
        }
        {
            const std::scoped_lock hold(lock_);
            // relaxed (two): under the lock.
            if (count_.load(std::memory_order_relaxed) != 0) {
                continue;
            }
            waiting_.fetch_add(1, std::memory_order_relaxed);
        }
        const bool woken = sched::wait_word_until(pushes_, seen, deadline);
        waiting_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: at worst a push wakes nobody
        if (!woken && sched::now() >= deadline) {
            return pop(why);
        }
    }
}

bool pool::remove(thread& t) noexcept
{
    if (!ours()) {
        return remove_user(t);
    }
    const std::scoped_lock hold(lock_);
    return unlink(&t) != nullptr;
}

bool pool::empty() noexcept
{
    return ours() ? seems_empty() : empty_user();
}

std::size_t pool::size() noexcept
{
    // relaxed: a number to report.
    return ours() ? count_.load(std::memory_order_relaxed) : size_user();
}

std::size_t pool::total_size() noexcept
{
    const std::size_t of_user = ours() ? 0 : size_user();
    const std::scoped_lock hold(lock_);
    // relaxed: under the lock.
    return of_user + count_.load(std::memory_order_relaxed) + blocked_;
}

void pool::add_blocked(int change) noexcept
{
    const std::scoped_lock hold(lock_);
    blocked_ += static_cast<std::size_t>(static_cast<std::ptrdiff_t>(change));
    // A unit continues without having been in the pool: as in pushed().
    if (blocked_ == 0 && sleepers_ != 0 && stopping_) {
        poke_all();
    }
}

void pool::poke_all() noexcept
{
    for (unsigned i = 0; i < watcher_count_; ++i) {
        if (watchers_[i]->sleep.poke()) {
            sched::activate(*watchers_[i]);
        }
    }
}

void pool::scheduler_stops() noexcept
{
    const std::scoped_lock hold(lock_);
    stopping_ = true;
}

pool* make_pool(ABT_pool_kind k, ABT_pool_access a, bool automatic) noexcept
{
    return make<pool>(k, a, automatic);
}

void free_pool(pool& p) noexcept
{
    p.wait_for_pushers();
    free_user_parts(p);
    drop(&p);
}

}  // namespace artel::argobots
