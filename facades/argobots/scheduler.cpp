// Schedulers: creation, end, and when they stop. What they run is in scheduler_loop.cpp.
#include "scheduler.hpp"

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "main_scheduler.hpp"
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

// relaxed: ids only need to differ.
std::atomic<int> next_scheduler_id{0};

unsigned bit(scheduler_request r) noexcept
{
    return static_cast<unsigned>(r);
}

// The order of pools: private ones first, then those of one consumer, then those of many.
int consumers(const pool& p) noexcept
{
    return p.access == ABT_POOL_ACCESS_PRIV                                       ? 0
           : p.access == ABT_POOL_ACCESS_SPSC || p.access == ABT_POOL_ACCESS_MPSC ? 1
                                                                                  : 2;
}

// The pools of a scheduler: the given ones, with new built-in pools in the place of null.
int take_pools(scheduler& s, int count, const ABT_pool* pools, ABT_pool_kind kind) noexcept
{
    s.count = static_cast<unsigned>(count);
    s.pools = static_cast<pool**>(std::calloc(2 * s.count + 1, sizeof(pool*)));
    if (s.pools == nullptr) {
        return ABT_ERR_MEM;
    }
    s.looked_at = s.pools + s.count;
    s.only_ours = true;
    for (unsigned i = 0; i < s.count; ++i) {
        pool* p = pools != nullptr ? object_of(pools[i]) : nullptr;
        if (p == nullptr) {
            p = make_pool(kind, ABT_POOL_ACCESS_MPMC, true);
            if (p == nullptr) {
                return ABT_ERR_MEM;
            }
            p->made_for_scheduler = true;
        }
        p->schedulers.fetch_add(1, std::memory_order_relaxed);  // relaxed: see the declaration
        s.pools[i] = p;
        s.looked_at[i] = p;
        s.only_ours = s.only_ours && p->ours();
    }
    if (s.predef == ABT_SCHED_BASIC || s.predef == ABT_SCHED_BASIC_WAIT) {
        std::stable_sort(s.looked_at, s.looked_at + s.count, [](const pool* a, const pool* b) {
            return consumers(*a) < consumers(*b);
        });
    }
    return ABT_SUCCESS;
}

// Frees the pools without another scheduler that are marked so.
void free_with_pools(scheduler& s, bool pool::* frees) noexcept
{
    if (s.unit != nullptr) {
        destroy(*s.unit);
    }
    for (unsigned i = 0; s.pools != nullptr && i < s.count; ++i) {
        pool* const p = s.pools[i];
        // acq_rel: the last scheduler frees what the others have used.
        if (p != nullptr && p->schedulers.fetch_sub(1, std::memory_order_acq_rel) == 1 &&
            p->*frees) {
            free_pool(*p);
        }
    }
    std::free(s.pools);
    drop(&s);
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
        s.unit = nullptr;  // the unit is unnamed, and frees itself
        free_scheduler(s);
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

bool scheduler::has_units() noexcept
{
    for (unsigned i = 0; i < count; ++i) {
        pool& p = *pools[i];
        // relaxed: see schedulers. Other schedulers that have the pool run the units that are
        // resumed there.
        const bool shared = p.access != ABT_POOL_ACCESS_PRIV &&
                            p.schedulers.load(std::memory_order_relaxed) > 1;
        if ((shared ? p.size() : p.total_size()) != 0) {
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
    // Without pools: one, or one for each of three priorities.
    const int fewest = predef == ABT_SCHED_PRIO ? 3 : 1;
    // Null in an array of pools means a FIFO; without an array the kind suits the scheduler.
    error = take_pools(*s, pools == nullptr && count == 0 ? fewest : count, pools,
                       pools != nullptr                    ? ABT_POOL_FIFO
                       : s->predef == ABT_SCHED_BASIC_WAIT ? ABT_POOL_FIFO_WAIT
                       : s->predef == ABT_SCHED_RANDWS     ? ABT_POOL_RANDWS
                                                           : ABT_POOL_FIFO);
    if (error != ABT_SUCCESS) {
        discard_scheduler(*s);
        return nullptr;
    }
    return s;
}

scheduler* unused_or_default(scheduler* given, int& error) noexcept
{
    if (given == nullptr) {
        return make_scheduler(ABT_SCHED_DEFAULT, 0, nullptr, true, error);
    }
    if (given->used()) {
        error = ABT_ERR_INV_SCHED;
        return nullptr;
    }
    return given;
}

scheduler* make_user_scheduler(const ABT_sched_def& def, int count, const ABT_pool* pools,
                               ABT_sched_config config, int& error) noexcept
{
    // a user-defined scheduler without pools gets none, unlike a built-in one
    const ABT_pool none = ABT_POOL_NULL;
    scheduler* const s = make_scheduler(ABT_SCHED_BASIC, count, count == 0 ? &none : pools, false,
                                        error);
    if (s == nullptr) {
        return nullptr;
    }
    s->user_defined = true;
    if (def.init != nullptr) {
        error = def.init(handle_of(s), config);
        if (error != ABT_SUCCESS) {
            discard_scheduler(*s);
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
    free_with_pools(s, &pool::automatic);
}

void discard_scheduler(scheduler& s) noexcept
{
    free_with_pools(s, &pool::made_for_scheduler);
}

bool prepare_unit(scheduler& s, pool* in) noexcept
{
    if (s.unit != nullptr) {
        destroy(*s.unit);  // the unit of an earlier use
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

bool has_to_stop(scheduler& s) noexcept
{
    // acquire (both): pairs with ask().
    unsigned requests = s.requests.load(std::memory_order_acquire);
    if (s.main_of != nullptr) {
        requests |= s.main_of->requests.load(std::memory_order_acquire);
    } else if (const xstream* const x = this_xstream(); x != nullptr) {
        // A stream that is to exit does not wait for its stacked schedulers. acquire: as above.
        requests |= x->requests.load(std::memory_order_acquire) & bit(scheduler_request::exit);
    }
    if ((requests & bit(scheduler_request::exit)) != 0) {
        return true;
    }
    if ((requests & bit(scheduler_request::replace)) != 0) {
        return leaves_nothing_behind(*s.main_of);
    }
    if ((requests & bit(scheduler_request::finish)) != 0) {
        for (unsigned i = 0; i < s.count; ++i) {
            s.pools[i]->scheduler_stops();  // before their sizes are read
        }
    } else if (!s.in_pool) {
        return false;
    }
    return !s.has_units();
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
