// Light threads. One that has not begun is ordinary fork-join work in a deque: a worker's
// scheduling loop, which is itself a plain fiber, calls its function directly, so a light thread
// that never waits costs neither a stack nor a switch. When it waits, the loop's fiber is suspended
// in the middle, and the worker continues with another loop. A join that finds its light thread not
// begun calls it as a function, if the stack has room.
#include <artel/light_thread.hpp>

#include "base/fp_control.hpp"
#include "base/os/yield.hpp"
#include "base/thread_end.hpp"
#include "capi/own_values.hpp"
#include "foreign/light_thread_end.hpp"
#include "sched/guest_scope.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include <cxxabi.h>
#include <utility>

namespace artel {
namespace detail {
namespace {

// fiber::light_thread points to this: the light thread that runs there.
struct running {
    const light_thread_block& block;
    own_values values{};
};

// Calls the light thread's function on fiber `here`. The block may no longer exist afterwards.
void run_on(fiber::fiber& here, light_thread_block& block) noexcept
{
    running r{block};
    const void* const outer = std::exchange(here.light_thread, &r);
    {
        const foreign::light_thread_local of_facade;
        base::call_program([&] {
            block.call(block);
            r.values.destroy_all();
        });
    }
    here.light_thread = outer;
}

// The exceptions that are thrown and handled where the caller is. The function of the C++ runtime
// is declared to have one result, but the caller may have been moved to another OS thread.
[[gnu::noinline]] fiber::exception_state& exceptions_here() noexcept
{
    asm volatile("" : : : "memory");
    return *reinterpret_cast<fiber::exception_state*>(abi::__cxa_get_globals());
}

// Runs the light thread on the fiber of its joiner, as if it had one of its own: without the
// joiner's width_scope and exceptions, and the joiner keeps its rounding mode.
void run_for_joiner(sched::worker& w, light_thread_block& block) noexcept
{
    fiber::fiber& here = *w.current;
    width_budget* const width = std::exchange(here.width, nullptr);
    if (width != nullptr) [[unlikely]] {
        sched::note_how_to_spawn(w);
    }
    const fiber::exception_state exceptions = std::exchange(exceptions_here(), {});
    const std::uint64_t fp_control = base::fp_control();
    run_on(here, block);
    base::set_fp_control(fp_control);
    exceptions_here() = exceptions;
    if (width != nullptr) [[unlikely]] {
        here.width = width;
        sched::note_how_to_spawn(*sched::this_worker());
    }
}

const running* running_here() noexcept
{
    const sched::worker* const w = sched::this_worker();
    return w != nullptr ? static_cast<const running*>(w->current->light_thread) : nullptr;
}

void run_light_thread(void* carrier, base::work& self)
{
    auto& block = static_cast<light_thread_block&>(self);
    run_on(*static_cast<sched::worker*>(carrier)->current, block);
    const std::size_t size = block.size;
    if (block.done.set()) {
        free_block(&block, size);  // detached
    }
}

}  // namespace

void start_light_thread(light_thread_block& block) noexcept
{
    sched::worker* w = sched::this_worker();
    if (w == nullptr) [[unlikely]] {
        w = sched::crew::get().enter();
        if (w == nullptr) {
            // No slot for this OS thread: another worker's queue is used.
            block.run = run_light_thread;
            if (sched::worker* const other = sched::crew::get().own_worker(0); other != nullptr) {
                sched::post(*other, block, block);
            } else {
                block.run = nullptr;  // begun by join or detach
            }
            return;
        }
    }
    block.run = run_light_thread;
    sched::push(*w, block);
    // Light threads may wait for each other while all workers are blocked. After the push: where
    // few threads can be had, the first is a worker.
    w->own_crew.start_monitor_soon();
}

// Whether the light thread has not begun, and the caller now has to run it.
static bool take_back(light_thread_block& block) noexcept
{
    if (block.run == nullptr) {
        return true;
    }
    sched::worker* const w = sched::this_worker();
    return w != nullptr && fiber::has_room(*w->current) && sched::take_back(*w, block);
}

void join_light_thread(light_thread_block& block) noexcept
{
    if (!block.done.is_set()) {
        if (take_back(block)) {
            if (sched::worker* const w = sched::this_worker(); w != nullptr) {
                run_for_joiner(*w, block);
            } else {
                block.call(block);
            }
        } else {
            block.done.wait();
        }
    }
    free_block(&block, block.size);
}

void detach_light_thread(light_thread_block& block) noexcept
{
    if (block.run == nullptr) {
        block.call(block);
    } else if (block.done.abandon()) {
        return;
    }
    free_block(&block, block.size);
}

const void* this_light_thread() noexcept
{
    const running* const r = running_here();
    return r != nullptr ? &r->block : nullptr;
}

own_values* own_values_of_light_thread() noexcept
{
    const running* const r = running_here();
    return r != nullptr ? &const_cast<running*>(r)->values : nullptr;
}

}  // namespace detail

namespace this_light_thread {

void yield() noexcept
{
    const sched::guest_scope scope;
    if (!scope) {
        base::os::yield();
        return;
    }
    sched::worker& w = *sched::this_worker();
    // No other light thread is ready here: the one that is waited for may need the CPU. Only now
    // and then, as it costs ten times as much as a yield.
    if (!sched::yield_to_tasks_too() &&
        (w.own_crew.oversubscribed() || w.next_random() % 32 == 0)) {
        base::os::yield();
    }
}

}  // namespace this_light_thread
}  // namespace artel
