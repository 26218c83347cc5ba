// Global thread numbers. A number is a thread-local, so it stays with the persona when that moves
// between workers.
#include "thread_number.hpp"

#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/thread_end_key.hpp"
#include "ompt/interface/attached.hpp"
#include "regions/light_region.hpp"
#include "settings/icv.hpp"

#include <vector>

namespace artel::openmp::kmp {
namespace {

foreign::fork_safe_lock numbers_lock;
std::int32_t given_out = 0;  // this and the next under numbers_lock
std::vector<std::int32_t>* free_numbers = nullptr;

// initial-exec: one instruction to reach.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::int32_t mine = -1;

// Gives the number that was taken back when the thread ends. The key's value is the number plus 1:
// no value is a null pointer.
void give_back(void* value) noexcept
{
    const auto number = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(value) - 1);
    const fiber::call_out_lock hold(numbers_lock);
    try {
        foreign::made(free_numbers).push_back(number);
    } catch (...) {  // without memory the number is not reused
    }
    mine = -1;
}

constinit foreign::thread_end_key number_taken(give_back);

[[gnu::noinline, gnu::cold]] std::int32_t take_number() noexcept
{
    // Compilers ask for the number at the start of a function, and a tool should start as early as
    // possible.
    ompt::decide();
    const auto helpers = static_cast<std::int32_t>(globals().kmp.helpers);
    {
        const fiber::call_out_lock hold(numbers_lock);
        auto& returned = foreign::made(free_numbers);
        if (returned.empty()) {
            // The numbers after 0 are reserved for hidden helpers.
            mine = given_out == 0 ? 0 : given_out + helpers;
            ++given_out;
        } else {
            mine = returned.back();
            returned.pop_back();
        }
    }
    // Without a key the number is not reused.
    number_taken.set(reinterpret_cast<void*>(std::intptr_t{mine} + 1));
    return mine;
}

}  // namespace

std::int32_t global_number() noexcept
{
    const std::int32_t number = mine;
    return number >= 0 ? number : take_number();
}

void set_global_number(std::int32_t number) noexcept
{
    mine = number;
}

std::uint32_t lock_holder() noexcept
{
    // Fibers have the upper half. Their ids repeat only after 2^31 fibers.
    constexpr std::uint32_t fibers = 1u << 31;
    // The global number on a plain fiber is that of the worker that carries it at the moment.
    const sched::worker* const w = sched::this_worker();
    if (w != nullptr && w->current->type == fiber::kind::plain) {
        return static_cast<std::uint32_t>(w->current->id) | fibers;
    }
    if (const std::uint64_t id = caller_of_light_region(); id != 0) {
        return static_cast<std::uint32_t>(id) | fibers;
    }
    return static_cast<std::uint32_t>(global_number()) + 1;
}

std::int32_t known_threads() noexcept
{
    const fiber::call_out_lock hold(numbers_lock);
    return given_out - static_cast<std::int32_t>(foreign::made(free_numbers).size());
}

}  // namespace artel::openmp::kmp
