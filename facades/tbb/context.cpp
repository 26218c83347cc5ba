// Cancellation is looked for upwards, from a context to its ancestors, and only when the counter of
// all cancellations has changed since the last look.
#include "context.hpp"

#include "base/cpu.hpp"
#include "base/thread_end.hpp"
#include "control.hpp"
#include "light_caller.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace artel::onetbb {

constinit std::atomic<std::uint64_t> cancellations{1};

namespace {

std::uint64_t new_id() noexcept
{
    static constinit std::atomic<std::uint64_t> blocks{1};
    constexpr std::uint64_t block = 1U << 16;
    thread_local std::uint64_t next = 0;
    if (next % block == 0) {
        next = blocks.fetch_add(1, std::memory_order_relaxed) * block;  // relaxed: a number
    }
    return next++ + 1;
}

void forget_exception(task_group_context& c) noexcept
{
    // acquire: pairs with keep_exception, whose thread may not be the one that waited.
    delete c.exception.exchange(nullptr, std::memory_order_acquire);
}

}  // namespace

std::uint64_t read_fp_settings() noexcept
{
    std::uint32_t mxcsr = 0;
    std::uint16_t x87 = 0;
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    // Without the flags of exceptions that have occurred.
    return (mxcsr & ~0x3FU) | static_cast<std::uint64_t>(x87) << 32;
}

void write_fp_settings(std::uint64_t settings) noexcept
{
    const auto mxcsr = static_cast<std::uint32_t>(settings);
    const auto x87 = static_cast<std::uint16_t>(settings >> 32);
    asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(x87));
}

bool look_upwards(task_group_context& c, std::uint64_t now) noexcept
{
    const task_group_context* at = &c;
    // A cancellation of an ancestor does not count if it happened before the reset of a context
    // below it.
    std::uint64_t since = c.reset_at.load(std::memory_order_relaxed);
    // relaxed, all: see is_cancelled, which has acquired the flags and numbers.
    while (at->life.load(std::memory_order_relaxed) == task_group_context::bound &&
           at->parent != nullptr && at->parent->id == at->parent_id) {
        at = at->parent;
        // acquire: pairs with the release below, in another thread that has looked.
        if (at->cancelled.load(std::memory_order_acquire) != 0) {
            const std::uint64_t when = at->cancelled_at.load(std::memory_order_relaxed);
            if (when > since) {
                c.cancelled_at.store(when, std::memory_order_relaxed);
                c.cancelled.store(1, std::memory_order_release);  // release: publishes the number
                return true;
            }
        }
        since = std::max(since, at->reset_at.load(std::memory_order_relaxed));
    }
    c.looked_at.store(now, std::memory_order_relaxed);
    return false;
}

bool cancel(task_group_context& c) noexcept
{
    if (is_cancelled(c)) {
        return false;
    }
    // Stored before the flag is set. When several threads cancel at a time, the number of any of
    // them will do. relaxed, all: published by the counter.
    c.cancelled_at.store(cancellations.load(std::memory_order_relaxed) + 1,
                         std::memory_order_relaxed);
    if (c.cancelled.exchange(1, std::memory_order_release) != 0) {  // release: as in look_upwards
        return false;
    }
    // release: pairs with is_cancelled.
    cancellations.fetch_add(1, std::memory_order_release);
    return true;
}

void keep_exception(task_group_context& c) noexcept
{
    std::exception_ptr thrown = base::caught();
    if (terminates_on_exception()) {
        std::terminate();
    }
    // Tasks of a group that the program, or a group around it, has cancelled may throw to end
    // sooner: such an exception is dropped, as by the stock library. Where an exception has
    // cancelled the group, this one is kept as well: a task that waits in the group may have taken
    // the first one, and rethrows it now. relaxed, both: a thread that rethrows has acquired what
    // was kept.
    if (cancel(c)) {
        c.has_thrown.store(1, std::memory_order_relaxed);
    } else if (c.has_thrown.load(std::memory_order_relaxed) == 0) {
        return;
    }
    auto* const own = new std::exception_ptr(std::move(thrown));
    std::exception_ptr* none = nullptr;
    // release: pairs with throw_if_kept(). relaxed on failure: the first exception is kept, and not
    // read here.
    if (!c.exception.compare_exchange_strong(none, own, std::memory_order_release,
                                             std::memory_order_relaxed)) {
        delete own;
    }
}

void throw_kept(task_group_context& c)
{
    // Only one of the waiting threads throws it, as with the stock library since 2022; each of them
    // may reset the context. acquire: pairs with keep_exception().
    const std::unique_ptr<std::exception_ptr> kept(
        c.exception.exchange(nullptr, std::memory_order_acquire));
    if (kept != nullptr) {
        std::rethrow_exception(*kept);
    }
}

void bind_slowly(task_group_context& c, task_group_context* parent, std::uint64_t usual) noexcept
{
    std::uint8_t expected = task_group_context::created;
    // acquire: pairs with the release below.
    if (!c.life.compare_exchange_strong(expected, task_group_context::locked,
                                        std::memory_order_acquire, std::memory_order_acquire)) {
        // acquire: pairs with the release below.
        while (c.life.load(std::memory_order_acquire) == task_group_context::locked) {
            base::cpu_relax();
        }
        return;
    }
    const bool child = (c.traits & task_group_context::is_bound) != 0 && parent != nullptr;
    if (child) {
        c.parent = parent;
        c.parent_id = parent->id;
    }
    if ((c.traits & task_group_context::has_fp_settings) == 0) {
        c.fp_settings = child ? parent->fp_settings : usual;
    }
    // release: pairs with is_bound.
    c.life.store(child ? task_group_context::bound : task_group_context::isolated,
                 std::memory_order_release);
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::read_fp_settings;

void initialize(d1::task_group_context& c)
{
    c.id = artel::onetbb::new_id();
    c.parent = nullptr;
    c.parent_id = 0;
    // relaxed, all: the program publishes the context.
    c.cancelled.store(0, std::memory_order_relaxed);
    c.looked_at.store(0, std::memory_order_relaxed);
    c.cancelled_at.store(0, std::memory_order_relaxed);
    c.reset_at.store(0, std::memory_order_relaxed);
    c.exception.store(nullptr, std::memory_order_relaxed);
    c.has_thrown.store(0, std::memory_order_relaxed);
    c.life.store(d1::task_group_context::created, std::memory_order_relaxed);
    c.itt_caller = nullptr;
    c.fp_settings = 0;
    if ((c.traits & d1::task_group_context::has_fp_settings) != 0) {
        c.fp_settings = read_fp_settings();
    }
}

void destroy(d1::task_group_context& c)
{
    artel::onetbb::forget_exception(c);
    c.id = 0;
    // relaxed: nobody uses it any more.
    c.life.store(d1::task_group_context::dead, std::memory_order_relaxed);
}

void reset(d1::task_group_context& c)
{
    artel::onetbb::forget_exception(c);
    // relaxed, all: nobody else uses it meanwhile.
    c.cancelled.store(0, std::memory_order_relaxed);
    c.has_thrown.store(0, std::memory_order_relaxed);
    c.looked_at.store(0, std::memory_order_relaxed);
    // Cancellations of ancestors up to now do not count any more.
    c.reset_at.store(artel::onetbb::cancellations.load(std::memory_order_relaxed),
                     std::memory_order_relaxed);
}

bool cancel_group_execution(d1::task_group_context& c)
{
    artel::onetbb::use_scheduler();
    return artel::onetbb::cancel(c);
}

bool is_group_execution_cancelled(d1::task_group_context& c)
{
    return artel::onetbb::is_cancelled(c);
}

void capture_fp_settings(d1::task_group_context& c)
{
    c.traits |= d1::task_group_context::has_fp_settings;
    c.fp_settings = read_fp_settings();
}

}  // namespace tbb::detail::r1
