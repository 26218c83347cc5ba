// What pool.cpp, stream_group.cpp and stream.cpp share. Inside src/sched only.
#pragma once

#include "base/log.hpp"
#include "sched/stream.hpp"

namespace artel::sched {

// What a stream runs next: one of the two, or none.
struct found {
    fiber::fiber* ready = nullptr;
    unit* fresh = nullptr;
    explicit operator bool() const noexcept { return ready != nullptr || fresh != nullptr; }
};

struct stream_access {
    static constexpr unsigned most_at_once = 64;  // units that a thief takes

    // The pool's next: ready fibers first, oldest first, and then the youngest of those that have
    // not begun; or, so that they all begin some time, the oldest of those first.
    static found take(pool& p, bool oldest_fresh) noexcept;
    static void unlink(pool& p, unit& u) noexcept;
    // Half of those that have not begun in the first pool that has any; they belong to the stream's
    // own pool now. Returns one, and the others lie there.
    static unit* take_from_others(stream& s) noexcept;
    static bool anything_for(const stream& s) noexcept;

    // A disabled stream rests: what it may have been woken for is left to others.
    static void wake_instead(const stream& s) noexcept;

    // Gives the stream up, if there is nothing for it. False: the caller still holds it and looks
    // again.
    static bool fall_asleep(stream& s) noexcept;
    // The stream, which the caller holds, gets a worker.
    static void activate(stream& s) noexcept;
    static void run_ticket(void* carrier, base::work& self);
};

}  // namespace artel::sched
