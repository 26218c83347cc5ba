// Simulated OS threads for models of a crew: the kernel's futex, thread-local storage, and stacks
// for light threads. Also checks the hand-off rule at every switch.
#pragma once

#include "base/machine_model.hpp"

#include "base/log.hpp"
#include "base/os/futex.hpp"
#include "fiber/fiber.hpp"
#include "fiber/sanitizer.hpp"
#include "sched/crew_table.hpp"

namespace artel::base {

std::uint64_t cycles_per_microsecond() noexcept
{
    return 1;
}

[[noreturn]] void die(std::string_view) noexcept
{
    std::abort();
}

}  // namespace artel::base

namespace artel::base::os {

// see latch_model.cpp.
inline bool (*futex_wait_elsewhere)(std::atomic<std::uint32_t>& word,
                                    std::uint32_t expected) = nullptr;
inline bool (*futex_wake_elsewhere)(std::atomic<std::uint32_t>& word, int count) = nullptr;

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept
{
    if (futex_wait_elsewhere == nullptr || !futex_wait_elsewhere(word, expected)) {
        model::futex_wait(word, expected);
    }
}
// the time is up at once.
void futex_wait_for(std::atomic<std::uint32_t>&, std::uint32_t, std::uint64_t) noexcept {}
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept
{
    if (futex_wake_elsewhere == nullptr || !futex_wake_elsewhere(word, count)) {
        model::futex_wake(word, count);
    }
}

thread_pointer read_thread_pointer() noexcept
{
    return 1;
}
void write_thread_pointer(thread_pointer) noexcept {}

}  // namespace artel::base::os

namespace artel::fiber {

inline tls_block model_tls[sched::max_workers];
inline exception_state model_exceptions[sched::max_workers];
inline bool model_no_memory = false;

constexpr std::size_t model_stack_size = 64 * 1024;
constexpr unsigned model_stacks_at_most = 32;
alignas(64) inline char model_stacks[model_stacks_at_most][model_stack_size];
inline unsigned model_stacks_used = 0;

// The hand-off rule (fiber.hpp): nobody resumes a fiber before its context is saved, that is before
// the next fiber has arrived on its carrier.
inline const fiber* model_running[sched::max_workers];  // by simulated thread: whose stack it is on

tls_block& this_tls() noexcept
{
    return model_tls[model::this_thread()];
}

void adopt_thread(carrier& here, fiber& f) noexcept
{
    f.type = kind::bound;
    f.last = &here;
    here.own_thread_pointer = base::os::read_thread_pointer();
    here.own_tls = &this_tls();
    here.own_exceptions = &model_exceptions[model::this_thread()];
    here.current = &f;
    model_running[model::this_thread()] = &f;
    here.own_tls->current_carrier = &here;
}

fiber* create_plain(void (*entry)(fiber&)) noexcept
{
    if (model_no_memory || model_stacks_used == model_stacks_at_most) {
        return nullptr;
    }
    char* const low = model_stacks[model_stacks_used++];
    char* const place = low + model_stack_size - (sizeof(fiber) + 63) / 64 * 64;
    fiber* const f = new (place) fiber;
    f->stack = {low, static_cast<std::size_t>(place - low)};
    prepare(*f, entry);
    return f;
}

void model_resuming(fiber& to) noexcept
{
    for (const fiber* f : model_running) {
        model::check(f != &to, "resumed before its context was saved");
    }
}

void model_arrived(carrier&, fiber& to) noexcept
{
    model_running[model::this_thread()] = &to;
}

// Not reused in an iteration, so that a late access finds the old contents, which checks compare
// with.
void destroy_plain(fiber&) noexcept {}

}  // namespace artel::fiber
