// Streams, each of which runs units one at a time, for interfaces that have them (a worker of
// Qthreads, an execution stream of Argobots). There may be more streams than workers: the crew's
// workers carry them in turn. A unit is a function that runs once on some stream; it may wait, and
// may be on another stream of the same pool afterwards.
//
// A pool holds units that have not started, and ready fibers of those that have. Each stream serves
// one pool; several streams may serve the same pool. A stream that finds its own pool empty takes
// from others of its group.
//
// The token. At any time one context holds the stream and acts for it: a worker's scheduling loop
// that has taken the stream's ticket out of the crew's queues, and then the fiber of the unit that
// it runs. A holder that leaves the stream (suspends, yields, ends) chooses what runs next, and
// passes the token on with the switch. When there is nothing to run the stream falls asleep, and
// nobody holds it; a thread that brings work wakes it by posting its ticket to the crew. So
// sched::suspend and sched::make_ready, which every wait of the library uses, also serve units: a
// unit that waits in an OpenMP barrier or for an artel::mutex leaves its stream to others.
//
// No stream sleeps for ever. A stream that falls asleep enters the idle set and checks all pools
// once more; a thread that has put something into a pool checks the idle set afterwards. Each makes
// a full fence between the two, so one of them sees the other. A stream that has seen work takes
// itself out of the set; if another was faster, its ticket is on the way. A stream that was woken
// and finds that it has been disabled meanwhile wakes others for the work that it leaves.
// stream_model.cpp.
//
// Rejected: an OS thread for each stream: where there are more of them than CPUs they spin against
// each other. Also rejected: streams as labels only, with units anywhere: programs index their own
// memory by the number of the worker and rely on being alone there.
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
// their units come back (scheduled_stream.hpp). The functions at the end of this file call these.
class stream_rules {
public:
    // sched::suspend for the unit that occupies `w`.
    virtual bool suspend(worker& w, fiber::after_switch after, void* argument) const noexcept = 0;
    // Lets another unit of the same stream go first; false if there is none.
    virtual bool yield(worker& w) const noexcept = 0;
    // A suspended fiber of a unit may continue.
    virtual void make_ready(fiber::fiber& f) const noexcept = 0;
    // The stream's holder leaves its worker to a fiber that is no unit.
    virtual void leave(stream& s) const noexcept = 0;

protected:
    ~stream_rules() = default;
};

// Embedded in the interface's record of its unit. `run` is called with the fiber that it runs on,
// and may free the unit at its end.
struct unit : base::work {
    unit* older = nullptr;                // links of the pool, while the unit has not started
    unit* younger = nullptr;              //
    pool* home = nullptr;                 // the pool that it goes to when it is made ready
    const stream_rules* rules = nullptr;  // rules of its streams; nullptr: this file's
    bool stays = false;                   // streams of other pools leave it alone
    std::uint64_t id = 0;                 // the interface's number, for reports
};

// In the crew's queues while the stream waits for a worker.
struct stream_ticket : base::work {
    stream* of = nullptr;
    bool counted = false;  // counted as promised to run concurrently (worker::concurrent_queued)
};

struct stream {
    stream_ticket ticket;
    const stream_rules* rules = nullptr;  // nullptr: this file's
    stream_group* group = nullptr;
    pool* source = nullptr;
    unsigned number = 0;  // in its group
    unsigned turns = 0;   // of its holder
    // a unit that was found at a switch and that only a scheduling loop can start
    unit* handed = nullptr;
    std::atomic<bool> enabled{true};
    bool left_alone = false;  // sleeps outside of the idle set; guarded by the group's lock

    // The program's data for the unit that runs here. nullptr at first.
    void* local = nullptr;
};

// Work of streams. Any thread may push.
class alignas(base::cache_line) pool {
public:
    explicit pool(stream_group& owner, unsigned n) noexcept : group(owner), number(n) {}

    stream_group& group;
    const unsigned number;

    // Adds a unit that has not started; u.home is this pool. Wakes a stream if one sleeps.
    void push(unit& u) noexcept;
    // Adds a ready fiber of a unit of this pool.
    void push(fiber::fiber& f) noexcept;

    // The number of ready and not started units; an estimate. relaxed: an estimate.
    unsigned size() const noexcept { return count_.load(std::memory_order_relaxed); }

    // Closes the pool: what is pushed, and what is here, goes to `to`. nullptr opens it.
    void redirect(pool* to) noexcept;

private:
    friend class stream_group;
    friend struct stream_access;

    void add(unit& u) noexcept;
    void add(fiber::fiber& f) noexcept;
    void count(int all, int takeable) noexcept;
    pool& lock_target() noexcept;  // the pool, or the one that it is redirected to, locked
    [[gnu::cold, gnu::noinline]] pool& unlock_and_lock_target() noexcept;

    base::spinlock lock_;
    fiber::fiber* first_ready_ = nullptr;
    fiber::fiber* last_ready_ = nullptr;
    unit* youngest_ = nullptr;
    unit* oldest_ = nullptr;
    // Written under the lock. relaxed: the fences of the idle set order them.
    std::atomic<unsigned> count_{0};
    std::atomic<unsigned> takeable_{0};  // those that streams of other pools may take
    pool* redirected_ = nullptr;         // under the lock
};

// The streams and pools of one interface. Made once, and kept until the process ends.
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
    // The idle set: streams that sleep and may be woken.
    std::atomic<unsigned> idle_count_{0};
    std::vector<std::atomic<std::uint64_t>> idle_;
    std::atomic<std::uint64_t> steals_{0};
};

// The unit that the caller is, and the stream that it occupies; nullptr if it is none. The stream
// may change at every possible switch.
unit* this_unit() noexcept;
stream* this_stream() noexcept;

// Lets other units of its stream's pool go first, and other streams when it is time or the pool is
// empty. The caller is a unit. Switches.
void yield_unit() noexcept;

// Moves the calling unit to another pool. Switches.
void move_to(pool& to) noexcept;

// For code that may block its OS thread: between the two calls the calling unit occupies no stream,
// so that others can have it, on another worker. end_to_block switches, and so may any wait in
// between, and a move, which also give the unit a stream again. It may end in between.
void begin_to_block() noexcept;
void end_to_block() noexcept;

// --- for loop.cpp --------------------------------------------------------------------------------

// sched::suspend for units.
bool suspend_unit(worker& w, fiber::after_switch after, void* argument) noexcept;
// Lets another unit of the calling unit's pool go first; false if there is none.
bool yield_to_pool(worker& w) noexcept;
// sched::make_ready for units.
void make_unit_ready(fiber::fiber& f) noexcept;
// Gives the stream away when the calling unit leaves its worker to a fiber that is no unit.
void leave_stream(stream& s) noexcept;

}  // namespace artel::sched
