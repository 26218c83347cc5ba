// The loop of a built-in scheduler: picks the next unit from its pools, runs it, and sleeps when
// there is none.
#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "leaving.hpp"
#include "print.hpp"
#include "runtime.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "scheduler.hpp"
#include "successor.hpp"

#include <utility>

namespace artel::argobots {
namespace {

constexpr unsigned calls_at_once = 64;
constexpr std::uint64_t most_spinning = 10000;  // in base::cycles()
constexpr double longest_wait = 0.1;            // seconds, in a user-defined pool

std::uint64_t next_random(scheduler& s) noexcept
{
    s.random ^= s.random << 13;
    s.random ^= s.random >> 7;
    s.random ^= s.random << 17;
    return s.random;
}

// Spins on the pools for some microseconds: most units come soon, and their pushers need not wake
// the stream then.
bool something_comes(const scheduler& s, const xstream& x) noexcept
{
    const sched::worker& w = *sched::this_worker();
    const std::uint64_t most = std::min(w.own_crew.spin_cycles(), most_spinning);
    for (const std::uint64_t start = base::cycles(); base::cycles() - start < most;) {
        for (unsigned i = 0; i < s.count; ++i) {
            if (!s.pools[i]->seems_empty()) {
                return true;
            }
        }
        if (x.asked.load(std::memory_order_relaxed)) {  // relaxed: a hint
            return true;
        }
        if (w.has_work()) {
            return false;  // the worker's other work goes first, while the stream sleeps
        }
        base::cpu_relax();
    }
    return false;
}

// Called when the root of a stream has nothing to run: sleeps until it is woken for a unit or a
// request.
void sleep(scheduler& s, xstream& x) noexcept
{
    if (!s.only_ours) {
        // No push to a user-defined pool wakes the stream, but this scheduler lets the pool wait.
        if (s.predef == ABT_SCHED_BASIC_WAIT && s.looked_at[0]->can_wait() &&
            !sched::others_wait(*sched::this_worker())) {
            x.handed = s.looked_at[0]->pop_wait(longest_wait, ABT_POOL_CONTEXT_OP_POOL_OTHER);
        } else {
            sched::rest_without_work(x);
        }
        return;
    }
    if (something_comes(s, x)) {
        return;
    }
    x.sleep.announce();
    bool something = false;
    for (unsigned i = 0; i < s.count; ++i) {
        something = s.pools[i]->watch(x) || something;
    }
    // acquire: pairs with poke().
    if (something || x.asked.load(std::memory_order_acquire)) {
        x.sleep.stay_awake();
    } else {
        sched::sleep_root(x);
    }
    for (unsigned i = 0; i < s.count; ++i) {
        s.pools[i]->watch_no_more();
    }
}

}  // namespace

thread* pick(scheduler& s, const xstream& x, leaver& l) noexcept
{
    const ABT_pool_context here = x.primary ? 0 : from_secondary_stream;
    const bool steals = s.predef == ABT_SCHED_RANDWS;
    const pool* const own = l.of != nullptr && l.of->in->ours() ? l.of->in : nullptr;
    for (unsigned i = 0; i < (steals && s.count != 0 ? 1 : s.count); ++i) {
        const ABT_pool_context why = ABT_POOL_CONTEXT_OWNER_PRIMARY | here;
        pool& p = *s.looked_at[i];
        thread* t = nullptr;
        if (&p != own) {
            t = p.pop(why);
        } else if (l.yields) {
            t = p.pop_for_yield(why);
            l.locked = t != nullptr;
        } else {
            t = p.pop_for_block(why, l.counted);
        }
        if (t != nullptr || (l.yields && &p == l.of->in)) {
            return t;
        }
    }
    if (!steals || s.count < 2) {
        return nullptr;
    }
    // All other pools, beginning with a random one: when many pools are empty, a single random
    // choice would mostly miss.
    const unsigned others = s.count - 1;
    const auto from = static_cast<unsigned>(next_random(s) % others);
    for (unsigned i = 0; i < others; ++i) {
        pool& other = *s.looked_at[1 + (from + i) % others];
        if (i != 0 && (!other.ours() || other.seems_empty())) {
            continue;
        }
        if (thread* const t = other.pop(ABT_POOL_CONTEXT_OWNER_SECONDARY | here); t != nullptr) {
            return t;
        }
    }
    return nullptr;
}

void schedule(thread& t) noexcept
{
    fiber::fiber& here = *sched::this_worker()->current;
    xstream& x = *static_cast<xstream*>(here.stream);
    // relaxed: as in honour_requests.
    if (t.requests.load(std::memory_order_relaxed) != 0 && honour_requests(t)) {
        return;
    }
    t.last = &x;
    t.state.store(ABT_THREAD_STATE_RUNNING, std::memory_order_relaxed);  // relaxed: see state
    if (t.tasklet) {
        thread& me = *static_cast<thread*>(here.unit);
        thread* const outer = std::exchange(me.inner, &t);
        t.function(t.argument);
        me.inner = outer;
        conclude(t);
        return;
    }
    while (t.on == nullptr && !give_context(t, x)) {
        base::os::yield();
    }
    t.caller = &here;
    sched::pass_stream(*t.on, nullptr, nullptr);
    // Other streams get the worker, also when the program's ULTs schedule each other for ever.
    if (++x.calls % calls_at_once == 0 && sched::others_wait(*sched::this_worker())) {
        sched::rest(x);
    }
}

void run_scheduler(scheduler& s) noexcept
{
    for (;;) {
        fiber::fiber& here = *sched::this_worker()->current;
        xstream& x = *static_cast<xstream*>(here.stream);
        thread* t = std::exchange(x.handed, nullptr);
        if (t == nullptr) {
            leaver nobody;
            t = pick(s, x, nobody);
        }
        bool look_around = t == nullptr || ++s.calls % s.event_frequency == 0;
        if (t != nullptr) {
            x.turns_left = s.event_frequency;
            schedule(*t);
            if (x.handed != nullptr) {
                // no pool counts it any more, so it has to run before the scheduler may stop
                continue;
            }
            look_around = look_around || x.turns_left == 0;
        }
        // relaxed: a hint; check_events takes it.
        if (!look_around && !x.asked.load(std::memory_order_relaxed)) {
            continue;
        }
        check_events(s);
        if (has_to_stop(s)) {
            return;
        }
        if (t == nullptr && &here == x.root) {
            sleep(s, x);
        } else if (t == nullptr) {
            yield(*static_cast<thread*>(here.unit), ABT_POOL_CONTEXT_OP_THREAD_YIELD_LOOP);
        } else if (sched::others_wait(*sched::this_worker())) {
            sched::rest(x);
        }
    }
}

void check_events(scheduler&) noexcept
{
    // acquire: pairs with poke().
    if (xstream& x = *this_xstream(); x.asked.load(std::memory_order_relaxed)) {
        x.asked.exchange(false, std::memory_order_acquire);
    }
    print_asked_stacks();
}

}  // namespace artel::argobots
