// The waits of the public synchronisation classes: <artel/detail/wait_word.hpp>.
#include "sched/wait_word.hpp"

#include "sched/crew.hpp"

#include <artel/detail/deadline.hpp>
#include <artel/detail/wait_word.hpp>

namespace artel::detail {
namespace {

constexpr unsigned spin_limit = 16;  // rounds of 25 ns: several times what a suspension costs

}  // namespace

bool wait_word(word& w, std::uint32_t expected) noexcept
{
    return sched::wait_word(w, expected);
}

bool wait_word_until(word& w, std::uint32_t expected, std::int64_t deadline) noexcept
{
    return sched::wait_word_until(w, expected, deadline);
}

void wake_word(word& w, unsigned count) noexcept
{
    sched::wake_word(w, count);
}

bool spin_while(const word& w, std::uint32_t value) noexcept
{
    const sched::worker* const here = sched::this_worker();
    for (unsigned i = 0; i < spin_limit; ++i) {
        // acquire: pairs with the release of the thread that changes the word.
        if (w.load(std::memory_order_acquire) != value) {
            return true;
        }
        if (here != nullptr && (here->own_crew.oversubscribed() || here->has_work())) {
            return false;
        }
        base::cpu_relax();
    }
    return false;
}

}  // namespace artel::detail
