#include "foreign/persona_call.hpp"

#include "foreign/thread_persona.hpp"
#include "sched/suspend.hpp"

namespace artel::foreign {
namespace {

struct departure {
    fiber::fiber& persona;
    fiber::fiber*& caller;
};

// On the next fiber's stack, which is the persona's: the caller waits, and may be made ready.
void note_caller(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    static_cast<departure*>(argument)->caller = &previous;
}

// The same where the persona has not begun. From there on the caller may be gone.
void note_caller_and_start(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    const departure d = *static_cast<departure*>(argument);
    d.caller = &previous;
    if (members_are_threads()) {
        start_thread_persona(d.persona);
    } else {
        sched::make_ready(d.persona);
    }
}

}  // namespace

void leave_to_persona(fiber::fiber& persona, fiber::fiber*& caller) noexcept
{
    departure d{persona, caller};
    // A guest's OS thread does not carry foreign code while its own stack could go on.
    if (!members_are_threads() && sched::may_carry(*sched::this_worker())) {
        sched::suspend_for(persona, note_caller, &d);
        return;
    }
    while (!sched::suspend(note_caller_and_start, &d)) {
        // No memory for a stack to go on with: others need some time to give one back.
        sched::yield();
    }
}

}  // namespace artel::foreign
