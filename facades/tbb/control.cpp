// global_control and the scheduler's handle.
#include "control.hpp"

#include "arena.hpp"
#include "base/options.hpp"
#include "base/os/yield.hpp"
#include "fiber/persona.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/persona_pool.hpp"
#include "light_caller.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "servers.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <set>

namespace artel::onetbb {
namespace {

using abi::d1::global_control;

constexpr std::size_t kinds = 5;
constexpr std::size_t usual_stack = std::size_t{4} << 20;

foreign::fork_safe_lock controls_lock;
// Values in force of each kind; guarded by the lock. May throw std::bad_alloc at first.
std::array<std::multiset<std::size_t>, kinds>& controls()
{
    static std::array<std::multiset<std::size_t>, kinds>* all = nullptr;
    return foreign::made(all);
}

// relaxed, all: what has been set is in force soon.
std::atomic<unsigned> workers_allowed{no_worker_limit};
std::atomic<std::size_t> stack_wanted{0};
std::atomic<bool> terminates{false};

// The program's handles, and whether the scheduler has been in use since there are any: as long as
// there is one it stays so. relaxed, both: as the program orders its calls.
std::atomic<unsigned> handles{0};
std::atomic<bool> kept_by_handle{false};
// Those of the program that refer to an arena. relaxed: likewise.
std::atomic<int> task_arenas{0};

std::size_t active_value(int kind)
{
    const auto& values = controls()[static_cast<std::size_t>(kind)];
    switch (kind) {
    case global_control::max_allowed_parallelism:
        return values.empty() ? default_concurrency() : *values.begin();
    case global_control::thread_stack_size: return values.empty() ? usual_stack : *values.rbegin();
    default: return values.empty() ? 0 : *values.rbegin();
    }
}

unsigned limit_of(std::size_t threads) noexcept
{
    constexpr std::size_t most = std::size_t{1} << 20;
    return static_cast<unsigned>(std::min(std::max(threads, std::size_t{1}) - 1, most));
}

// With the lock held.
void apply(int kind)
{
    const auto& values = controls()[static_cast<std::size_t>(kind)];
    if (kind == global_control::max_allowed_parallelism) {
        // relaxed, all: see the declarations.
        workers_allowed.store(values.empty() ? no_worker_limit : limit_of(*values.begin()),
                              std::memory_order_relaxed);
    } else if (kind == global_control::thread_stack_size) {
        stack_wanted.store(values.empty() ? 0 : *values.rbegin(), std::memory_order_relaxed);
    } else if (kind == global_control::terminate_on_exception) {
        terminates.store(!values.empty() && *values.rbegin() != 0, std::memory_order_relaxed);
    }
}

bool is_known(const global_control& c) noexcept
{
    return c.kind >= 0 && c.kind < static_cast<int>(kinds);
}

// oneTBB counts CPUs when it is first used. A program that has narrowed its affinity since it
// started wants no more threads than its CPUs; the crew keeps the width that it had at the start.
unsigned width_at_first_use() noexcept
{
    const unsigned width = std::max(sched::crew::get().width(), 1U);
    if (base::options().num_threads != 0) {
        return width;
    }
    try {
        const std::size_t allowed = topology::allowed_by_now();
        const bool narrowed = allowed != 0 && allowed < topology::inherited_affinity().size();
        return narrowed ? static_cast<unsigned>(std::min<std::size_t>(width, allowed)) : width;
    } catch (const std::bad_alloc&) {
        return width;
    }
}

}  // namespace

unsigned worker_limit() noexcept
{
    // relaxed: see the declaration.
    const unsigned allowed = workers_allowed.load(std::memory_order_relaxed);
    return allowed != no_worker_limit ? allowed : std::max(default_concurrency(), 2U) - 1;
}

bool worker_limit_is_set() noexcept
{
    // relaxed: see the declaration.
    return workers_allowed.load(std::memory_order_relaxed) != no_worker_limit;
}

bool workers_beyond_width() noexcept
{
    return worker_limit_is_set() && worker_limit() >= sched::crew::get().width();
}

unsigned default_concurrency() noexcept
{
    // Threads that race each find a width, and the first one stays; a static's guard could be left
    // taken by a fork.
    static std::atomic<unsigned> found{0};
    unsigned width = found.load(std::memory_order_relaxed);  // relaxed: nothing else depends on the
                                                             // number
    if (width == 0) {
        const unsigned mine = width_at_first_use();
        // relaxed, both: see above
        if (found.compare_exchange_strong(width, mine, std::memory_order_relaxed,
                                          std::memory_order_relaxed)) {
            width = mine;
        }
    }
    return width;
}

std::size_t stack_size() noexcept
{
    // relaxed: see the declaration.
    return stack_wanted.load(std::memory_order_relaxed);
}

bool terminates_on_exception() noexcept
{
    // relaxed: see the declaration.
    return terminates.load(std::memory_order_relaxed);
}

void handles_keep_scheduler() noexcept
{
    // relaxed, both: see the declarations.
    if (handles.load(std::memory_order_relaxed) != 0) {
        kept_by_handle.store(true, std::memory_order_relaxed);
    }
}

namespace {

bool is_in_use() noexcept
{
    return arena::exist() || others_use_scheduler(nullptr);
}

struct handle_removed {
    bool was_last;
    bool was_in_use;  // the scheduler, since the first handle that overlaps with it
};
handle_removed remove_handle() noexcept
{
    // relaxed, all: see the declarations.
    handle_removed r{handles.fetch_sub(1, std::memory_order_relaxed) == 1,
                     kept_by_handle.load(std::memory_order_relaxed)};
    if (r.was_last) {
        kept_by_handle.store(false, std::memory_order_relaxed);
    }
    return r;
}

}  // namespace

void count_task_arena(int by) noexcept
{
    task_arenas.fetch_add(by, std::memory_order_relaxed);  // relaxed: see the declaration
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::controls;
using artel::onetbb::controls_lock;

void create(d1::global_control& c)
{
    if (!artel::onetbb::is_known(c)) {
        return;
    }
    {
        const std::scoped_lock hold(controls_lock);
        controls()[static_cast<std::size_t>(c.kind)].insert(c.value);
        artel::onetbb::apply(c.kind);
    }
    artel::onetbb::arena::limit_changed();
}

namespace {

void remove(const d1::global_control& c)
{
    const std::scoped_lock hold(controls_lock);
    auto& values = controls()[static_cast<std::size_t>(c.kind)];
    if (const auto at = values.find(c.value); at != values.end()) {
        values.erase(at);
    }
    artel::onetbb::apply(c.kind);
}

}  // namespace

void destroy(d1::global_control& c)
{
    if (artel::onetbb::is_known(c)) {
        remove(c);
        artel::onetbb::arena::limit_changed();
    }
}

std::size_t global_control_active_value(int kind)
{
    const std::scoped_lock hold(controls_lock);
    return kind < 0 || kind >= static_cast<int>(artel::onetbb::kinds)
               ? 0
               : artel::onetbb::active_value(kind);
}

void get(d1::task_scheduler_handle& h)
{
    h.control = new d1::global_control{1, 0, d1::global_control::handle};
    create(*h.control);
    // relaxed: see the declaration.
    artel::onetbb::handles.fetch_add(1, std::memory_order_relaxed);
    if (artel::onetbb::is_in_use()) {
        artel::onetbb::handles_keep_scheduler();
    }
}

bool finalize(d1::task_scheduler_handle& h, std::intptr_t mode)
{
    constexpr std::intptr_t release_only = 0;
    constexpr std::intptr_t throwing = 2;
    d1::global_control* const c = h.control;
    h.control = nullptr;
    if (c == nullptr) {
        return true;
    }
    remove(*c);
    delete c;
    const auto [last, kept] = artel::onetbb::remove_handle();
    if (mode == release_only) {
        return true;
    }
    if (!kept && !artel::onetbb::is_in_use()) {
        return true;  // there are no threads to wait for
    }
    artel::onetbb::thread* const me = artel::onetbb::settled_thread();
    // Threads cannot be waited for in a task, or while anything keeps the scheduler: another
    // handle, a task_arena, or a thread that has used it and may do so again. This one is no user
    // any more, whether or not others are.
    const bool outside = me == nullptr ||
                         (me->now->outermost && artel::onetbb::arena::leave_own(me));
    // relaxed: see the declaration.
    const bool possible = outside && last &&
                          artel::onetbb::task_arenas.load(std::memory_order_relaxed) == 0 &&
                          !artel::onetbb::others_use_scheduler(me);
    if (!possible) {
        if (mode == throwing) {
            throw unsafe_wait("oneTBB: the scheduler cannot be waited for: it is in use");
        }
        return false;
    }
    while (!artel::onetbb::arena::all_quiet()) {
        // Where the system gives no thread for any worker, only this thread can take the ticket in
        // its deque.
        const bool alone = artel::sched::crew::get().own_worker_limit() == 0;
        if (!(alone ? artel::sched::yield_to_tasks_too() : artel::sched::yield())) {
            artel::base::os::yield();
        }
    }
    artel::onetbb::servers::end_idle();
    artel::foreign::end_idle_personas();
    // As the stock library ends its threads: the program may need to be the only thread of its
    // process for what it does next (unshare, setns). Not while members of teams exist, which are
    // threads, too.
    if (artel::fiber::persona_count() == 0) {
        artel::sched::crew::end_threads();
    }
    return true;
}

}  // namespace tbb::detail::r1
