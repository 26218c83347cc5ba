// Shared by pool.cpp, stream_group.cpp, stream.cpp and blocking_unit.cpp. Inside src/sched only.
#pragma once

#include "base/log.hpp"
#include "sched/stream.hpp"

namespace artel::sched {

// What a stream runs next: one of the two, or nothing.
struct found {
    fiber::fiber* ready = nullptr;
    unit* fresh = nullptr;
    explicit operator bool() const noexcept { return ready != nullptr || fresh != nullptr; }
};

struct stream_access {
    static constexpr unsigned most_at_once = 64;  // units that a thief takes

    // The pool's next: ready fibers first, oldest first, then the youngest unit that has not
    // started. With `oldest_fresh` the oldest of those goes first, so that they all start some
    // time.
    static found take(pool& p, bool oldest_fresh) noexcept;
    static void unlink(pool& p, unit& u) noexcept;
    // Takes half of the units that have not started in the first pool that has any, into the
    // stream's own pool. Returns one of them.
    static unit* take_from_others(stream& s) noexcept;
    static bool anything_for(const stream& s) noexcept;

    // A disabled stream rests: wakes others for the work that it may have been woken for.
    static void wake_instead(const stream& s) noexcept;

    // Gives the stream up, if there is nothing for it. False: the caller still holds it and checks
    // again.
    static bool fall_asleep(stream& s) noexcept;
    // Queues the stream, which the caller holds, for a worker.
    static void activate(stream& s) noexcept;
    // The `after` function of a unit that goes on from its pool.
    static void queue_in_pool(fiber::carrier& here, fiber::fiber& previous, void*);
    static void run_ticket(void* carrier, base::work& self);
};

}  // namespace artel::sched
