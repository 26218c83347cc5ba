// The caller's address reaches the persona in the `after` function of the switch, when the caller
// is suspended and may be made ready.
#include "foreign/persona_call.hpp"

#include "foreign/thread_persona.hpp"
#include "sched/program_regions.hpp"
#include "sched/suspend.hpp"

namespace artel::foreign {
namespace {

struct departure {
    fiber::fiber& persona;
    fiber::fiber*& caller;
};

// On the next fiber's stack, which is the persona's: the caller is suspended, and may be made
// ready.
void note_caller(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    static_cast<departure*>(argument)->caller = &previous;
}

// The same where the persona has not begun. From then on the caller may no longer exist.
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
    // What a guest's OS thread does not carry begins elsewhere.
    const sched::worker& here = *sched::this_worker();
    if (!members_are_threads() && sched::may_carry(here) &&
        !sched::leaves_to_others(here, persona.works_for)) {
        sched::suspend_for(persona, note_caller, &d);
        return;
    }
    while (!sched::suspend(note_caller_and_start, &d)) {
        // No memory for a stack to continue with: wait until another one is freed.
        sched::yield();
    }
}

}  // namespace artel::foreign
