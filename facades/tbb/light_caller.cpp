// Light threads' calls are made in one arena, which is never ended, since they may come until the
// process ends.
#include "light_caller.hpp"

#include "arena.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "kept_arena.hpp"
#include "sched/suspend.hpp"
#include "servers.hpp"

#include <atomic>
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
    // Threads that race each make one, and the first one stays; a static's guard could be left
    // taken by a fork.
    static std::atomic<arena*> only{nullptr};
    arena* a = only.load(std::memory_order_acquire);  // acquire: pairs with the release below
    if (a == nullptr) {
        arena_shape shape;
        shape.max_concurrency = static_cast<int>(default_concurrency());
        shape.reserved = 0;
        shape.spare = 256;
        arena& mine = arena::make(shape);
        // release: publishes the arena to the acquires of others; acquire on failure: theirs to us
        if (only.compare_exchange_strong(a, &mine, std::memory_order_release,
                                         std::memory_order_acquire)) {
            a = &mine;
        } else {
            mine.drop();
        }
    }
    return *a;
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
