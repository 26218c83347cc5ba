// Entry points for resumable tasks.
#include "arena.hpp"
#include "light_caller.hpp"
#include "sched/guest_scope.hpp"

namespace tbb::detail::r1 {

using artel::onetbb::thread;

void suspend(void (*f)(void*, suspend_point_type*), void* argument)
{
    if (artel::onetbb::call_for_light_thread([&] { suspend(f, argument); })) {
        return;
    }
    thread& me = artel::onetbb::this_thread_in_arena();
    const artel::sched::guest_scope scope;
    me.in->suspend(me, f, argument);
}

void resume(suspend_point_type* point)
{
    thread& t = *reinterpret_cast<thread*>(point);
    t.in->resume(t);
}

suspend_point_type* current_suspend_point()
{
    return reinterpret_cast<suspend_point_type*>(&artel::onetbb::this_thread_in_arena());
}

}  // namespace tbb::detail::r1
