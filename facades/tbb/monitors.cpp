// Waiting for changes by other threads: tbb::mutex and others (by the address of a word), and
// bounded queues. A waiter is suspended, and its worker does other work.
#include "abi.hpp"
#include "arena.hpp"
#include "sched/guest_scope.hpp"
#include "small_objects.hpp"

#include <cstdlib>

namespace tbb::detail::r1 {

using artel::onetbb::wait_node;
using artel::onetbb::wake_at;

// Sleeps unless may_go_on(), which may throw, holds. A woken waiter returns without calling it
// again: the headers do that. So a writer of rw_mutex announces itself once more, which is
// necessary if another writer has cleared the announcement meanwhile; otherwise readers would
// overtake it.
void wait_on_address(void* address, d1::delegate_base& may_go_on, std::uintptr_t context)
{
    const artel::sched::guest_scope scope;
    artel::onetbb::sleep_at(reinterpret_cast<std::uintptr_t>(address), context,
                            [&] { return !may_go_on(); });
}

void notify_by_address(void* address, std::uintptr_t context)
{
    // pairs with the fence in sleep_at.
    artel::base::full_fence();
    wake_at(reinterpret_cast<std::uintptr_t>(address), ~0U,
            [context](const wait_node& b) { return b.second_key == context; });
}

void notify_by_address_one(void* address)
{
    // pairs with the fence in sleep_at.
    artel::base::full_fence();
    wake_at(reinterpret_cast<std::uintptr_t>(address), 1, [](const wait_node&) { return true; });
}

void notify_by_address_all(void* address)
{
    // pairs with the fence in sleep_at.
    artel::base::full_fence();
    wake_at(reinterpret_cast<std::uintptr_t>(address), ~0U, [](const wait_node&) { return true; });
}

// A bounded queue has two monitors behind its own data. Only their addresses are used.
class concurrent_monitor {
public:
    char line[artel::base::cache_line];
};

std::uint8_t* allocate_bounded_queue_rep(std::size_t size)
{
    return static_cast<std::uint8_t*>(
        artel::onetbb::allocate_lines(size + 2 * sizeof(concurrent_monitor)));
}

void deallocate_bounded_queue_rep(std::uint8_t* memory, std::size_t)
{
    std::free(memory);
}

// `must_wait` may throw.
void wait_bounded_queue_monitor(concurrent_monitor* monitors, std::size_t which,
                                std::ptrdiff_t target, d1::delegate_base& must_wait)
{
    const artel::sched::guest_scope scope;
    while (must_wait()) {
        artel::onetbb::sleep_at(reinterpret_cast<std::uintptr_t>(monitors + which),
                                static_cast<std::uintptr_t>(target), [&] { return must_wait(); });
    }
}

void notify_bounded_queue_monitor(concurrent_monitor* monitors, std::size_t which,
                                  std::size_t ticket)
{
    // pairs with the fence in sleep_at.
    artel::base::full_fence();
    wake_at(reinterpret_cast<std::uintptr_t>(monitors + which), ~0U, [ticket](const wait_node& b) {
        return static_cast<std::ptrdiff_t>(b.second_key) <= static_cast<std::ptrdiff_t>(ticket);
    });
}

// Waiters notice the abort themselves: their condition throws.
void abort_bounded_queue_monitors(concurrent_monitor* monitors)
{
    notify_by_address_all(monitors);
    notify_by_address_all(monitors + 1);
}

}  // namespace tbb::detail::r1
