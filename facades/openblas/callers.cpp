// Counts active calls. thread_counts.cpp computes the numbers of threads from the count.
#include "callers.hpp"

#include "caller.hpp"
#include "sched/crew.hpp"
#include "thread_counts.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <mutex>
#include <pthread.h>

namespace artel::openblas {

constinit callers_inside state;

namespace {

// The number of active calls by their thread's own limit. relaxed, all accesses: changed before the
// thread whose call begins or ends recomputes under the lock.
constinit std::array<std::atomic<unsigned>, largest_limit + 1> limited{};
constinit std::atomic<unsigned> limited_in_all{0};

void count_limited(unsigned most, bool comes) noexcept
{
    // relaxed, both: see limited. ~0U adds -1.
    limited[most].fetch_add(comes ? 1U : ~0U, std::memory_order_relaxed);
    limited_in_all.fetch_add(comes ? 1U : ~0U, std::memory_order_relaxed);
}

[[gnu::noinline]] void look() noexcept
{
    const std::scoped_lock hold(counts_lock);
    set_thread_counts();
}

void before_fork() noexcept
{
    setting.lock();
    counts_lock.lock();
}

void after_fork_in_parent() noexcept
{
    counts_lock.unlock();
    setting.unlock();
}

// The other threads do not exist here; the caller may be in a call, if OpenBLAS has called the
// program back.
void after_fork_in_child() noexcept
{
    const call_word own = keep_own_call();
    // relaxed, all: the child has one thread.
    state.inside.store(own.counted() ? 1 : 0, std::memory_order_relaxed);
    state.inside_crew.store(own.counted() && own.in_crew() ? 1 : 0, std::memory_order_relaxed);
    for (auto& each : limited) {
        each.store(0, std::memory_order_relaxed);
    }
    limited_in_all.store(0, std::memory_order_relaxed);
    if (own.counted() && own.limit() != 0) {
        count_limited(own.limit(), true);
    }
    forget_watch();
    forget_overlap();
    set_thread_counts();
    counts_lock.unlock();
    setting.unlock();
}

[[maybe_unused]] const int fork_handlers = ::pthread_atfork(before_fork, after_fork_in_parent,
                                                            after_fork_in_child);

}  // namespace

unsigned smallest_limit() noexcept
{
    if (limited_in_all.load(std::memory_order_relaxed) == 0) {  // relaxed: see limited
        return UINT_MAX;
    }
    for (unsigned i = 1; i <= largest_limit; ++i) {
        if (limited[i].load(std::memory_order_relaxed) != 0) {  // relaxed: see limited
            return i;
        }
    }
    return UINT_MAX;
}

void come(call_word call) noexcept
{
    if (call.limit() != 0) {
        count_limited(call.limit(), true);
    }
    if (call.in_crew()) {
        state.inside_crew.fetch_add(1, std::memory_order_relaxed);  // relaxed: a guess
    }
    // relaxed, both: numbers by themselves. A thread that sees other calls, or that the numbers are
    // reduced, recomputes under the lock, and sees there which calls began before.
    const unsigned before = state.inside.fetch_add(1, std::memory_order_relaxed);
    if (before != 0 || !state.at_rest.load(std::memory_order_relaxed) || call.in_crew() ||
        call.limit() != 0 || sched::crew::get().at_work() != 0) {
        look();
    }
}

void go(call_word call) noexcept
{
    if (!call.counted()) {
        return;
    }
    if (call.in_crew()) {
        state.inside_crew.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a guess
    }
    if (call.limit() != 0) {
        count_limited(call.limit(), false);
    }
    // relaxed: as in come().
    const bool others = state.inside.fetch_sub(1, std::memory_order_relaxed) > 1;
    if (others || call.limit() != 0) {
        const std::scoped_lock hold(counts_lock);
        if (others) {
            note_overlap();
        }
        set_thread_counts();
    }
}

unsigned inside() noexcept
{
    // relaxed: a guess.
    return state.inside.load(std::memory_order_relaxed);
}

}  // namespace artel::openblas
