// The number of threads that each OpenBLAS gets for a call that begins now.
#include "thread_counts.hpp"

#include "callers.hpp"
#include "library.hpp"
#include "sched/crew.hpp"

#include <algorithm>
#include <array>

namespace artel::openblas {

constinit base::spinlock counts_lock;
constinit std::mutex setting;

namespace {

// All under `counts_lock`.
constinit std::array<library*, 16> libraries{};
constinit std::uint64_t last_overlap = 0;  // base::cycles() when several calls were last active
constinit bool any_overlap = false;
constinit unsigned forks = 0;         // requests for one thread per call that are in force
constinit bool any_parallel = false;  // active calls may have been given several threads

unsigned cpus() noexcept
{
    return sched::crew::get().width();
}

// The number of CPUs that the crew's other work leaves; our own callers are not counted.
unsigned left_by_crew() noexcept
{
    const sched::crew& crew = sched::crew::get();
    // relaxed: a guess.
    const unsigned ours = state.inside_crew.load(std::memory_order_relaxed);
    const unsigned busy = crew.at_work();
    const unsigned others = busy > ours ? busy - ours : 0;
    return crew.width() > others ? crew.width() - others : 1;
}

// The number of threads for a call that begins now. Under the lock.
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

// A number other than the last one written was set by the library itself: at its start, or by a
// caller that found its own setter before ours. Returns whether the number could be written: not
// while the library is still being loaded.
bool tell(library& of, int threads) noexcept
{
    // relaxed, both: a call that reads the old number divides its work by that.
    const int found = of.number->load(std::memory_order_relaxed);
    if (found != of.thread_count) {
        of.limit = found;
    }
    if (of.limit < 1 || of.is_being_set) {
        return false;
    }
    of.thread_count = std::clamp(threads, 1, of.limit);
    if (of.thread_count != found) {
        of.number->store(of.thread_count, std::memory_order_relaxed);
    }
    any_parallel = any_parallel || found > 1 || of.thread_count > 1;
    return true;
}

bool all_have_one_thread() noexcept
{
    return std::ranges::all_of(libraries, [](const library* each) {
        return each == nullptr || (each->thread_count == 1 && !each->is_being_set);
    });
}

}  // namespace

void set_thread_counts() noexcept
{
    // relaxed: a thread that enters or leaves after this checks it itself.
    const unsigned inside = state.inside.load(std::memory_order_relaxed);
    const unsigned number = std::min(share(inside), smallest_limit());
    bool all_know = true;
    for (library* each : libraries) {
        if (each != nullptr) {
            all_know = tell(*each, static_cast<int>(number)) && all_know;
        }
    }
    if (any_parallel && all_have_one_thread()) {
        // Pairs with the exchange in begin_call(): a call that is not counted here reads the
        // numbers after they were set to one above.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        // relaxed: after the fence.
        any_parallel = state.inside.load(std::memory_order_relaxed) != 0;
    }
    const bool rest = all_know && number >= cpus();
    state.at_rest.store(rest, std::memory_order_relaxed);  // relaxed: see enter()
    // During a fork nothing is to be found later, and its child begins with one thread: the last
    // request that ends comes here, too.
    if (!rest && all_know && forks == 0) {
        wake_watch();
    }
}

void note_overlap() noexcept
{
    last_overlap = base::cycles();
}

void forget_overlap() noexcept
{
    any_overlap = false;
}

bool one_thread_for_all(bool from_here) noexcept
{
    const std::scoped_lock hold(counts_lock);
    const bool first = forks == 0;
    forks += from_here ? 1U : ~0U;  // an addition of -1
    set_thread_counts();
    return from_here ? first : forks == 0;
}

bool any_has_threads() noexcept
{
    const std::scoped_lock hold(counts_lock);
    return any_parallel;
}

void add(library& added) noexcept
{
    const std::scoped_lock hold(counts_lock);
    for (library*& each : libraries) {
        if (each == nullptr) {
            each = &added;
            set_thread_counts();
            return;
        }
    }
}

int limit(library& of, int threads) noexcept
{
    const std::scoped_lock one_at_a_time(setting);
    int before = 0;
    {
        const std::scoped_lock hold(counts_lock);
        set_thread_counts();
        before = of.limit;
        of.is_being_set = true;
        any_parallel = any_parallel || threads != 1;
    }
    of.set_number(threads);  // may start threads
    const std::scoped_lock hold(counts_lock);
    of.limit = of.number->load(std::memory_order_relaxed);  // relaxed: written by the call
    of.thread_count = of.limit;
    of.is_being_set = false;
    set_thread_counts();
    return before;
}

int limit_of(library& of) noexcept
{
    const std::scoped_lock hold(counts_lock);
    set_thread_counts();
    return of.limit;
}

int thread_count(library& of) noexcept
{
    const std::scoped_lock hold(counts_lock);
    set_thread_counts();
    return of.thread_count;
}

}  // namespace artel::openblas
