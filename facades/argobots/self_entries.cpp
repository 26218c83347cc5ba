// ABT_self_*, and what older names do the same: the caller yields, suspends itself, ends, or asks
// who it is.
#include "runner.hpp"
#include "runtime.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

int caller(thread*& me) noexcept
{
    me = self();
    return me != nullptr ? ABT_SUCCESS : ABT_ERR_INV_XSTREAM;
}

// The same for functions that say first whether Argobots has begun.
int caller_if_begun(thread*& me) noexcept
{
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : caller(me);
}
int yieldable_if_begun(thread*& me) noexcept
{
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : ult_or_error(me);
}

// Calls act(me) if the caller is what `who` asks for, and returns who's error.
template <class Act>
int as(int (*who)(thread*& me) noexcept, Act act)
{
    thread* me = nullptr;
    const int error = who(me);
    if (error == ABT_SUCCESS) {
        act(*me);
    }
    return error;
}

// A ULT, and one to go on with; neither runs a main scheduler.
int pair(ABT_thread to, thread*& me, thread*& next) noexcept
{
    next = object_of(to);
    if (next == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    return next->tasklet || me->main_scheduler || next->main_scheduler || next == me
               ? ABT_ERR_INV_THREAD
               : ABT_SUCCESS;
}

// The `after` function of those that suspend themselves: from now on they can be resumed.
void is_blocked(fiber::carrier&, fiber::fiber& previous, void*)
{
    // release: the context, for whoever sees it blocked and resumes it (state_of in
    // thread_entries.cpp).
    static_cast<thread*>(previous.unit)
        ->state.store(ABT_THREAD_STATE_BLOCKED, std::memory_order_release);
}

void suspend(thread& me, thread* next) noexcept
{
    if (next != nullptr) {
        me.in->add_blocked(1);
        leave_to(me, *next, is_blocked, nullptr);
    } else {
        leave(me, true, is_blocked, nullptr);
    }
}

// One that is blocked is about to run, without having been in its pool.
void unblock(thread& t) noexcept
{
    t.in->add_blocked(-1);
}

}  // namespace

extern "C" {

int ABT_self_yield(void)
{
    thread* me = nullptr;
    const int error = ult_or_error(me);
    if (error == ABT_SUCCESS) {
        yield(*me, ABT_POOL_CONTEXT_OP_THREAD_YIELD);
    }
    return error;
}
int ABT_thread_yield(void)
{
    // Whoever cannot yield need not.
    if (thread* const me = self_ult(); me != nullptr) {
        yield(*me, ABT_POOL_CONTEXT_OP_THREAD_YIELD);
    }
    return ABT_SUCCESS;
}
int ABT_self_yield_to(ABT_thread to)
{
    thread* me = nullptr;
    thread* next = nullptr;
    const int error = pair(to, me, next);
    if (error == ABT_SUCCESS) {
        yield_to(*me, *next, ABT_POOL_CONTEXT_OP_THREAD_YIELD_TO);
    }
    return error;
}
int ABT_thread_yield_to(ABT_thread to)
{
    thread* const next = object_of(to);
    if (next == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    thread* const me = self();
    if (me == nullptr || me->tasklet) {
        return ABT_SUCCESS;
    }
    if (next->tasklet || next == me || me->main_scheduler || next->main_scheduler) {
        return ABT_ERR_INV_THREAD;
    }
    if (!next->in->can_remove()) {
        return ABT_ERR_POOL;
    }
    // One that is not in its pool is not ready: the caller goes on.
    if (next->in->remove(*next)) {
        yield_to(*me, *next, ABT_POOL_CONTEXT_OP_THREAD_YIELD_TO);
    }
    return ABT_SUCCESS;
}
int ABT_self_resume_yield_to(ABT_thread to)
{
    thread* me = nullptr;
    thread* next = nullptr;
    const int error = pair(to, me, next);
    if (error == ABT_SUCCESS) {
        unblock(*next);
        yield_to(*me, *next, ABT_POOL_CONTEXT_OP_THREAD_RESUME_YIELD_TO);
    }
    return error;
}
int ABT_self_suspend(void)
{
    thread* me = nullptr;
    const int error = ult_or_error(me);
    if (error == ABT_SUCCESS && me->caller != nullptr) {
        suspend(*me, nullptr);
    }
    return error;
}
int ABT_self_suspend_to(ABT_thread to)
{
    thread* me = nullptr;
    thread* next = nullptr;
    const int error = pair(to, me, next);
    if (error == ABT_SUCCESS) {
        suspend(*me, next);
    }
    return error;
}
int ABT_self_resume_suspend_to(ABT_thread to)
{
    thread* me = nullptr;
    thread* next = nullptr;
    const int error = pair(to, me, next);
    if (error == ABT_SUCCESS) {
        unblock(*next);
        suspend(*me, next);
    }
    return error;
}
int ABT_self_exit(void)
{
    thread* me = nullptr;
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    if (me->primary || me->main_scheduler) {
        return ABT_ERR_INV_THREAD;
    }
    end_self(*me, nullptr);
}
int ABT_thread_exit(void)
{
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : ABT_self_exit();
}
int ABT_self_exit_to(ABT_thread to)
{
    thread* me = nullptr;
    thread* next = nullptr;
    if (const int error = pair(to, me, next); error != ABT_SUCCESS) {
        return error;
    }
    if (me->primary) {
        return ABT_ERR_INV_THREAD;
    }
    end_self(*me, next);
}
int ABT_self_resume_exit_to(ABT_thread to)
{
    thread* me = nullptr;
    thread* next = nullptr;
    if (const int error = pair(to, me, next); error != ABT_SUCCESS) {
        return error;
    }
    if (me->primary) {
        return ABT_ERR_INV_THREAD;
    }
    unblock(*next);
    end_self(*me, next);
}
int ABT_self_schedule(ABT_thread handle, ABT_pool in)
{
    thread* me = nullptr;
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    thread* const t = object_of(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    if (pool* const p = object_of(in); p != nullptr) {
        if (const int error = associate(*t, *p); error != ABT_SUCCESS) {
            return error;
        }
    }
    schedule(*t);
    return ABT_SUCCESS;
}
int ABT_self_get_xstream(ABT_xstream* handle)
{
    return as(caller, [&](const thread&) { *handle = handle_of(this_xstream()); });
}
int ABT_self_get_xstream_rank(int* rank)
{
    // relaxed: see rank
    return as(caller,
              [&](const thread&) { *rank = this_xstream()->rank.load(std::memory_order_relaxed); });
}
int ABT_self_get_thread(ABT_thread* handle)
{
    return as(caller, [&](thread& me) { *handle = handle_of(&me); });
}
int ABT_self_get_thread_id(ABT_unit_id* id)
{
    return as(caller, [&](thread& me) { *id = me.id; });
}
int ABT_thread_self(ABT_thread* handle)
{
    *handle = ABT_THREAD_NULL;
    return as(yieldable_if_begun, [&](thread& me) { *handle = handle_of(&me); });
}
int ABT_thread_self_id(ABT_unit_id* id)
{
    return as(yieldable_if_begun, [&](thread& me) { *id = me.id; });
}
int ABT_task_self(ABT_task* handle)
{
    *handle = ABT_TASK_NULL;
    thread* me = nullptr;
    const int error = caller_if_begun(me);
    if (error == ABT_SUCCESS && me->tasklet) {
        *handle = handle_of(me);
    }
    return error == ABT_SUCCESS && !me->tasklet ? ABT_ERR_INV_TASK : error;
}
int ABT_task_self_id(uint64_t* id)
{
    thread* me = nullptr;
    const int error = caller_if_begun(me);
    if (error == ABT_SUCCESS && me->tasklet) {
        *id = me->id;
    }
    return error == ABT_SUCCESS && !me->tasklet ? ABT_ERR_INV_TASK : error;
}
int ABT_self_get_type(ABT_unit_type* type)
{
    *type = ABT_UNIT_TYPE_EXT;
    return as(caller_if_begun,
              [&](thread& me) { *type = me.tasklet ? ABT_UNIT_TYPE_TASK : ABT_UNIT_TYPE_THREAD; });
}
int ABT_self_is_primary(ABT_bool* primary)
{
    *primary = ABT_FALSE;
    return as(yieldable_if_begun,
              [&](thread& me) { *primary = me.primary ? ABT_TRUE : ABT_FALSE; });
}
int ABT_self_on_primary_xstream(ABT_bool* primary)
{
    *primary = ABT_FALSE;
    return as(caller_if_begun,
              [&](const thread&) { *primary = this_xstream()->primary ? ABT_TRUE : ABT_FALSE; });
}
int ABT_self_is_unnamed(ABT_bool* unnamed)
{
    return as(caller, [&](thread& me) { *unnamed = me.named ? ABT_FALSE : ABT_TRUE; });
}
int ABT_self_get_last_pool(ABT_pool* handle)
{
    return as(caller, [&](thread& me) { *handle = handle_of(me.in); });
}
int ABT_self_get_last_pool_id(int* id)
{
    *id = -1;
    return as(caller_if_begun, [&](thread& me) { *id = me.in->id; });
}
int ABT_self_set_associated_pool(ABT_pool with)
{
    thread* me = nullptr;
    const int error = caller(me);
    pool* const p = object_of(with);
    return error != ABT_SUCCESS ? error : p == nullptr ? ABT_ERR_INV_POOL : associate(*me, *p);
}
int ABT_self_get_unit(ABT_unit* unit)
{
    return as(caller, [&](thread& me) { *unit = unit_of(me); });
}
int ABT_self_set_arg(void* argument)
{
    return as(caller_if_begun, [&](thread& me) { me.argument = argument; });
}
int ABT_self_get_arg(void** argument)
{
    *argument = nullptr;
    return as(caller_if_begun, [&](thread& me) { *argument = me.argument; });
}
int ABT_self_get_thread_func(void (**f)(void*))
{
    return as(caller, [&](thread& me) { *f = me.function; });
}
}
