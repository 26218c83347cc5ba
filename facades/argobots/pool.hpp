// Pools, where units wait for a scheduler: FIFO, the same with waiting pops, the deque for random
// stealing, and pools of the user's in two forms.
//
// A stream that finds its pools empty falls asleep (scheduled_stream.hpp). Under each pool's lock
// it counts itself among the sleepers and looks; a pusher puts its unit there and looks for
// sleepers under the same lock. So one of the two sees the other, and whoever pushes touches
// nothing of the pool after the lock, when the unit may have run and the pool be freed. The primary
// ULT can run on its own OS thread only, so schedulers of ours on other streams leave it alone in a
// pool that the primary stream watches. Pools of
// the user's are not watched in this way: their owner may put units there behind our back.
#pragma once

#include "base/spinlock.hpp"
#include "handles.hpp"
#include "thread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::argobots {

// Parts of a user's pool; in the older form some take no context.
struct pool_parts {
    bool older = false;
    ABT_pool_access access = ABT_POOL_ACCESS_MPMC;
    // newer
    ABT_pool_user_create_unit_fn create_unit = nullptr;
    ABT_pool_user_free_unit_fn free_unit = nullptr;
    ABT_pool_user_is_empty_fn is_empty = nullptr;
    ABT_pool_user_pop_fn pop = nullptr;
    ABT_pool_user_push_fn push = nullptr;
    ABT_pool_user_init_fn init = nullptr;
    ABT_pool_user_free_fn free = nullptr;
    ABT_pool_user_get_size_fn get_size = nullptr;
    ABT_pool_user_pop_wait_fn pop_wait = nullptr;
    ABT_pool_user_pop_many_fn pop_many = nullptr;
    ABT_pool_user_push_many_fn push_many = nullptr;
    ABT_pool_user_print_all_fn print_all = nullptr;
    // older
    ABT_pool_def def{};
};

// For pop(), in a context: the caller is a scheduler of ours on a secondary stream.
inline constexpr ABT_pool_context from_secondary_stream = ABT_pool_context{1} << 63;

class pool {
public:
    pool(ABT_pool_kind k, ABT_pool_access a, bool is_automatic) noexcept;
    ~pool();

    const ABT_pool_kind kind;
    const ABT_pool_access access;
    bool automatic;  // freed with the last scheduler that has it
    const int id;
    pool_parts* user = nullptr;
    void* data = nullptr;
    std::atomic<unsigned> schedulers{0};  // that have it. relaxed: ordered by their owners

    bool ours() const noexcept { return user == nullptr; }

    void push(thread& t, ABT_pool_context why) noexcept;
    // A unit that has been blocked: counted among the units here all the time.
    void push_unblocked(thread& t) noexcept;
    thread* pop(ABT_pool_context why) noexcept;
    // The same for a unit of this pool, which is ours, that leaves its stream: in one section with
    // its being counted as blocked, if there is anything to pop; or, when it yields, with its being
    // added again: a unit that is returned leaves the pool locked until add_and_unlock, on the
    // stack of the unit that follows, or unlock.
    thread* pop_for_block(ABT_pool_context why, bool& counted) noexcept;
    thread* pop_for_yield(ABT_pool_context why) noexcept;
    void add_and_unlock(thread& t) noexcept;
    void unlock() noexcept { lock_.unlock(); }
    // Waits up to so long; of a pool of the user's that cannot wait: as pop.
    thread* pop_wait(double seconds, ABT_pool_context why) noexcept;
    bool remove(thread& t) noexcept;
    bool can_remove() const noexcept;
    bool has_size() const noexcept;
    // A hint that there is nothing; of ours without the lock.
    bool seems_empty() const noexcept
    {
        return user == nullptr &&
               // relaxed: a hint.
               count_.load(std::memory_order_relaxed) == 0;
    }
    bool empty() noexcept;
    std::size_t size() noexcept;
    std::size_t total_size() noexcept;  // with those that are blocked
    void add_blocked(int change) noexcept;
    bool print_all(void* argument, void (*print)(void*, ABT_thread), bool units) noexcept;

    // For streams whose main scheduler has it. Returns false without memory.
    bool add_watcher(xstream& x, bool first) noexcept;
    void remove_watcher(xstream& x) noexcept;
    // By a stream that is about to sleep; whether there is something here.
    bool watch(const xstream& x) noexcept;
    void watch_no_more() noexcept;
    // A scheduler that has it stops when nothing is blocked either: from now on all streams that
    // sleep are woken when that becomes so.
    void scheduler_stops() noexcept;
    void wait_for_pushers() noexcept;

private:
    void link(thread& t, bool first) noexcept;
    thread* unlink_next(ABT_pool_context why) noexcept;
    void pushed(thread& t, bool last_blocked) noexcept;
    thread* unlink(sched::unit* u) noexcept;
    xstream* claim_sleeper(const thread& t) noexcept;
    bool stays(const thread& t) const noexcept;
    void let_waiters_go() noexcept;
    void poke_all() noexcept;
    thread* pop_user(ABT_pool_context why) noexcept;
    thread* pop_wait_user(double seconds, ABT_pool_context why) noexcept;
    void push_user(thread& t, ABT_pool_context why) noexcept;
    bool remove_user(thread& t) noexcept;
    bool empty_user() noexcept;
    std::size_t size_user() noexcept;
    bool print_all_user(void* argument, void (*print)(void*, ABT_thread), bool units) noexcept;

    base::spinlock lock_;
    unsigned sleepers_ = 0;
    sched::unit* first_ = nullptr;
    sched::unit* last_ = nullptr;
    // Written under the lock. relaxed: see seems_empty.
    std::atomic<std::size_t> count_{0};
    std::size_t blocked_ = 0;
    bool stopping_ = false;
    xstream* primary_ = nullptr;   // if it watches this pool
    bool primary_queued_ = false;  // the primary ULT lies here
    xstream** watchers_ = nullptr;
    unsigned watcher_count_ = 0;
    unsigned watcher_room_ = 0;
    // For waiting pops: changes with every push.
    std::atomic<std::uint32_t> pushes_{0};
    std::atomic<unsigned> waiting_{0};
    // Of a pool of the user's: who is in the middle of a push, which must not outlive the pool.
    std::atomic<unsigned> pushing_{0};
};

pool* make_pool(ABT_pool_kind k, ABT_pool_access a, bool automatic) noexcept;
void free_pool(pool& p) noexcept;
void free_user_parts(pool& p) noexcept;

// The unit handle by which pools know a thread, and back. A pool of the user's makes its own.
ABT_unit unit_of(thread& t) noexcept;
thread* thread_of(ABT_unit u) noexcept;
int enter_unit(ABT_unit u, thread& t) noexcept;  // an error code
void forget_unit(ABT_unit u) noexcept;

}  // namespace artel::argobots
