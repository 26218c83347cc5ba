// Schedulers define the order in which a stream runs units. Built-in ones pop from their pools;
// user-defined ones are functions that pop and call ABT_self_schedule. Each scheduler runs on a ULT
// of its own: as the main scheduler of a stream, or as a unit in a pool of another scheduler
// (stacked).
//
// A built-in scheduler is not switched to between two units: a unit that leaves the stream pops the
// next one itself, as the scheduler would (next_directly). After event_frequency such switches it
// switches to the scheduler, which sees requests and lets other streams have the worker.
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
    unsigned calls = 0;  // units called so far; used by its holder only
    std::uint64_t random = 88172645463325252u;
    void* data = nullptr;
    thread* unit = nullptr;  // made at the first use
    xstream* main_of = nullptr;
    bool in_pool = false;
    const int id;
    // A set of scheduler_request. release and acquire: publish what the requester did before.
    std::atomic<unsigned> requests{0};
    pool** looked_at = nullptr;  // its pools in the order in which a built-in scheduler searches
                                 // them

    explicit scheduler(int number) noexcept : id(number) {}
    // Whether it is a main scheduler, or a unit in a pool that has not ended.
    bool used() const noexcept
    {
        return main_of != nullptr || (in_pool && (unit == nullptr || !unit->ended()));
    }
    bool has_pool(const pool& p) const noexcept;
    // Whether there is a unit that only this scheduler can run: a ready one, or one that is blocked
    // and whose pool no other scheduler has.
    bool has_units() noexcept;
    std::size_t size() noexcept;
    std::size_t total_size() noexcept;
};

scheduler* make_scheduler(ABT_sched_predef predef, int count, const ABT_pool* pools, bool automatic,
                          int& error) noexcept;
// A scheduler that can become a main scheduler: `given`, or a default one for nullptr. nullptr with
// an error when there is no memory, or when `given` is in use.
scheduler* unused_or_default(scheduler* given, int& error) noexcept;
scheduler* make_user_scheduler(const ABT_sched_def& def, int count, const ABT_pool* pools,
                               ABT_sched_config config, int& error) noexcept;
void free_scheduler(scheduler& s) noexcept;
// The same when what it was made for has failed: pools that the user gave stay, also automatic
// ones.
void discard_scheduler(scheduler& s) noexcept;
// Makes its work unit, for use as a main scheduler or in a pool.
bool prepare_unit(scheduler& s, pool* in) noexcept;

// A unit that leaves the stream, for which the next one is picked.
struct leaver {
    thread* of = nullptr;
    bool yields = false;   // it yields; otherwise it is blocked
    bool counted = false;  // result: it has been counted as blocked
    bool locked = false;   // result: its pool is locked until it is added again
};

// The next unit that a built-in scheduler would run on stream `x`; nullptr if there is none, or
// only the one that yields.
thread* pick(scheduler& s, const xstream& x, leaver& l) noexcept;
void run_scheduler(scheduler& s) noexcept;
bool has_to_stop(scheduler& s) noexcept;
void ask(scheduler& s, scheduler_request what) noexcept;
void check_events(scheduler& s) noexcept;
pool* pool_for_migration(scheduler& s, pool* other_than) noexcept;

// Runs a unit that was popped, on behalf of the calling ULT.
void schedule(thread& t) noexcept;

}  // namespace artel::argobots
