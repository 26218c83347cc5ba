// The part with a counter: a contention group's threads, which are counted where OMP_THREAD_LIMIT
// or a clause limits them.
#include "team_size.hpp"

#include "linking/dialect.hpp"
#include "linking/messages.hpp"

#include <algorithm>

namespace artel::openmp {

namespace {

// libomp warns once when a limit makes a team smaller.
void warn_of_limit(const member& m, unsigned requested, unsigned size) noexcept
{
    const icv_set& icvs = m.current->icvs;
    const unsigned wanted = requested != 0 ? requested : icvs.nthreads;
    static constinit std::atomic<bool> said{false};
    if (size < wanted && m.in->active_level < icvs.max_active_levels &&
        programs_dialect().of_libomp &&
        // relaxed: it does not matter which thread is first.
        !said.exchange(true, std::memory_order_relaxed)) {
        warn_as_libomp(96, "Cannot form a team with {} threads, using {} instead.", wanted, size);
        hint_as_libomp(
            "Consider unsetting KMP_DEVICE_THREAD_LIMIT (KMP_ALL_THREADS), KMP_TEAMS_THREAD_LIMIT, "
            "and OMP_THREAD_LIMIT (if any are set).");
    }
}

}  // namespace

unsigned count_threads(member& m, unsigned requested, unsigned size, unsigned limit) noexcept
{
    std::atomic<unsigned>& threads = contention_group(*m.in).group_threads;
    // relaxed (all): a number by itself.
    unsigned now = threads.load(std::memory_order_relaxed);
    unsigned more = 0;
    do {
        more = std::min(size - 1, limit > now ? limit - now : 0);
    } while (!threads.compare_exchange_weak(now, now + more, std::memory_order_relaxed));
    warn_of_limit(m, requested, more + 1);
    return more;
}

}  // namespace artel::openmp
