#include "callers.hpp"

#include "base/os/futex.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/own_threads.hpp"
#include "base/spinlock.hpp"
#include "caller.hpp"
#include "library.hpp"
#include "sched/crew.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace artel::openblas {
namespace {

// For so long one who is alone counts as several, after several were inside; and so often it is
// looked at again what has become of that.
constexpr std::uint64_t calm_us = 10000;

struct alignas(base::cache_line) {
    std::atomic<unsigned> inside{0};
    std::atomic<unsigned> inside_crew{0};  // of those, who are busy as far as the crew knows
    // Everybody is told as much as there can be. Written under the lock.
    std::atomic<bool> at_rest{true};
} constinit state;

// How many of the calls under way come from a thread with that limit of its own. relaxed, all
// accesses: changed before the look under the lock of whoever comes or goes.
constinit std::array<std::atomic<unsigned>, largest_limit + 1> limited{};
constinit std::atomic<unsigned> limited_in_all{0};

// The smallest of those limits.
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

void count_limited(unsigned most, bool comes) noexcept
{
    // relaxed, both: see limited. The second is an addition of -1.
    limited[most].fetch_add(comes ? 1U : ~0U, std::memory_order_relaxed);
    limited_in_all.fetch_add(comes ? 1U : ~0U, std::memory_order_relaxed);
}

// Under it are the libraries and all that follows. Held for some writes.
constinit base::spinlock telling;
constinit std::array<library*, 16> libraries{};
constinit std::uint64_t last_overlap = 0;  // base::cycles() when several were last inside
constinit bool any_overlap = false;
constinit unsigned forks = 0;  // how many want all calls to have one thread

// Held by who changes a limit, which may take as long as starting threads.
constinit std::mutex setting;

// The thread that looks again. 0: asleep; 1: looks every calm_us.
constinit std::atomic<std::uint32_t> watching{0};
constinit std::atomic<bool> watch_exists{false};

unsigned cpus() noexcept
{
    return sched::crew::get().width();
}

// How many CPUs the crew's work leaves, that of callers of ours not counted.
unsigned left_by_crew() noexcept
{
    const sched::crew& crew = sched::crew::get();
    // relaxed: a guess.
    const unsigned ours = state.inside_crew.load(std::memory_order_relaxed);
    const unsigned busy = crew.at_work();
    const unsigned others = busy > ours ? busy - ours : 0;
    return crew.width() > others ? crew.width() - others : 1;
}

// What a call that began now should be told. Under the lock.
unsigned share(unsigned inside) noexcept
{
    if (forks != 0) {
        return 1;
    }
    const std::uint64_t now = base::cycles();
    if (inside > 1) {
        last_overlap = now;
        any_overlap = true;
    } else if (any_overlap) {
        if (now - last_overlap < calm_us * base::cycles_per_microsecond()) {
            return 1;
        }
        any_overlap = false;
    }
    const unsigned others = inside > 1 ? inside - 1 : 0;
    const unsigned left = left_by_crew();
    return left > others ? left - others : 1;
}

// A number that is not what was last told has been set by the library itself: at its start, or by
// who has found its setter before us.
// Whether it could be told: not while it is only being loaded.
bool tell(library& of, int threads) noexcept
{
    // relaxed, both: a call that reads the old one is cut for that.
    const int found = of.number->load(std::memory_order_relaxed);
    if (found != of.told) {
        of.limit = found;
    }
    if (of.limit < 1 || of.is_being_set) {
        return false;
    }
    of.told = std::clamp(threads, 1, of.limit);
    if (of.told != found) {
        of.number->store(of.told, std::memory_order_relaxed);
    }
    return true;
}

void wake_watch() noexcept;

// Under the lock.
void tell_all() noexcept
{
    // relaxed: who comes or goes after this looks himself.
    const unsigned inside = state.inside.load(std::memory_order_relaxed);
    const unsigned number = std::min(share(inside), smallest_limit());
    bool all_know = true;
    for (library* each : libraries) {
        if (each != nullptr) {
            all_know = tell(*each, static_cast<int>(number)) && all_know;
        }
    }
    const bool rest = all_know && number >= std::min(cpus(), largest_limit);
    state.at_rest.store(rest, std::memory_order_relaxed);  // relaxed: see enter()
    if (!rest && all_know) {
        wake_watch();
    }
}

void* watch(void*)
{
    for (;;) {
        // acquire, release: the thread that has set it has made its change before.
        while (watching.load(std::memory_order_acquire) == 0) {
            base::os::futex_wait(watching, 0);
        }
        base::os::futex_wait_for(watching, 1, calm_us);
        find_left();
        const std::scoped_lock hold(telling);
        // relaxed, all: under the lock.
        if (!state.at_rest.load(std::memory_order_relaxed)) {
            tell_all();
        }
        if (state.at_rest.load(std::memory_order_relaxed)) {
            watching.store(0, std::memory_order_relaxed);
        }
    }
}

// Under the lock.
void wake_watch() noexcept
{
    // relaxed: under the lock.
    if (watching.load(std::memory_order_relaxed) != 0) {
        return;
    }
    // release: pairs with the acquire in watch().
    watching.store(1, std::memory_order_release);
    // relaxed: under the lock.
    if (!watch_exists.load(std::memory_order_relaxed)) {
        // Without it the next who comes or goes looks.
        watch_exists.store(base::os::start_service_thread(watch, nullptr),
                           std::memory_order_relaxed);
    } else {
        const base::os::keep_errno keep;
        base::os::futex_wake(watching, 1);
    }
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
    watching.store(0, std::memory_order_relaxed);
    watch_exists.store(false, std::memory_order_relaxed);
    any_overlap = false;
    tell_all();
    telling.unlock();
    setting.unlock();
}

[[maybe_unused]] const int fork_handlers = ::pthread_atfork(before_fork, after_fork_in_parent,
                                                            after_fork_in_child);

}  // namespace

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
        last_overlap = others ? base::cycles() : last_overlap;
        tell_all();
    }
}

void look_for_left() noexcept
{
    const std::scoped_lock hold(telling);
    wake_watch();
}

bool one_thread_for_all(bool from_here) noexcept
{
    const std::scoped_lock hold(telling);
    const bool first = forks == 0;
    forks += from_here ? 1U : ~0U;  // an addition of -1
    tell_all();
    return from_here ? first : forks == 0;
}

void add(library& added) noexcept
{
    const std::scoped_lock hold(telling);
    for (library*& each : libraries) {
        if (each == nullptr) {
            each = &added;
            tell_all();
            return;
        }
    }
}

int limit(library& of, int threads) noexcept
{
    const std::scoped_lock one_at_a_time(setting);
    int before = 0;
    {
        const std::scoped_lock hold(telling);
        tell_all();
        before = of.limit;
        of.is_being_set = true;
    }
    of.set_number(threads);  // may start threads
    const std::scoped_lock hold(telling);
    of.limit = of.number->load(std::memory_order_relaxed);  // relaxed: written by the call
    of.told = of.limit;
    of.is_being_set = false;
    tell_all();
    return before;
}

int limit_of(library& of) noexcept
{
    const std::scoped_lock hold(telling);
    tell_all();
    return of.limit;
}

unsigned inside() noexcept
{
    // relaxed: a guess.
    return state.inside.load(std::memory_order_relaxed);
}

int told(library& of) noexcept
{
    const std::scoped_lock hold(telling);
    tell_all();
    return of.told;
}

}  // namespace artel::openblas
