// A table of lists that only grows; a list that is there already keeps its number, so a program
// with one clause in a loop adds one entry.
#include "team_sizes.hpp"

#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"

#include <array>
#include <atomic>
#include <new>

namespace artel::openmp {
namespace {

constexpr std::size_t most_lists = 4096;  // one for each different clause of a program

foreign::fork_safe_lock lists_lock;
// written under the lock; entry 0 is not used.
constinit std::array<std::atomic<const team_sizes*>, most_lists> lists{};

}  // namespace

std::uint16_t remember_sizes(const team_sizes& list) noexcept
{
    const fiber::call_out_lock hold(lists_lock);
    for (std::size_t i = 1; i < most_lists; ++i) {
        // relaxed: written under the lock.
        const team_sizes* const known = lists[i].load(std::memory_order_relaxed);
        if (known == nullptr) {
            try {
                // release: pairs with size_at, whose caller may have got the number in any way.
                lists[i].store(new team_sizes(list), std::memory_order_release);
            } catch (const std::bad_alloc&) {
                return 0;
            }
            return static_cast<std::uint16_t>(i);
        }
        if (*known == list) {
            return static_cast<std::uint16_t>(i);
        }
    }
    return 0;
}

unsigned size_at(std::uint16_t number, unsigned level) noexcept
{
    // acquire: pairs with remember_sizes.
    const team_sizes& list = *lists[number].load(std::memory_order_acquire);
    const unsigned index = level - list.base;
    return level >= list.base && index < list.sizes.size() ? list.sizes[index] : 0;
}

}  // namespace artel::openmp
