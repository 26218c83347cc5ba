// Streams on which a light thread decides what runs next (an execution stream of Argobots), whereas
// those of stream.hpp take the next of their pool. That light thread is the stream's scheduler: it
// calls units one after the other, and continues when the called unit ends or leaves the stream. A
// unit may call others in turn. The interface decides where units wait; a thread that has put one
// somewhere wakes the streams that look there.
//
// The token. As in stream.hpp one context at a time holds the stream and acts for it. `caller` of a
// unit is the fiber that called it, and gets the token back when the unit suspends, yields or ends;
// it is suspended until then. The scheduler, which nobody called, is the root: when it suspends, in
// any wait of the library, the whole stream waits and nobody holds it, until the root's fiber is
// made ready. So sched::suspend serves units here, too.
//
// Streams are carried in turn: between two units, when others wait for the worker, the holder
// suspends and queues the stream behind them (rest). `resumed` is the fiber with which the worker
// that takes the ticket continues. A pinned stream is carried by one OS thread only, whose bound
// fiber can therefore be one of its units.
//
// Sleep. A root that finds nothing falls asleep by the rules of sleep_word.hpp: it announces that,
// checks once more, suspends, and is asleep from the next fiber's stack on.
#pragma once

#include "sched/sleep_word.hpp"
#include "sched/stream.hpp"

namespace artel::sched {

struct scheduled_stream;

struct scheduled_unit : unit {
    fiber::fiber* on = nullptr;      // its context, once it has started
    fiber::fiber* caller = nullptr;  // see above; nullptr: the root
};

struct scheduled_stream : stream {
    scheduled_stream() noexcept;

    fiber::fiber* resumed = nullptr;  // the fiber with which the taker of the ticket continues
    worker* pinned = nullptr;         // the only worker that may carry it; nullptr: any
    bool counted = false;             // the pinned thread counts as busy (guest_scope.hpp)
    unit* before = nullptr;           // the unit of another interface that the pinned thread was
                                      // before
    sleep_word sleep;
};

// Queues the stream for a worker. Called by the thread that holds it because it has suspended the
// root, or taken it out of a wait.
void activate(scheduled_stream& s) noexcept;

// Continues with `to`, a suspended fiber that gets the caller's stream. `after` runs when the
// caller's context is saved; nullptr if `to` knows the caller. Switches.
void pass_stream(fiber::fiber& to, fiber::after_switch after, void* argument) noexcept;
// The same for a fiber that has ended.
[[noreturn]] void pass_stream_and_end(fiber::fiber& to, fiber::after_switch after,
                                      void* argument) noexcept;

// Called by the root, which waits for something: the whole stream waits, until the root's fiber is
// made ready. False, with nothing done, without memory for a stack to continue with. Switches.
bool suspend_root(worker& w, fiber::after_switch after, void* argument) noexcept;

// Called by the root that has announced its sleep and found nothing. Switches.
void sleep_root(scheduled_stream& s) noexcept;

// Called by the holder: others_wait: whether others wait for its worker; rest: lets them go first.
// Switches.
bool others_wait(worker& w) noexcept;
void rest(scheduled_stream& s) noexcept;
// Called by a holder with nothing to run that must not fall asleep. May switch.
void rest_without_work(scheduled_stream& s) noexcept;

// Called by the root when the stream ends; nobody holds the stream afterwards. `after` runs on
// another stack.
[[noreturn]] void end_stream(fiber::after_switch after, void* argument) noexcept;

// The calling thread becomes a unit of `s`, which it holds and alone carries, until it calls
// leave_pinned. False when there is no room for one more thread in the crew. A unit of another
// interface becomes that again afterwards; its stream goes to others meanwhile.
bool join_pinned(scheduled_stream& s, unit& u) noexcept;
void leave_pinned(scheduled_stream& s) noexcept;

}  // namespace artel::sched
