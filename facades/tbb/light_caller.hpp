// Callers on light threads of Artel's own: those of the C++ interface, and bodies of its loops,
// which run on a worker's stack. After a wait they may continue on another OS thread, but the state
// of a thread here (thread.hpp) belongs to the OS thread. So a persona makes the calls that may
// wait or run tasks, while the caller is suspended. Tasks that they spawn are enqueued in an arena
// that they share.
#pragma once

#include "foreign/persona_call.hpp"
#include "thread.hpp"

#include <memory>
#include <type_traits>

namespace artel::onetbb {

using foreign::may_move;

// As known_thread, but nullptr for those callers.
inline thread* settled_thread() noexcept
{
    thread* const t = known_thread();
    return t == nullptr || may_move() ? nullptr : t;
}

// For entry points that need no arena of the caller's own: it is a user of the scheduler all the
// same, as in the stock library. May throw std::bad_alloc.
inline void use_scheduler()
{
    if (may_move()) {
        return;
    }
    if (thread& me = this_thread(); me.in == nullptr && !me.uses) [[unlikely]] {
        count_user(me);
    }
}

// The arena for what those callers spawn. Its tasks may wait for light threads that spawn others
// here, so it has many more slots than workers run at a time. May throw std::bad_alloc.
arena& shared_arena();

// Calls f(argument) on a persona, and passes its exception on. False, with nothing done, when the
// system gives no more threads. Called by a caller that may move. Switches.
bool call_on_persona(void (*f)(void* argument), void* argument);

// As prepare (dispatch.hpp), for a caller that may move.
void prepare_for_light_thread(const arena& a, task& t, abi::d1::task_group_context& c);

// Enqueues a task that a caller that may move spawns: it runs even if no thread waits for it.
void enqueue_for_light_thread(arena& a, task& t, abi::d1::task_group_context& c);

// Makes the call `f` for a caller that may move; false for all others, who make it themselves.
template <class F>
bool call_for_light_thread(F&& f)
{
    return may_move() &&
           call_on_persona([](void* of) { (*static_cast<std::remove_reference_t<F>*>(of))(); },
                           const_cast<void*>(static_cast<const void*>(std::addressof(f))));
}

}  // namespace artel::onetbb
