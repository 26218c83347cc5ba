// Who is inside: calls that come and go. What the libraries are told because of it is in told.cpp.
#include "callers.hpp"

#include "caller.hpp"
#include "sched/crew.hpp"
#include "told.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <pthread.h>

namespace artel::openblas {

constinit callers_inside state;

namespace {

// How many of the calls under way come from a thread with that limit of its own. relaxed, all
// accesses: changed before the look under the lock of whoever comes or goes.
constinit std::array<std::atomic<unsigned>, largest_limit + 1> limited{};
constinit std::atomic<unsigned> limited_in_all{0};

void count_limited(unsigned most, bool comes) noexcept
{
    // relaxed, both: see limited. The second is an addition of -1.
    limited[most].fetch_add(comes ? 1U : ~0U, std::memory_order_relaxed);
    limited_in_all.fetch_add(comes ? 1U : ~0U, std::memory_order_relaxed);
}

[[gnu::noinline]] void look() noexcept
{
    const std::scoped_lock hold(telling);
    tell_all();
}

void before_fork() noexcept
{
    setting.lock();
    telling.lock();
}

void after_fork_in_parent() noexcept
{
    telling.unlock();
    setting.unlock();
}

// The others are not here; the caller may be inside, called back by OpenBLAS.
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
    tell_all();
    telling.unlock();
    setting.unlock();
}

[[maybe_unused]] const int fork_handlers = ::pthread_atfork(before_fork, after_fork_in_parent,
                                                            after_fork_in_child);

}  // namespace

unsigned smallest_limit() noexcept
{
    if (limited_in_all.load(std::memory_order_relaxed) == 0) {  // relaxed: see limited
        return largest_limit;
    }
    for (unsigned i = 1; i < largest_limit; ++i) {
        if (limited[i].load(std::memory_order_relaxed) != 0) {  // relaxed: see limited
            return i;
        }
    }
    return largest_limit;
}

void come(call_word call) noexcept
{
    if (call.limit() != 0) {
        count_limited(call.limit(), true);
    }
    if (call.in_crew()) {
        state.inside_crew.fetch_add(1, std::memory_order_relaxed);  // relaxed: a guess
    }
    // relaxed, both: a number by itself. Who sees that others are inside, or that somebody is told
    // less than he could be, looks under the lock, and sees there who came before.
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
        const std::scoped_lock hold(telling);
        if (others) {
            note_overlap();
        }
        tell_all();
    }
}

unsigned inside() noexcept
{
    // relaxed: a guess.
    return state.inside.load(std::memory_order_relaxed);
}

}  // namespace artel::openblas
