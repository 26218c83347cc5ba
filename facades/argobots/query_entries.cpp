// Queries and settings of a work unit: ABT_thread_get_* and so on, and ABT_task_*, which differ in
// the error for an invalid handle.
#include "runtime.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

// Calls ask(thread) if the handle is valid.
template <class Ask>
int with(ABT_thread handle, int invalid, Ask&& ask) noexcept
{
    thread* const t = object_of(handle);
    if (t == nullptr) {
        return invalid;
    }
    ask(*t);
    return ABT_SUCCESS;
}

ABT_bool truth(bool b) noexcept
{
    return b ? ABT_TRUE : ABT_FALSE;
}

// The rarely used part of a unit, if it has been made.
const thread_extra* extra_if_any(const thread& t) noexcept
{
    return t.extra.load(std::memory_order_acquire);  // acquire: pairs with extra_of
}

// For what the runtime's settings are asked for.
template <class F>
int with_runtime(ABT_thread t, F&& f) noexcept
{
    return object_of(t) == nullptr || current() != nullptr
               ? with(t, ABT_ERR_INV_THREAD, std::forward<F>(f))
               : ABT_ERR_UNINITIALIZED;
}

std::size_t stack_size(const thread& t) noexcept
{
    const thread_extra* const e = extra_if_any(t);
    if (t.tasklet || t.primary) {
        return 0;  // the primary ULT has the stack of its OS thread
    }
    if (e != nullptr && e->attributes.stack_size != 0) {
        return e->attributes.stack_size;
    }
    return t.main_scheduler ? current()->in_force.scheduler_stack_size
                            : current()->in_force.thread_stack_size;
}

void stack_of(const thread& t, void*& at, std::size_t& size) noexcept
{
    const thread_extra* const e = extra_if_any(t);
    at = nullptr;
    size = stack_size(t);
    if (e != nullptr && e->attributes.stack != nullptr) {
        at = e->attributes.stack;
    } else if (!t.tasklet && !t.primary && t.on != nullptr) {
        // A pooled stack may be larger than what was asked for.
        const fiber::stack& s = t.on->stack;
        size = size < s.size ? size : s.size;
        at = t.own_stack ? s.low : static_cast<char*>(s.high()) - size;
    } else if (t.own_stack) {
        at = e->own_stack;
    }
}

}  // namespace

extern "C" {

int ABT_thread_get_last_xstream(ABT_thread t, ABT_xstream* x)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *x = handle_of(u.last); });
}
int ABT_task_get_xstream(ABT_task t, ABT_xstream* x)
{
    return with(t, ABT_ERR_INV_TASK, [&](thread& u) { *x = handle_of(u.last); });
}
int ABT_thread_get_last_pool(ABT_thread t, ABT_pool* p)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *p = handle_of(u.in); });
}
int ABT_task_get_last_pool(ABT_task t, ABT_pool* p)
{
    return with(t, ABT_ERR_INV_TASK, [&](thread& u) { *p = handle_of(u.in); });
}
int ABT_thread_get_last_pool_id(ABT_thread t, int* id)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *id = u.in != nullptr ? u.in->id : -1; });
}
int ABT_task_get_last_pool_id(ABT_task t, int* id)
{
    return with(t, ABT_ERR_INV_TASK, [&](thread& u) { *id = u.in != nullptr ? u.in->id : -1; });
}
int ABT_thread_get_unit(ABT_thread t, ABT_unit* unit)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *unit = unit_of(u); });
}
int ABT_unit_get_thread(ABT_unit unit, ABT_thread* t)
{
    thread* const found = thread_of(unit);
    if (found == nullptr) {
        return ABT_ERR_INV_UNIT;
    }
    *t = handle_of(found);
    return ABT_SUCCESS;
}
int ABT_unit_set_associated_pool(ABT_unit unit, ABT_pool with)
{
    thread* const t = thread_of(unit);
    pool* const p = object_of(with);
    return p == nullptr           ? ABT_ERR_INV_POOL
           : t == nullptr         ? ABT_ERR_INV_UNIT
           : current() == nullptr ? ABT_ERR_UNINITIALIZED
                                  : associate(*t, *p);
}
int ABT_thread_set_migratable(ABT_thread t, ABT_bool migratable)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) {
        if (!u.primary && !u.main_scheduler) {
            // relaxed: see fixed
            u.fixed.store(migratable == ABT_FALSE, std::memory_order_relaxed);
        }
    });
}
int ABT_task_set_migratable(ABT_task t, ABT_bool migratable)
{
    return object_of(t) == nullptr ? ABT_ERR_INV_TASK : ABT_thread_set_migratable(t, migratable);
}
int ABT_thread_is_migratable(ABT_thread t, ABT_bool* migratable)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) {
        // relaxed: see `fixed`.
        *migratable = truth(!u.main_scheduler && !u.fixed.load(std::memory_order_relaxed));
    });
}
int ABT_task_is_migratable(ABT_task t, ABT_bool* migratable)
{
    return object_of(t) == nullptr ? ABT_ERR_INV_TASK : ABT_thread_is_migratable(t, migratable);
}
int ABT_thread_is_primary(ABT_thread t, ABT_bool* primary)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *primary = truth(u.primary); });
}
int ABT_thread_is_unnamed(ABT_thread t, ABT_bool* unnamed)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *unnamed = truth(!u.named || u.primary); });
}
int ABT_thread_equal(ABT_thread a, ABT_thread b, ABT_bool* result)
{
    *result = truth(object_of(a) == object_of(b));
    return ABT_SUCCESS;
}
int ABT_task_equal(ABT_task a, ABT_task b, ABT_bool* result)
{
    return ABT_thread_equal(a, b, result);
}
int ABT_thread_get_stacksize(ABT_thread t, size_t* size)
{
    return with_runtime(t, [&](const thread& u) { *size = stack_size(u); });
}
int ABT_thread_get_stack(ABT_thread t, void** at, size_t* size)
{
    return with_runtime(t, [&](const thread& u) {
        void* low = nullptr;
        std::size_t bytes = 0;
        stack_of(u, low, bytes);
        if (at != nullptr) {
            *at = low;
        }
        if (size != nullptr) {
            *size = bytes;
        }
    });
}
int ABT_thread_get_id(ABT_thread t, ABT_unit_id* id)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *id = u.id; });
}
int ABT_task_get_id(ABT_task t, uint64_t* id)
{
    return with(t, ABT_ERR_INV_TASK, [&](thread& u) { *id = u.id; });
}
int ABT_thread_set_arg(ABT_thread t, void* argument)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { u.argument = argument; });
}
int ABT_thread_get_arg(ABT_thread t, void** argument)
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *argument = u.argument; });
}
int ABT_task_get_arg(ABT_task t, void** argument)
{
    return with(t, ABT_ERR_INV_TASK, [&](thread& u) { *argument = u.argument; });
}
int ABT_thread_get_thread_func(ABT_thread t, void (**f)(void*))
{
    return with(t, ABT_ERR_INV_THREAD, [&](thread& u) { *f = u.function; });
}
int ABT_task_get_state(ABT_task t, ABT_task_state* state)
{
    const thread* const u = object_of(t);
    if (u == nullptr) {
        return ABT_ERR_INV_TASK;
    }
    // relaxed: a moment's view. A ULT that is blocked counts as running.
    *state = u->ended() ? ABT_TASK_STATE_TERMINATED
             : u->state.load(std::memory_order_relaxed) == ABT_THREAD_STATE_READY
                 ? ABT_TASK_STATE_READY
                 : ABT_TASK_STATE_RUNNING;
    return ABT_SUCCESS;
}
int ABT_thread_set_callback(ABT_thread handle, void (*callback)(ABT_thread, void*), void* argument)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    thread* const t = object_of(handle);
    thread_extra* const e = t != nullptr ? extra_of(*t) : nullptr;
    if (e == nullptr) {
        return t == nullptr ? ABT_ERR_INV_THREAD : ABT_ERR_MEM;
    }
    e->attributes.callback = callback;
    e->attributes.callback_argument = argument;
    return ABT_SUCCESS;
}
int ABT_thread_get_attr(ABT_thread handle, ABT_thread_attr* made)
{
    const thread* const t = object_of(handle);
    if (t == nullptr || t->tasklet) {
        return ABT_ERR_INV_THREAD;
    }
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    auto* const a = make<thread_attributes>();
    if (a == nullptr) {
        return ABT_ERR_MEM;
    }
    if (const thread_extra* const e = extra_if_any(*t); e != nullptr) {
        *a = e->attributes;
    }
    stack_of(*t, a->stack, a->stack_size);
    a->migratable = !t->fixed.load(std::memory_order_relaxed);  // relaxed: see fixed
    *made = reinterpret_cast<ABT_thread_attr>(a);
    return ABT_SUCCESS;
}
}
