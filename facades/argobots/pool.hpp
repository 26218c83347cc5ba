// Pools, where units wait for a scheduler: FIFO, FIFO with waiting pops, the deque for random
// stealing, and user-defined pools in two forms.
//
// A stream that finds its pools empty falls asleep (scheduled_stream.hpp). Under each pool's lock
// it counts itself among the sleepers and checks the pool; a pusher adds its unit and checks for
// sleepers under the same lock. So one of the two sees the other. A pusher touches nothing of the
// pool after the unlock: the unit may have run by then, and the pool may be freed. The primary ULT
// can run on its own OS thread only, so built-in schedulers on other streams leave it in a pool
// that the primary stream watches. User-defined pools are not watched in this way, because the user
// may add units without our knowledge.
#pragma once

#include "base/spinlock.hpp"
#include "handles.hpp"
#include "thread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::argobots {

// The functions of a user-defined pool; in the older form some take no context.
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

// A flag in the context of pop(): the caller is a built-in scheduler on a secondary stream.
inline constexpr ABT_pool_context from_secondary_stream = ABT_pool_context{1} << 63;

class pool {
public:
    pool(ABT_pool_kind k, ABT_pool_access a, bool is_automatic) noexcept;
    ~pool();

    const ABT_pool_kind kind;
    const ABT_pool_access access;
    bool automatic;                   // freed with the last scheduler that has it
    bool made_for_scheduler = false;  // with the scheduler, which got none from the user
    const int id;
    pool_parts* user = nullptr;
    void* data = nullptr;
    std::atomic<unsigned> schedulers{0};  // that use it. relaxed: ordered by their owners

    bool ours() const noexcept { return user == nullptr; }

    void push(thread& t, ABT_pool_context why) noexcept;
    // Pushes a unit that was blocked, and then stops counting it as blocked, so total_size() always
    // includes it.
    void push_unblocked(thread& t) noexcept;
    thread* pop(ABT_pool_context why) noexcept;
    // As pop(), when a unit of this built-in pool leaves its stream. In the same critical section
    // the unit is counted as blocked, if there is anything to pop. If it yields, it is added again:
    // when a unit is returned the pool stays locked until unlock(), or until add_and_unlock() on
    // the stack of the next unit.
    thread* pop_for_block(ABT_pool_context why, bool& counted) noexcept;
    thread* pop_for_yield(ABT_pool_context why) noexcept;
    void add_and_unlock(thread& t) noexcept;
    void unlock() noexcept { lock_.unlock(); }
    // Waits up to `seconds`; as pop() for a user-defined pool that cannot wait.
    thread* pop_wait(double seconds, ABT_pool_context why) noexcept;
    bool can_wait() const noexcept;
    bool remove(thread& t) noexcept;
    bool can_remove() const noexcept;
    bool has_size() const noexcept;
    // A hint that it is empty; for built-in pools without the lock.
    bool seems_empty() const noexcept
    {
        return user == nullptr &&
               // relaxed: a hint.
               count_.load(std::memory_order_relaxed) == 0;
    }
    bool empty() noexcept;
    std::size_t size() noexcept;
    std::size_t total_size() noexcept;  // including blocked units
    void add_blocked(int change) noexcept;
    bool print_all(void* argument, void (*print)(void*, ABT_thread), bool units) noexcept;

    // Registers a stream whose main scheduler has this pool. False without memory.
    bool add_watcher(xstream& x, bool first) noexcept;
    void remove_watcher(xstream& x) noexcept;
    // Called by a stream that is about to sleep; whether there is a unit for it.
    bool watch(const xstream& x) noexcept;
    void watch_no_more() noexcept;
    // Called for a scheduler that is to stop. It waits until no unit of the pool is blocked either;
    // from now on all sleeping streams are woken when that is so.
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
    xstream* primary_ = nullptr;   // the primary stream, if it watches this pool
    bool primary_queued_ = false;  // the primary ULT is in this pool
    xstream** watchers_ = nullptr;
    unsigned watcher_count_ = 0;
    unsigned watcher_room_ = 0;
    // For waiting pops: changes with every push.
    std::atomic<std::uint32_t> pushes_{0};
    std::atomic<unsigned> waiting_{0};
    // Pushes in progress, for a user-defined pool: it is not freed before they end.
    std::atomic<unsigned> pushing_{0};
};

pool* make_pool(ABT_pool_kind k, ABT_pool_access a, bool automatic) noexcept;
void free_pool(pool& p) noexcept;
void free_user_parts(pool& p) noexcept;

// The unit handle by which pools know a thread, and back. User-defined pools make their own
// handles.
ABT_unit unit_of(thread& t) noexcept;
thread* thread_of(ABT_unit u) noexcept;
int enter_unit(ABT_unit u, thread& t) noexcept;  // an error code
void forget_unit(ABT_unit u) noexcept;
void forget_units_after_fork() noexcept;

}  // namespace artel::argobots
