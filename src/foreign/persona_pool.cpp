// The pool of personas, and the loop that a persona lives in.
#include "foreign/persona_pool.hpp"

#include "base/os/yield.hpp"
#include "base/thread_end.hpp"
#include "fiber/persona.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/persona_cache.hpp"
#include "foreign/persona_end.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/alarm.hpp"
#include "sched/crew.hpp"
#include "sched/periodic.hpp"
#include "sched/suspend.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace artel::foreign {
namespace {

fork_safe_lock pool_lock;
// Guarded by pool_lock: personas, linked by next; last in, first out.
base::work* pool = nullptr;
unsigned waiting = 0;  // in the pool
// The smallest number of them between the last two checks, and since the last check.
unsigned least_before = 0;
unsigned least = 0;
base::work* leaving = nullptr;  // dismissed, but perhaps not ended yet
bool minds_the_end = false;     // there is a handler that sets the next
bool program_ends = false;      // no persona is dismissed any more

// Seconds between two checks of the pool.
constexpr unsigned check_interval = 2;
// Kept in any case.
constexpr unsigned fewest_personas = 8;
// At most this many are dismissed per check, because others may want the lock.
constexpr unsigned most_at_once = 128;
constinit persona_cache kept;  // those beside their workers

void do_assignment() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    const assignment a = *static_cast<const assignment*>(tls.local);
    tls.local = nullptr;
    base::call_program([&] { a.run(a.argument); });
    fiber::this_tls().local = nullptr;
}

}  // namespace

// On the next fiber's stack: from here on other threads may take the persona.
struct retired_personas {
    static void leave(fiber::carrier& here, fiber::fiber& persona, void*)
    {
        auto* const to = static_cast<retirement*>(static_cast<fiber::persona&>(persona).user);
        if (to == nullptr && kept.keep(static_cast<sched::worker&>(here).index, persona)) {
            return;
        }
        pool_it(persona, to);
    }

    static void pool_it(fiber::fiber& persona, retirement* to) noexcept
    {
        const std::scoped_lock hold(pool_lock);
        base::work*& list = to != nullptr ? to->personas_ : pool;
        persona.next = list;
        list = &persona;
        ++(to != nullptr ? to->arrived_ : waiting);
    }
};

namespace {

void live_as_persona(fiber::persona&)
{
    for (;;) {
        do_assignment();
        while (!sched::suspend(retired_personas::leave, nullptr)) {
            // no memory for a scheduling loop: another light thread may become free.
            base::os::yield();
        }
    }
}

// A second_hook (sched/periodic.hpp): ends the threads of personas that the pool has not needed for
// seconds.
void dismiss_surplus_personas(unsigned second) noexcept;

base::work* make_personas(unsigned count, std::size_t stack_size, const assignment& meanwhile,
                          int& error) noexcept
{
    if (members_are_threads()) {
        return create_thread_personas(count, stack_size, error);
    }
    base::work* const made = fiber::create_personas(count, stack_size, live_as_persona,
                                                    meanwhile.run, meanwhile.argument, error);
    sched::crew::guard_setxid();
    return made;
}

}  // namespace

base::work* acquire_personas(unsigned count, std::size_t stack_size, const assignment& meanwhile,
                             int& error) noexcept
{
    base::work* first = nullptr;
    base::work** end = &first;
    unsigned missing = count;
    {
        const std::scoped_lock hold(pool_lock);
        for (; missing != 0 && pool != nullptr; --missing) {
            *end = pool;
            end = &pool->next;
            pool = pool->next;
            --waiting;
        }
        least = std::min(least, waiting);
    }
    *end = nullptr;
    error = 0;
    if (missing != 0) {
        sched::call_each_second(dismiss_surplus_personas);
        *end = make_personas(missing, stack_size, meanwhile, error);
    }
    return first;
}

void persona_is_free(fiber::fiber& persona, retirement* to) noexcept
{
    retired_personas::pool_it(persona, to);
}

void assign(fiber::fiber& persona, const assignment& a) noexcept
{
    // Not written through: do_assignment only reads.
    persona.local = const_cast<assignment*>(&a);
    persona.works_for = a.works_for;
}

fiber::fiber* acquire_persona(const assignment& a, std::size_t stack_size, int& error) noexcept
{
    base::work* found = kept.take(sched::this_worker()->index);
    if (found == nullptr) {
        found = acquire_personas(1, stack_size, {}, error);
    }
    auto* const persona = static_cast<fiber::fiber*>(found);
    if (persona != nullptr) {
        assign(*persona, a);
    }
    return persona;
}

namespace {

// Waits until the threads of dismissed personas have ended, and frees these; for a second at most,
// because their destructors may wait for what the caller holds.
void wait_a_while_for_end(base::work* gone) noexcept
{
    const sched::moment end = sched::now() + 1000000000;
    while (gone != nullptr) {
        base::work& persona = *std::exchange(gone, gone->next);
        while (!free_persona(persona, false)) {
            if (sched::now() > end) {
                return;
            }
            const timespec pause{0, 200000};
            ::nanosleep(&pause, nullptr);
        }
    }
}

// Frees the dismissed personas that have ended.
void free_gone() noexcept
{
    const std::scoped_lock hold(pool_lock);
    for (base::work** at = &leaving; *at != nullptr;) {
        base::work* const next = (*at)->next;
        if (free_persona(**at, false)) {
            *at = next;
        } else {
            at = &(*at)->next;
        }
    }
}

void dismiss_surplus_personas(unsigned second) noexcept
{
    {
        // Under the lock, which is held across a fork: the C library's own lock over its list is
        // not, and a child that finds it taken waits for ever.
        const std::scoped_lock hold(pool_lock);
        if (!std::exchange(minds_the_end, true)) {
            // Registered now, after the program's static objects were made: so it runs before their
            // destructors.
            std::atexit([] {
                base::work* gone = nullptr;
                {
                    const std::scoped_lock hold_again(pool_lock);
                    program_ends = true;
                    gone = std::exchange(leaving, nullptr);
                }
                wait_a_while_for_end(gone);
            });
        }
    }
    if (second % check_interval != 0) {
        return;
    }
    free_gone();
    const unsigned keep = std::max(sched::crew::get().width(), fewest_personas);
    const std::scoped_lock hold(pool_lock);
    // Those beside workers, too: a worker that needs one gets it back from the pool. Under the
    // lock, so that end_idle_personas() finds them in either place.
    base::work* beside = kept.take_all();
    for (; beside != nullptr; ++waiting) {
        base::work& persona = *std::exchange(beside, beside->next);
        persona.next = pool;
        pool = &persona;
    }
    // Those that were not needed for one or two whole intervals: not those that each region of a
    // program takes and returns.
    const unsigned unused = std::min(least_before, least);
    least_before = least;
    least = waiting;
    if (program_ends || unused <= keep) {
        return;
    }
    // The oldest ones lie last.
    const unsigned stay = waiting - std::min(unused - keep, most_at_once);
    base::work** end = &pool;
    for (unsigned i = 0; i < stay; ++i) {
        end = &(*end)->next;
    }
    base::work* surplus = std::exchange(*end, nullptr);
    waiting = stay;
    least = std::min(least, stay);
    least_before = std::min(least_before, stay);
    // Under the lock: a program that ends waits for it, and then for all that are leaving, so that
    // none runs destructors of thread-local objects beside those of static ones.
    while (surplus != nullptr) {
        base::work& persona = *std::exchange(surplus, surplus->next);
        dismiss_persona(persona);
        persona.next = leaving;
        leaving = &persona;
    }
}

}  // namespace

void retirement::enrol_this_persona() noexcept
{
    if (members_are_threads()) {
        thread_persona_retires_to(this_thread_persona()) = this;
    } else {
        static_cast<fiber::persona&>(*sched::this_worker()->current).user = this;
    }
    // relaxed: finish() is called by the thread that has waited for us.
    enrolled_.fetch_add(1, std::memory_order_relaxed);
}

void retirement::finish() noexcept
{
    for (;;) {
        {
            const std::scoped_lock hold(pool_lock);
            // relaxed: see enrol_this_persona.
            if (arrived_ == enrolled_.load(std::memory_order_relaxed)) {
                break;
            }
        }
        if (!sched::yield()) {
            base::os::yield();
        }
    }
    end_personas(std::exchange(personas_, nullptr));
}

void end_idle_personas() noexcept
{
    base::work* all = nullptr;
    base::work* beside = nullptr;
    base::work* gone = nullptr;
    {
        const std::scoped_lock hold(pool_lock);
        beside = kept.take_all();
        all = std::exchange(pool, nullptr);
        gone = std::exchange(leaving, nullptr);
        waiting = least = least_before = 0;
    }
    end_personas(all);
    end_personas(beside);
    while (gone != nullptr) {
        base::work& persona = *std::exchange(gone, gone->next);
        free_persona(persona, true);
    }
}

namespace {

// In the child of a fork: the pool's personas do not exist.
void forget_after_fork() noexcept
{
    kept.forget();
    pool = leaving = nullptr;
    waiting = least = least_before = 0;
}

// Registered when the library is loaded: a fork that is already running would not call it.
[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, forget_after_fork);

}  // namespace

}  // namespace artel::foreign
