// Schedulers: the order in which a stream runs units. Those of ours pop from their pools; those of
// the user are functions that pop and call ABT_self_schedule. Each has a work unit of its own, a
// ULT, on which it runs: as main scheduler of a stream, or as a unit in a pool of another one
// (stacked).
//
// A scheduler of ours need not be switched to between two units: a unit that leaves the stream pops
// what comes next itself, as the scheduler would (next_directly), and every so many times goes back
// to it, so that it looks at requests and lets other streams have the worker.
#pragma once

#include "pool.hpp"
#include "thread.hpp"

#include <atomic>

namespace artel::argobots {

enum class scheduler_request : unsigned { finish = 1, exit = 2, replace = 4 };

struct scheduler {
    ABT_sched_predef predef = ABT_SCHED_DEFAULT;
    bool user_defined = false;
    ABT_sched_def def{};
    pool** pools = nullptr;
    unsigned count = 0;
    bool only_ours = false;  // pools
    bool automatic = false;
    unsigned event_frequency = 50;
    unsigned calls = 0;  // of units; its holder's
    std::uint64_t random = 88172645463325252u;
    void* data = nullptr;
    thread* unit = nullptr;  // made when it is first used
    xstream* main_of = nullptr;
    bool in_pool = false;
    const int id;
    // scheduler_request. release and acquire: who asks has prepared what is asked for.
    std::atomic<unsigned> requests{0};

    explicit scheduler(int number) noexcept : id(number) {}
    // As a unit in a pool until that has ended.
    bool used() const noexcept
    {
        return main_of != nullptr || (in_pool && (unit == nullptr || !unit->ended()));
    }
    bool has_pool(const pool& p) const noexcept;
    std::size_t size() noexcept;
    std::size_t total_size() noexcept;
};

scheduler* make_scheduler(ABT_sched_predef predef, int count, const ABT_pool* pools, bool automatic,
                          int& error) noexcept;
// What is to become a main scheduler: `given`, or a default one where that is nullptr. Nullptr with
// an error: there is no memory for one, or `given` is in use.
scheduler* unused_or_default(scheduler* given, int& error) noexcept;
scheduler* make_user_scheduler(const ABT_sched_def& def, int count, const ABT_pool* pools,
                               ABT_sched_config config, int& error) noexcept;
void free_scheduler(scheduler& s) noexcept;
// Makes its work unit, for use as a main scheduler or in a pool.
bool prepare_unit(scheduler& s, pool* in) noexcept;

// The unit that leaves the stream when the next is picked for it, and how.
struct leaver {
    thread* of = nullptr;
    bool yields = false;   // else it is blocked
    bool counted = false;  // out: it has been counted as blocked
    bool locked = false;   // out: its pool is, for its being added again
};

// The next unit that a scheduler of ours would run on stream `x`; nullptr if there is none, or if
// it would be the one that yields.
thread* pick(scheduler& s, const xstream& x, leaver& l) noexcept;
void run_scheduler(scheduler& s) noexcept;
bool has_to_stop(scheduler& s) noexcept;
void ask(scheduler& s, scheduler_request what) noexcept;
void check_events(scheduler& s) noexcept;
pool* pool_for_migration(scheduler& s, pool* other_than) noexcept;

// Runs a unit that was popped, on behalf of the calling ULT.
void schedule(thread& t) noexcept;

}  // namespace artel::argobots
