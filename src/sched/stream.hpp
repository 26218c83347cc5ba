// Streams: places at which units run one at a time, for interfaces that have them (a worker of
// Qthreads, an execution stream of Argobots). There may be more streams than workers: the crew's
// workers carry them by turns. A unit is a function that is to run once on some stream; it may
// wait, and may be on another stream of the same pool afterwards.
//
// A pool holds units that have not begun and suspended fibers of those that have and are ready.
// Each stream serves one pool; several streams may serve the same. A stream that finds its own pool
// empty takes from others of its group.
//
// The token. At any time one context holds the stream and nobody else acts for it: a worker's
// scheduling loop that has taken the stream's ticket out of the crew's queues, and from then on the
// fiber of the unit that it runs. Whoever leaves a stream (suspends, yields, ends) chooses what
// runs next, and hands the token over with the switch. When there is nothing the stream falls
// asleep, and nobody holds it; whoever brings work wakes it by posting its ticket to the crew. So
// sched::suspend and sched::make_ready, through which every wait of the library goes, also serve
// units: a unit that waits in an OpenMP barrier or for an artel::mutex leaves its stream to others.
//
// No stream sleeps for good. Falling asleep, a stream enters the idle set and looks at all pools
// once more; whoever has put something into a pool looks at the idle set afterwards. Each makes a
// full fence between the two, so one of them sees the other. A stream that has seen work takes
// itself out of the set; if another was faster, its ticket is on the way. One that was woken, and
// finds that it has been disabled meanwhile, wakes others for what it leaves. stream_model.cpp.
//
// Rejected: an OS thread for each stream, which spin against each other where there are more of
// them than CPUs; streams as labels only, with units anywhere: programs index memory of their own
// by the number of the worker and rely on being alone there.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "base/work.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace artel::sched {

struct worker;
class pool;
class stream_group;
class stream_rules;

// Streams of another kind, whose units do not wait in pools of this file: how they are left and how
// their units come back (scheduled_stream.hpp). Everything is called where the functions of this
// file's end are.
class stream_rules {
public:
    // sched::suspend for the unit that occupies `w`.
    virtual bool suspend(worker& w, fiber::after_switch after, void* argument) const noexcept = 0;
    // Lets somebody else of the same stream go first; false if nobody is there.
    virtual bool yield(worker& w) const noexcept = 0;
    // A suspended fiber of a unit may go on.
    virtual void make_ready(fiber::fiber& f) const noexcept = 0;
    // The stream's holder leaves its worker to somebody who is no unit.
    virtual void leave(stream& s) const noexcept = 0;

protected:
    ~stream_rules() = default;
};

// Embedded in what the interface knows of its unit. `run` is called with the fiber that it runs on,
// and may free the unit at its end.
struct unit : base::work {
    unit* older = nullptr;                // the pool's, while the unit has not begun
    unit* younger = nullptr;              //
    pool* home = nullptr;                 // where it goes when it is made ready
    const stream_rules* rules = nullptr;  // of its streams; nullptr: those of this file
    bool stays = false;                   // streams of other pools leave it alone
    std::uint64_t id = 0;                 // the interface's, for reports
};

// In the crew's queues while the stream waits for a worker.
struct stream_ticket : base::work {
    stream* of = nullptr;
    bool counted = false;  // as promised to run concurrently (worker::concurrent_queued)
};

struct stream {
    stream_ticket ticket;
    const stream_rules* rules = nullptr;  // nullptr: those of this file
    stream_group* group = nullptr;
    pool* source = nullptr;
    unsigned number = 0;     // in its group
    unsigned turns = 0;      // of its holder
    unit* handed = nullptr;  // what a switch found but only a scheduling loop can begin
    std::atomic<bool> enabled{true};
    bool left_alone = false;  // sleeps outside of the idle set; under the group's lock

    // Where programs keep what belongs to whoever runs here. nullptr at first.
    void* local = nullptr;
};

// What streams run. Any thread may push.
class alignas(base::cache_line) pool {
public:
    explicit pool(stream_group& owner, unsigned n) noexcept : group(owner), number(n) {}

    stream_group& group;
    const unsigned number;

    // A unit that has not begun; u.home is this pool. Wakes a stream if one sleeps.
    void push(unit& u) noexcept;
    // A suspended fiber of a unit of this pool.
    void push(fiber::fiber& f) noexcept;

    // How many are ready or have not begun; a guess.
    // relaxed: a guess.
    unsigned size() const noexcept { return count_.load(std::memory_order_relaxed); }

    // While a pool is closed, what is pushed goes to `to`, and what lies here too. nullptr opens
    // it.
    void redirect(pool* to) noexcept;

private:
    friend class stream_group;
    friend struct stream_access;

    void add(unit& u) noexcept;
    void add(fiber::fiber& f) noexcept;
    void count(int all, int takeable) noexcept;
    pool& lock_target() noexcept;  // the pool, or where it is redirected; its lock is held
    [[gnu::cold, gnu::noinline]] pool& unlock_and_lock_target() noexcept;

    base::spinlock lock_;
    fiber::fiber* first_ready_ = nullptr;
    fiber::fiber* last_ready_ = nullptr;
    unit* youngest_ = nullptr;
    unit* oldest_ = nullptr;
    // Written under the lock. relaxed: the fences of the idle set order them.
    std::atomic<unsigned> count_{0};
    std::atomic<unsigned> takeable_{0};  // of those, by streams of other pools
    pool* redirected_ = nullptr;         // under the lock
};

// The streams and pools of one interface. Made once, and kept until the process is gone.
class stream_group {
public:
    // Streams i * streams_per_pool ... serve pool i. May throw std::bad_alloc.
    stream_group(unsigned pools, unsigned streams_per_pool);
    ~stream_group();

    unsigned pools() const noexcept { return static_cast<unsigned>(pools_.size()); }
    unsigned streams() const noexcept { return static_cast<unsigned>(streams_.size()); }
    pool& pool_at(unsigned i) noexcept { return *pools_[i]; }
    stream& stream_at(unsigned i) noexcept { return *streams_[i]; }

    // The calling thread's own context becomes unit `u` of pool 0, and gets stream 0 unless that is
    // busy. It stays on its OS thread. leave() ends that. False, with nothing done, when it is a
    // unit of another interface. Switches.
    bool join(unit& u) noexcept;
    void leave() noexcept;

    // A disabled stream finishes what it runs, and then rests until it is enabled.
    void enable(stream& s, bool on) noexcept;

    // Units taken from pools of other streams; for statistics.
    // relaxed: a statistic.
    std::uint64_t steals() const noexcept { return steals_.load(std::memory_order_relaxed); }

private:
    friend class pool;
    friend struct stream_access;

    void wake_one(const pool& p, bool anybody) noexcept;
    bool claim(unsigned i) noexcept;

    std::vector<std::unique_ptr<pool>> pools_;
    std::vector<std::unique_ptr<stream>> streams_;
    base::spinlock lock_;
    // The idle set: who sleeps and may be woken.
    std::atomic<unsigned> idle_count_{0};
    std::vector<std::atomic<std::uint64_t>> idle_;
    std::atomic<std::uint64_t> steals_{0};
};

// The unit that the caller is, and the stream that it occupies; nullptr if it is none. The stream
// may be another one after every possible switch.
unit* this_unit() noexcept;
stream* this_stream() noexcept;

// Lets others of its stream's pool go first, and other streams when it is time or there is nobody
// in the pool. The caller is a unit. Switches.
void yield_unit() noexcept;

// Moves the calling unit to another pool. Switches.
void move_to(pool& to) noexcept;

// For code that may block its OS thread: between the two the calling unit occupies no stream, so
// that others can have it, on another worker. The second one switches, and so may end the first's
// effect any wait in between.
void begin_to_block() noexcept;
void end_to_block() noexcept;

// --- for loop.cpp
// ---------------------------------------------------------------------------------

// sched::suspend for units.
bool suspend_unit(worker& w, fiber::after_switch after, void* argument) noexcept;
// Lets somebody of the calling unit's pool go first; false if nobody is there.
bool yield_to_pool(worker& w) noexcept;
// sched::make_ready for units.
void make_unit_ready(fiber::fiber& f) noexcept;
// Gives the stream of the calling unit away, when it leaves its worker to one that is no unit.
void leave_stream(stream& s) noexcept;

}  // namespace artel::sched
