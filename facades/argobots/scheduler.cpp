// Schedulers: made and freed, what comes next, and when they stop.
#include "scheduler.hpp"

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "print.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace artel::argobots {
namespace {

constexpr unsigned calls_at_once = 64;
constexpr std::uint64_t most_spinning = 10000;  // in base::cycles()

// relaxed: ids only need to differ.
std::atomic<int> next_scheduler_id{0};

unsigned bit(scheduler_request r) noexcept
{
    return static_cast<unsigned>(r);
}

// The pools of a scheduler: those given, and in the place of null ones new ones of ours.
int take_pools(scheduler& s, int count, const ABT_pool* pools, ABT_pool_kind kind) noexcept
{
    s.count = static_cast<unsigned>(count);
    s.pools = static_cast<pool**>(std::calloc(s.count + 1, sizeof(pool*)));
    if (s.pools == nullptr) {
        return ABT_ERR_MEM;
    }
    s.only_ours = true;
    for (unsigned i = 0; i < s.count; ++i) {
        pool* p = pools != nullptr ? object_of(pools[i]) : nullptr;
        if (p == nullptr) {
            p = make_pool(kind, ABT_POOL_ACCESS_MPMC, true);
            if (p == nullptr) {
                return ABT_ERR_MEM;
            }
        }
        p->schedulers.fetch_add(1, std::memory_order_relaxed);  // relaxed: see the declaration
        s.pools[i] = p;
        s.only_ours = s.only_ours && p->ours();
    }
    return ABT_SUCCESS;
}

std::uint64_t next_random(scheduler& s) noexcept
{
    s.random ^= s.random << 13;
    s.random ^= s.random >> 7;
    s.random ^= s.random << 17;
    return s.random;
}

void run_stacked(void* argument)
{
    scheduler& s = *static_cast<scheduler*>(argument);
    if (s.user_defined) {
        s.def.run(handle_of(&s));
    } else {
        run_scheduler(s);
    }
    if (s.automatic) {
        s.unit = nullptr;  // it is unnamed, and ends with this
        free_scheduler(s);
    }
}

// Looks at the pools for some microseconds: most of what is waited for comes soon, and whoever
// brings it need not wake anybody then.
bool something_comes(const scheduler& s, const xstream& x) noexcept
{
    const sched::worker& w = *sched::this_worker();
    const std::uint64_t most = std::min(w.home.spin_cycles(), most_spinning);
    for (const std::uint64_t start = base::cycles(); base::cycles() - start < most;) {
        for (unsigned i = 0; i < s.count; ++i) {
            if (!s.pools[i]->seems_empty()) {
                return true;
            }
        }
        // relaxed: a hint.
        if (w.has_work() || x.asked.load(std::memory_order_relaxed)) {
            return true;
        }
        base::cpu_relax();
    }
    return false;
}

// The root of a stream has nothing to run: asleep until somebody brings something.
void sleep(scheduler& s, xstream& x) noexcept
{
    if (!s.only_ours) {
        sched::rest_without_work(x);
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

bool scheduler::has_pool(const pool& p) const noexcept
{
    for (unsigned i = 0; i < count; ++i) {
        if (pools[i] == &p) {
            return true;
        }
    }
    return false;
}

std::size_t scheduler::size() noexcept
{
    std::size_t sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        sum += pools[i]->size();
    }
    return sum;
}

std::size_t scheduler::total_size() noexcept
{
    std::size_t sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        sum += pools[i]->total_size();
    }
    return sum;
}

scheduler* make_scheduler(ABT_sched_predef predef, int count, const ABT_pool* pools, bool automatic,
                          int& error) noexcept
{
    // relaxed: see next_scheduler_id.
    auto* const s = make<scheduler>(next_scheduler_id.fetch_add(1, std::memory_order_relaxed));
    if (s == nullptr) {
        error = ABT_ERR_MEM;
        return nullptr;
    }
    s->predef = predef == ABT_SCHED_DEFAULT ? ABT_SCHED_BASIC : predef;
    s->automatic = automatic;
    s->event_frequency = current()->in_force.event_frequency;
    // Without pools: the default, or one for each of three priorities.
    const int fewest = predef == ABT_SCHED_PRIO ? 3 : 1;
    error = take_pools(*s, pools == nullptr && count == 0 ? fewest : count, pools,
                       s->predef == ABT_SCHED_BASIC_WAIT ? ABT_POOL_FIFO_WAIT
                       : s->predef == ABT_SCHED_RANDWS   ? ABT_POOL_RANDWS
                                                         : ABT_POOL_FIFO);
    if (error != ABT_SUCCESS) {
        free_scheduler(*s);
        return nullptr;
    }
    return s;
}

scheduler* make_user_scheduler(const ABT_sched_def& def, int count, const ABT_pool* pools,
                               ABT_sched_config config, int& error) noexcept
{
    scheduler* const s = make_scheduler(ABT_SCHED_BASIC, count, pools, false, error);
    if (s == nullptr) {
        return nullptr;
    }
    s->user_defined = true;
    if (def.init != nullptr) {
        error = def.init(handle_of(s), config);
        if (error != ABT_SUCCESS) {
            free_scheduler(*s);
            return nullptr;
        }
    }
    s->def = def;
    return s;
}

void free_scheduler(scheduler& s) noexcept
{
    if (s.user_defined && s.def.free != nullptr) {
        s.def.free(handle_of(&s));
    }
    if (s.unit != nullptr) {
        destroy(*s.unit);
    }
    for (unsigned i = 0; s.pools != nullptr && i < s.count; ++i) {
        pool* const p = s.pools[i];
        // acq_rel: the last one frees what the others have used.
        if (p != nullptr && p->schedulers.fetch_sub(1, std::memory_order_acq_rel) == 1 &&
            p->automatic) {
            free_pool(*p);
        }
    }
    std::free(s.pools);
    drop(&s);
}

bool prepare_unit(scheduler& s, pool* in) noexcept
{
    if (s.unit != nullptr) {
        destroy(*s.unit);  // of an earlier use
    }
    if (in != nullptr) {
        s.unit = make_thread(*in, run_stacked, &s, nullptr, !s.automatic, false);
    } else {
        s.unit = make<thread>();
    }
    if (s.unit == nullptr) {
        return false;
    }
    if (in == nullptr) {
        s.unit->in = s.count != 0 ? s.pools[0] : nullptr;
        s.unit->main_scheduler = true;
    }
    s.unit->schedules = &s;
    s.in_pool = false;
    return true;
}

thread* pick(scheduler& s, const xstream& x, leaver& l) noexcept
{
    const ABT_pool_context here = x.primary ? 0 : from_secondary_stream;
    const bool steals = s.predef == ABT_SCHED_RANDWS;
    const pool* const own = l.of != nullptr && l.of->in->ours() ? l.of->in : nullptr;
    for (unsigned i = 0; i < (steals && s.count != 0 ? 1 : s.count); ++i) {
        const ABT_pool_context why = ABT_POOL_CONTEXT_OWNER_PRIMARY | here;
        pool& p = *s.pools[i];
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
    pool& other = *s.pools[1 + next_random(s) % (s.count - 1)];
    return other.pop(ABT_POOL_CONTEXT_OWNER_SECONDARY | here);
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
    // Other streams have their turn, also when the program's ULTs schedule each other for good.
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

bool has_to_stop(scheduler& s) noexcept
{
    // acquire (two): pairs with ask().
    unsigned requests = s.requests.load(std::memory_order_acquire);
    if (s.main_of != nullptr) {
        requests |= s.main_of->requests.load(std::memory_order_acquire);
    }
    if ((requests & (bit(scheduler_request::exit) | bit(scheduler_request::replace))) != 0) {
        return true;
    }
    if ((requests & bit(scheduler_request::finish)) != 0) {
        for (unsigned i = 0; i < s.count; ++i) {
            s.pools[i]->scheduler_stops();  // before the look at their sizes
        }
    } else if (!s.in_pool) {
        return false;
    }
    return s.total_size() == 0;
}

void ask(scheduler& s, scheduler_request what) noexcept
{
    // release: pairs with has_to_stop().
    s.requests.fetch_or(bit(what), std::memory_order_release);
    if (s.main_of != nullptr) {
        poke(*s.main_of);
    }
}

void ask(xstream& x, scheduler_request what) noexcept
{
    // release: pairs with has_to_stop().
    x.requests.fetch_or(bit(what), std::memory_order_release);
    poke(x);
}

void check_events(scheduler&) noexcept
{
    // acquire: pairs with poke().
    if (xstream& x = *this_xstream(); x.asked.load(std::memory_order_relaxed)) {
        x.asked.exchange(false, std::memory_order_acquire);
    }
    print_asked_stacks();
}

pool* pool_for_migration(scheduler& s, pool* other_than) noexcept
{
    if (s.user_defined && s.def.get_migr_pool != nullptr) {
        return object_of(s.def.get_migr_pool(handle_of(&s)));
    }
    for (unsigned i = 0; i < s.count; ++i) {
        if (s.pools[i] != other_than) {
            return s.pools[i];
        }
    }
    return nullptr;
}

}  // namespace artel::argobots
