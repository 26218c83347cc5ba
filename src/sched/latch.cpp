// Setting a latch and waiting for it. The fiber's address gets into the word in the `after`
// function of its suspension, so a thread that finds it there may resume the fiber at once.
#include "sched/latch.hpp"
#include "sched/suspend.hpp"

#include "base/cpu.hpp"
#include "base/os/futex.hpp"
#include "sched/isolation.hpp"

#include <bit>

namespace artel::sched {
namespace {

// Rounds of spinning (25 ns each on Zen 4) before the waiter is suspended: about what a suspension
// and a resumption cost.
constexpr unsigned spin_limit = 8;

// The half of the word that differs between the states, for the kernel's 32-bit futex. Once the
// latch is set only its address is used.
std::atomic<std::uint32_t>& low_half(std::atomic<std::uintptr_t>& word) noexcept
{
    static_assert(std::endian::native == std::endian::little);
    return reinterpret_cast<std::atomic<std::uint32_t>&>(word);
}

}  // namespace

struct latch_access {
    static void settle(fiber::carrier&, fiber::fiber& previous, void* argument)
    {
        auto& l = *static_cast<latch*>(argument);
        std::uintptr_t expected = latch::pending;
        // release: pairs with the exchange in set(): the fiber's saved context. acquire on failure:
        // the latch was set meanwhile.
        if (!l.word_.compare_exchange_strong(expected, reinterpret_cast<std::uintptr_t>(&previous),
                                             std::memory_order_release,
                                             std::memory_order_acquire)) {
            make_ready(previous);
        }
    }
};

bool latch::set() noexcept
{
    std::atomic<std::uintptr_t>& word = word_;
    // release: what the setter did is seen by every thread that finds the latch set. acquire: pairs
    // with settle(): the fiber's saved context.
    const std::uintptr_t before = word.exchange(set_, std::memory_order_acq_rel);
    if (before == pending) [[likely]] {
        return false;
    }
    if (before == abandoned) {
        return true;
    }
    if (before == sleeping) {
        base::os::futex_wake(low_half(word), 1);
        return false;
    }
    make_ready(*reinterpret_cast<fiber::fiber*>(before));
    return false;
}

void latch::wait() noexcept
{
    for (unsigned i = 0; i < spin_limit; ++i) {
        if (is_set()) {
            return;
        }
        base::cpu_relax();
    }
    wait_without_spinning();
}

void latch::wait_without_spinning() noexcept
{
    const guest_scope scope;
    if (scope && suspend(latch_access::settle, this)) {
        return;
    }
    std::uintptr_t expected = pending;
    // acquire on failure: set meanwhile. relaxed on success: nothing is published.
    if (word_.compare_exchange_strong(expected, sleeping, std::memory_order_relaxed,
                                      std::memory_order_acquire)) {
        const inactive_scope left_to_others(isolated_sleeper());
        while (!is_set()) {
            base::os::futex_wait(low_half(word_), static_cast<std::uint32_t>(sleeping));
        }
    }
}

bool latch::abandon() noexcept
{
    std::uintptr_t expected = pending;
    // release: what the owner did with the guarded object comes before its end. acquire on failure:
    // pairs with set().
    return word_.compare_exchange_strong(expected, abandoned, std::memory_order_release,
                                         std::memory_order_acquire);
}

}  // namespace artel::sched
