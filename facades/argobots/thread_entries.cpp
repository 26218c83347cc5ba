// ABT_thread_*: creating, joining, freeing, reviving and querying threads. Attributes are in
// attribute_entries.cpp, migration in migration_entries.cpp, functions about the caller in
// leaving_entries.cpp and self_entries.cpp.
#include "leaving.hpp"
#include "runtime.hpp"

using namespace artel::argobots;

namespace {

int create(ABT_pool in, void (*f)(void*), void* argument, ABT_thread_attr attributes,
           ABT_thread* made, bool tasklet, thread** pushed) noexcept
{
    pool* const p = object_of(in);
    if (made != nullptr) {
        *made = tasklet ? ABT_TASK_NULL : ABT_THREAD_NULL;
    }
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    thread* const t = make_thread(*p, f, argument, object<thread_attributes>(attributes),
                                  made != nullptr, tasklet);
    if (t == nullptr) {
        return p->ours() ? ABT_ERR_MEM : ABT_ERR_OTHER;
    }
    if (made != nullptr) {
        *made = handle_of(t);
    }
    if (pushed != nullptr) {
        *pushed = t;
    } else {
        p->push(*t, ABT_POOL_CONTEXT_OP_THREAD_CREATE);
    }
    return ABT_SUCCESS;
}

ABT_pool first_pool(const xstream& x) noexcept
{
    return x.main->count != 0 ? handle_of(x.main->pools[0]) : ABT_POOL_NULL;
}

// Errors differ between functions for ULTs and for tasklets.
int check_joinable(const thread* t, int invalid) noexcept
{
    return t == nullptr                                     ? invalid
           : current() == nullptr                           ? ABT_ERR_UNINITIALIZED
           : t == self() || t->primary || t->main_scheduler ? invalid
                                                            : ABT_SUCCESS;
}

int revive_checked(ABT_pool in, void (*f)(void*), void* argument, thread* t, int invalid) noexcept
{
    pool* const p = object_of(in);
    if (t == nullptr || !t->ended()) {
        return invalid;
    }
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (const int error = associate(*t, *p); error != ABT_SUCCESS) {
        return error;
    }
    revive(*t, f, argument);
    return ABT_SUCCESS;
}

// The caller, if it may yield to another unit.
int yielder(thread*& me) noexcept
{
    me = self();
    return me == nullptr                       ? ABT_ERR_INV_XSTREAM
           : me->tasklet || me->main_scheduler ? ABT_ERR_INV_THREAD
                                               : ABT_SUCCESS;
}

int state_of(const thread& t) noexcept
{
    // acquire: pairs with is_blocked in leaving_entries.cpp; a caller that sees it blocked may
    // resume it.
    return t.ended() ? static_cast<int>(ABT_THREAD_STATE_TERMINATED)
                     : static_cast<int>(t.state.load(std::memory_order_acquire));
}

}  // namespace

extern "C" {

int ABT_thread_create(ABT_pool in, void (*f)(void*), void* argument, ABT_thread_attr a,
                      ABT_thread* made)
{
    return create(in, f, argument, a, made, false, nullptr);
}
int ABT_thread_create_to(ABT_pool in, void (*f)(void*), void* argument, ABT_thread_attr a,
                         ABT_thread* made)
{
    thread* me = nullptr;
    thread* t = nullptr;
    int error = current() != nullptr ? yielder(me) : ABT_ERR_UNINITIALIZED;
    if (error == ABT_SUCCESS) {
        error = create(in, f, argument, a, made, false, &t);
    }
    if (error == ABT_SUCCESS) {
        yield_to(*me, *t, ABT_POOL_CONTEXT_OP_THREAD_CREATE_TO);
    }
    return error;
}
int ABT_thread_create_on_xstream(ABT_xstream on, void (*f)(void*), void* argument,
                                 ABT_thread_attr a, ABT_thread* made)
{
    const xstream* const x = object_of(on);
    if (x == nullptr) {
        if (made != nullptr) {
            *made = ABT_THREAD_NULL;
        }
        return current() == nullptr ? ABT_ERR_UNINITIALIZED : ABT_ERR_INV_XSTREAM;
    }
    return create(first_pool(*x), f, argument, a, made, false, nullptr);
}
int ABT_thread_create_many(int count, ABT_pool* pools, void (**functions)(void*), void** arguments,
                           ABT_thread_attr a, ABT_thread* made)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (const auto* const given = object<thread_attributes>(a);
        given != nullptr && given->stack != nullptr) {
        return ABT_ERR_INV_THREAD_ATTR;
    }
    for (int i = 0; i < count; ++i) {
        const int error = create(pools[i], functions[i],
                                 arguments != nullptr ? arguments[i] : nullptr, a,
                                 made != nullptr ? &made[i] : nullptr, false, nullptr);
        if (error != ABT_SUCCESS) {
            return error;
        }
    }
    return ABT_SUCCESS;
}
int ABT_thread_revive(ABT_pool in, void (*f)(void*), void* argument, ABT_thread* handle)
{
    thread* const t = object_of(*handle);
    const int error = revive_checked(in, f, argument, t, ABT_ERR_INV_THREAD);
    if (error == ABT_SUCCESS) {
        t->in->push(*t, ABT_POOL_CONTEXT_OP_THREAD_REVIVE);
    }
    return error;
}
int ABT_thread_revive_to(ABT_pool in, void (*f)(void*), void* argument, ABT_thread* handle)
{
    thread* me = nullptr;
    int error = yielder(me);
    if (error != ABT_SUCCESS) {
        return error;
    }
    thread* const t = object_of(*handle);
    error = t != nullptr && t->tasklet ? ABT_ERR_INV_THREAD
                                       : revive_checked(in, f, argument, t, ABT_ERR_INV_THREAD);
    if (error == ABT_SUCCESS) {
        yield_to(*me, *t, ABT_POOL_CONTEXT_OP_THREAD_REVIVE_TO);
    }
    return error;
}
int ABT_thread_join(ABT_thread handle)
{
    thread* const t = object_of(handle);
    const int error = check_joinable(t, ABT_ERR_INV_THREAD);
    if (error == ABT_SUCCESS) {
        join(*t);
    }
    return error;
}
int ABT_thread_free(ABT_thread* handle)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    thread* const t = object_of(*handle);
    const int error = check_joinable(t, ABT_ERR_INV_THREAD);
    if (error == ABT_SUCCESS) {
        join(*t);
        destroy(*t);
        *handle = ABT_THREAD_NULL;
    }
    return error;
}
int ABT_thread_join_many(int count, ABT_thread* handles)
{
    for (int i = 0; i < count; ++i) {
        ABT_thread_join(handles[i]);
    }
    return ABT_initialized();
}
int ABT_thread_free_many(int count, ABT_thread* handles)
{
    for (int i = 0; i < count; ++i) {
        ABT_thread_free(&handles[i]);
    }
    return ABT_initialized();
}
int ABT_thread_cancel(ABT_thread handle)
{
    thread* const t = object_of(handle);
    if (t == nullptr || t->primary) {
        return ABT_ERR_INV_THREAD;
    }
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    // release: pairs with honour_requests.
    t->requests.fetch_or(static_cast<unsigned>(request::cancel), std::memory_order_release);
    return ABT_SUCCESS;
}
int ABT_thread_resume(ABT_thread handle)
{
    thread* const t = object_of(handle);
    if (t == nullptr || t->tasklet) {
        return ABT_ERR_INV_THREAD;
    }
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (state_of(*t) != ABT_THREAD_STATE_BLOCKED) {
        return ABT_ERR_THREAD;
    }
    resume(*t);
    return ABT_SUCCESS;
}
int ABT_thread_get_state(ABT_thread handle, ABT_thread_state* state)
{
    const thread* const t = object_of(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    *state = static_cast<ABT_thread_state>(state_of(*t));
    return ABT_SUCCESS;
}
int ABT_task_create(ABT_pool in, void (*f)(void*), void* argument, ABT_task* made)
{
    return create(in, f, argument, ABT_THREAD_ATTR_NULL, made, true, nullptr);
}
int ABT_task_create_on_xstream(ABT_xstream on, void (*f)(void*), void* argument, ABT_task* made)
{
    const xstream* const x = object_of(on);
    if (x == nullptr) {
        if (made != nullptr) {
            *made = ABT_TASK_NULL;
        }
        return ABT_ERR_INV_XSTREAM;
    }
    return create(first_pool(*x), f, argument, ABT_THREAD_ATTR_NULL, made, true, nullptr);
}
int ABT_task_revive(ABT_pool in, void (*f)(void*), void* argument, ABT_task* handle)
{
    thread* const t = object_of(*handle);
    const int error = revive_checked(in, f, argument, t, ABT_ERR_INV_TASK);
    if (error == ABT_SUCCESS) {
        t->in->push(*t, ABT_POOL_CONTEXT_OP_THREAD_REVIVE);
    }
    return error;
}
int ABT_task_join(ABT_task handle)
{
    thread* const t = object_of(handle);
    const int error = check_joinable(t, ABT_ERR_INV_TASK);
    if (error == ABT_SUCCESS) {
        join(*t);
    }
    return error;
}
int ABT_task_free(ABT_task* handle)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    thread* const t = object_of(*handle);
    const int error = check_joinable(t, ABT_ERR_INV_TASK);
    if (error == ABT_SUCCESS) {
        join(*t);
        destroy(*t);
        *handle = ABT_TASK_NULL;
    }
    return error;
}
int ABT_task_cancel(ABT_task handle)
{
    return object_of(handle) == nullptr ? ABT_ERR_INV_TASK : ABT_thread_cancel(handle);
}
}
