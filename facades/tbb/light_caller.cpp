#include "light_caller.hpp"

#include "arena.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "sched/suspend.hpp"
#include "servers.hpp"

#include <exception>
#include <utility>

namespace artel::onetbb {
namespace {

// One call, on the light thread's stack.
struct call {
    void (*f)(void* argument);
    void* argument;
    std::exception_ptr thrown{};
    fiber::fiber* caller = nullptr;
};

bool run(void* argument)
{
    call& c = *static_cast<call*>(argument);
    try {
        c.f(c.argument);
    } catch (...) {
        c.thrown = std::current_exception();
    }
    return false;
}

// The persona is free. After the caller was made ready its call is gone.
void end(void* argument, bool)
{
    sched::make_ready(*static_cast<call*>(argument)->caller);
}

}  // namespace

arena& shared_arena()
{
    // Never ended, as light threads may use it until the process ends.
    static arena& only = []() -> arena& {
        arena_shape shape;
        shape.max_concurrency = static_cast<int>(default_concurrency());
        shape.reserved = 0;
        shape.spare = 256;
        return arena::make(shape);
    }();
    return only;
}

bool call_on_persona(void (*f)(void*), void* argument)
{
    call c{f, argument};
    fiber::fiber* const persona = servers::take({run, end, &c});
    if (persona == nullptr) {
        return false;
    }
    foreign::leave_to_persona(*persona, c.caller);
    if (c.thrown != nullptr) {
        std::rethrow_exception(std::exchange(c.thrown, nullptr));
    }
    return true;
}

void prepare_for_light_thread(const arena& a, task& t, abi::d1::task_group_context& c)
{
    make_part_of(c, t, 0, nullptr, a.fp_settings());
}

void enqueue_for_light_thread(arena& a, task& t, abi::d1::task_group_context& c)
{
    const kept_arena stays(a);
    prepare_for_light_thread(a, t, c);
    a.enqueue(t);
}

}  // namespace artel::onetbb
