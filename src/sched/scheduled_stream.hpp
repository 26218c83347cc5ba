// Streams on which a light thread decides what runs next (an execution stream of Argobots), where
// the streams of stream.hpp take the next of their pool. The light thread that does is the stream's
// scheduler: it calls units one after the other, and goes on when the one that it called ends or
// leaves the stream. A unit may call others in turn. Where the units wait is the interface's
// business; whoever has put one somewhere wakes the streams that look there.
//
// The token. As in stream.hpp one context at a time holds the stream and acts for it. `caller`
// of a unit is the fiber that called it, and gets the token back when the unit suspends, yields or
// ends; it is suspended until then. The scheduler that nobody called is the root: when it suspends,
// in any wait of the library, the whole stream waits and nobody holds it, until the root's fiber is
// made ready. So sched::suspend serves units here, too.
//
// The stream is carried by turns: between two units, when others wait for the worker, its holder
// suspends and queues the stream behind them (rest). `resumed` is whom the worker that takes the
// ticket goes on with. A pinned stream is carried by one OS thread only, whose bound fiber can so
// be one of its units.
//
// Sleep. A root that finds nothing falls asleep by the rules of sleep_word.hpp: it announces that,
// looks once more, suspends, and is asleep from the next fiber's stack on.
#pragma once

#include "sched/sleep_word.hpp"
#include "sched/stream.hpp"

namespace artel::sched {

struct scheduled_stream;

struct scheduled_unit : unit {
    fiber::fiber* on = nullptr;      // its context, once it has begun
    fiber::fiber* caller = nullptr;  // see above; nullptr: the root
};

struct scheduled_stream : stream {
    scheduled_stream() noexcept;

    fiber::fiber* resumed = nullptr;  // with whom whoever takes the ticket goes on
    worker* pinned = nullptr;         // who alone carries it; nullptr: everybody
    bool counted = false;             // the pinned thread counts as busy (guest_scope.hpp)
    unit* before = nullptr;           // what the pinned thread was, of another interface
    sleep_word sleep;
};

// Whoever suspends the root, or takes it out of a wait, holds the stream: it goes to a worker.
void activate(scheduled_stream& s) noexcept;

// The calling fiber goes on with `to`, a suspended fiber that gets the caller's stream. `after`
// runs when the caller's context is saved; nullptr if `to` knows the caller. Switches.
void pass_stream(fiber::fiber& to, fiber::after_switch after, void* argument) noexcept;
// The same for a fiber that is done.
[[noreturn]] void pass_stream_and_end(fiber::fiber& to, fiber::after_switch after,
                                      void* argument) noexcept;

// By the root, which waits for something: the whole stream does, until its fiber is made ready.
// False, with nothing done, without memory for a stack to go on with. Switches.
bool suspend_root(worker& w, fiber::after_switch after, void* argument) noexcept;

// By the root that has announced its sleep and found nothing. Switches.
void sleep_root(scheduled_stream& s) noexcept;

// By the holder: whether others wait for its worker; and lets them go first. Switches.
bool others_wait(worker& w) noexcept;
void rest(scheduled_stream& s) noexcept;
// By a holder with nothing to run that must not fall asleep. May switch.
void rest_without_work(scheduled_stream& s) noexcept;

// By the root, on its last breath: the stream ends, and belongs to nobody. `after` runs on another
// stack.
[[noreturn]] void end_stream(fiber::after_switch after, void* argument) noexcept;

// The calling thread becomes a unit of `s`, which it holds and alone carries, until it calls
// leave_pinned. False when there is no room for one more thread in the crew. If it was a unit of
// another interface it is that again afterwards, and its stream goes to others meanwhile.
bool join_pinned(scheduled_stream& s, unit& u) noexcept;
void leave_pinned(scheduled_stream& s) noexcept;

}  // namespace artel::sched
