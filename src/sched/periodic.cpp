// Two arrays of function pointers, filled by compare-and-swap: no lock that a fork could leave
// taken, and no removal.
#include "sched/periodic.hpp"

#include <array>
#include <atomic>

namespace artel::sched {
namespace {

// relaxed, all accesses: only function pointers, which stay.
template <class Hook>
using hooks = std::array<std::atomic<Hook>, 4>;
constinit hooks<second_hook> each_second{};
constinit hooks<tick_hook> each_tick{};

template <class Hook, class... Arguments>
void call_all(const hooks<Hook>& places, Arguments... arguments) noexcept
{
    for (const auto& place : places) {
        // relaxed: see hooks.
        if (const Hook hook = place.load(std::memory_order_relaxed); hook != nullptr) {
            hook(arguments...);
        }
    }
}

template <class Hook>
void add_hook(hooks<Hook>& places, Hook hook) noexcept
{
    for (auto& place : places) {
        Hook expected = nullptr;
        // relaxed: see hooks.
        if (place.compare_exchange_strong(expected, hook, std::memory_order_relaxed) ||
            expected == hook) {
            return;
        }
    }
}

}  // namespace

void call_second_hooks(unsigned second) noexcept
{
    call_all(each_second, second);
}

void call_tick_hooks() noexcept
{
    call_all(each_tick);
}

void call_each_second(second_hook hook) noexcept
{
    add_hook(each_second, hook);
}

void call_each_tick(tick_hook hook) noexcept
{
    add_hook(each_tick, hook);
}

}  // namespace artel::sched
