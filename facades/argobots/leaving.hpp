// A ULT leaves its stream to other units: it yields, or waits.
#pragma once

#include "thread.hpp"

namespace artel::argobots {

// The calling ULT leaves its stream to the next unit. `after` runs when its context is saved.
// `counts`: it is counted as blocked in its pool.
void leave(thread& t, bool counts, fiber::after_switch after, void* argument) noexcept;
// The same to a given unit, which the caller owns.
void leave_to(thread& t, thread& next, fiber::after_switch after, void* argument) noexcept;

// Lets other units run first.
void yield(thread& t, ABT_pool_context why) noexcept;
void yield_to(thread& t, thread& next, ABT_pool_context why) noexcept;
// Puts a suspended ULT back into its pool.
void resume(thread& t) noexcept;

// Argobots' rules for leaving a scheduled stream and coming back to it.
class scheduled_rules final : public sched::stream_rules {
public:
    bool suspend(sched::worker& w, fiber::after_switch after,
                 void* argument) const noexcept override;
    bool yield(sched::worker& w) const noexcept override;
    void make_ready(fiber::fiber& f) const noexcept override;
    void leave(sched::stream& s) const noexcept override;
};
extern const scheduled_rules the_rules;

}  // namespace artel::argobots
