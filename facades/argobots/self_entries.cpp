// Functions of ABT_self_*, and older names for them, that query or change the caller. The functions
// by which the caller leaves its stream are in leaving_entries.cpp.
#include "runtime.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

int caller(thread*& me) noexcept
{
    me = self();
    return me != nullptr ? ABT_SUCCESS : ABT_ERR_INV_XSTREAM;
}

// The same for functions that first report whether ABT_init was called.
int caller_if_begun(thread*& me) noexcept
{
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : caller(me);
}
int yieldable_if_begun(thread*& me) noexcept
{
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : ult_or_error(me);
}

// Calls act(me) if `who` accepts the caller; otherwise returns the error of `who`.
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

}  // namespace

extern "C" {

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
    return as(caller,
              [&](thread& me) { *unnamed = me.named && !me.primary ? ABT_FALSE : ABT_TRUE; });
}
int ABT_self_get_last_pool(ABT_pool* handle)
{
    return as(caller, [&](thread& me) { *handle = handle_of(me.in); });
}
int ABT_self_get_last_pool_id(int* id)
{
    *id = -1;
    return as(caller_if_begun, [&](thread& me) { *id = me.in != nullptr ? me.in->id : -1; });
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
