// For models: the functions that the sources of arenas call beside the crew, in the simplest form
// that keeps their promises. To the sources no thread is a worker of the crew, so every thread
// sleeps in the simulated kernel.
#pragma once

#include "persona_model.hpp"

#include "base/options.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/no_deadlines_model.hpp"
#include "sched/periodic.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "arena.hpp"
#include "context.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "light_caller.hpp"

namespace artel::base {

std::exception_ptr caught() noexcept
{
    return std::current_exception();
}

}  // namespace artel::base

namespace artel::onetbb {

// relaxed, as the real one.
inline std::atomic<unsigned>* model_limit = nullptr;

unsigned worker_limit() noexcept
{
    return model_limit->load(std::memory_order_relaxed);
}
bool worker_limit_is_set() noexcept
{
    return worker_limit() != no_worker_limit;
}
bool workers_beyond_width() noexcept
{
    return false;
}
// Two, so that arenas of higher priority may want all workers.
unsigned default_concurrency() noexcept
{
    return 2;
}

// Spinning is at most one search.
task* arena::spin_for_task(thread& me, const abi::d1::wait_context*, bool& more) noexcept
{
    more = false;
    return rl::rand(2) != 0 ? me.look() : nullptr;
}

// Contexts that are never cancelled, threads without observers, tasks without small objects, and no
// light threads.
constinit std::atomic<std::uint64_t> cancellations{0};
bool look_upwards(task_group_context&, std::uint64_t) noexcept
{
    return false;
}
void keep_exception(task_group_context&) noexcept {}
void throw_kept(task_group_context&) {}
void bind_slowly(task_group_context& c, task_group_context*, std::uint64_t) noexcept
{
    c.life.store(task_group_context::isolated, std::memory_order_release);
}
std::uint64_t read_fp_settings() noexcept
{
    return 0;
}
void write_fp_settings(std::uint64_t) noexcept {}
observer_list::~observer_list() {}
std::uint64_t observer_list::seen_by(const thread& t) noexcept
{
    return t.observers_seen;
}
void observer_list::tell_new(thread&) {}
void observer_list::tell_exit(thread&) {}
void* small_pool::more(std::size_t)
{
    std::abort();
}
void small_pool::return_from_outside(void*, std::size_t) noexcept {}
void thread::drop_own_arena() noexcept {}
void enter_own_arena(thread&) {}
void count_user(thread&) noexcept {}
bool call_on_persona(void (*)(void*), void*)
{
    return false;
}
arena& shared_arena()
{
    std::abort();
}
void enqueue_for_light_thread(arena&, task&, abi::d1::task_group_context&) {}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

void initialize(d1::task_group_context& c)
{
    c.life.store(d1::task_group_context::created, std::memory_order_relaxed);
    c.fp_settings = 0;
}
void destroy(d1::task_group_context&) {}

}  // namespace tbb::detail::r1

namespace artel::base {

std::uint64_t cycles_per_microsecond() noexcept
{
    return 1;
}
const option_values& options() noexcept
{
    static const option_values usual{};
    return usual;
}

namespace os {
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept
{
    model::futex_wait(word, expected);
}
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept
{
    model::futex_wake(word, count);
}
}  // namespace os

}  // namespace artel::base

namespace artel::foreign {

fork_safe_lock::fork_safe_lock() noexcept : next_(nullptr) {}
void start_thread_persona(fiber::fiber&) noexcept {}

}  // namespace artel::foreign

namespace artel::fiber {

tls_block& this_tls() noexcept
{
    static tls_block nobody;
    return nobody;
}

}  // namespace artel::fiber

namespace artel::sched {

crew& crew::get() noexcept
{
    alignas(crew) static char nothing[sizeof(crew)];
    return *reinterpret_cast<crew*>(nothing);
}
worker* crew_workers::enter() noexcept
{
    return nullptr;
}
void crew_wakeup::guest_begins(worker&) noexcept {}
void crew_wakeup::guest_ends(worker&) noexcept {}
void crew_wakeup::wake_somebody(worker*) noexcept {}
void crew_monitor::start_monitor() noexcept {}
void crew_workers::call_reserve() noexcept {}
void crew_wakeup::take_left_tasks() noexcept {}
void call_each_second(second_hook hook) noexcept
{
    onetbb::model_crew::now->each_second = hook;
}
void post(worker&, base::work&, base::work&) noexcept {}
void let_others_go_first() noexcept {}
bool leave_to_others(worker&, base::work&) noexcept
{
    return false;
}
bool post_to_own_worker(crew&, base::work& item) noexcept
{
    onetbb::model_crew& c = *onetbb::model_crew::now;
    c.post([&] { c.tickets[c.ticket_count++] = &item; });
    return true;
}
void run_now(worker&, fiber::fiber& f) noexcept
{
    onetbb::servers::start(f);
}
void make_ready(fiber::fiber&) noexcept {}
bool suspend(fiber::after_switch, void*) noexcept
{
    return false;
}
bool yield() noexcept
{
    return false;
}
bool yield_to_anybody() noexcept
{
    model::yield();
    return false;
}

}  // namespace artel::sched
