// ABT_pool_push*, ABT_pool_pop* and other functions for the work units in a pool, named by their
// threads or, in older programs, by their units.
#include "pool_definition.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/alarm.hpp"

#include <cstdlib>

using namespace artel;
using namespace artel::argobots;

namespace {

// Without a runtime a pool of the parent's may be locked for ever.
int unusable(const pool* p) noexcept
{
    return p == nullptr ? ABT_ERR_INV_POOL : ABT_ERR_UNINITIALIZED;
}

// When a user-defined scheduler finds nothing, it yields the worker to other work.
thread* pop_or_rest(pool& p, ABT_pool_context why) noexcept
{
    const xstream* const x = this_xstream();
    thread* const t = p.pop(x == nullptr || x->primary ? why : why | from_secondary_stream);
    if (t == nullptr) {
        const thread* const me = self();
        if (me != nullptr && me->schedules != nullptr && p.empty()) {
            sched::rest_without_work(*this_xstream());
        }
    }
    return t;
}

int push(pool& p, thread& t, ABT_pool_context why) noexcept
{
    const int error = associate(t, p);
    if (error == ABT_SUCCESS) {
        // relaxed: see state.
        t.state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);
        p.push(t, why);
    }
    return error;
}

// Pushes all non-null threads to a user-defined pool in one call, as the pool may expect; pushes
// none if there is an error.
int push_to_user(pool& p, const ABT_thread* pushed, size_t count, ABT_pool_context why) noexcept
{
    auto* const units = static_cast<ABT_unit*>(std::malloc((count + 1) * sizeof(ABT_unit)));
    int error = units != nullptr ? ABT_SUCCESS : ABT_ERR_MEM;
    size_t n = 0;
    for (size_t i = 0; i < count && error == ABT_SUCCESS; ++i) {
        if (thread* const t = object_of(pushed[i]); t != nullptr) {
            error = associate(*t, p);
            if (error == ABT_SUCCESS) {
                // relaxed: see state.
                t->state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);
                units[n++] = unit_of(*t);
            }
        }
    }
    if (error == ABT_SUCCESS && p.user->older) {
        for (size_t i = 0; i < n; ++i) {
            p.user->def.p_push(handle_of(&p), units[i]);
        }
    } else if (error == ABT_SUCCESS && n != 0) {
        p.user->push_many(handle_of(&p), units, n, why);
    }
    std::free(units);
    return error;
}

// Whether a program may ask it to wait for some seconds. The older form knows points in time only.
bool waits_for_seconds(const pool& p) noexcept
{
    return p.ours() || (!p.user->older && p.can_wait());
}

}  // namespace

extern "C" {

int ABT_pool_pop_thread_ex(ABT_pool handle, ABT_thread* popped, ABT_pool_context why)
{
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    *popped = handle_of(pop_or_rest(*p, why));
    return ABT_SUCCESS;
}

int ABT_pool_pop_thread(ABT_pool p, ABT_thread* popped)
{
    return ABT_pool_pop_thread_ex(p, popped, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}

int ABT_pool_pop_threads_ex(ABT_pool handle, ABT_thread* popped, size_t room, size_t* count,
                            ABT_pool_context why)
{
    *count = 0;
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    // The older form has no function for many units, so they are popped one by one.
    if (!p->ours() && !p->user->older) {
        if (p->user->pop_many == nullptr) {
            return ABT_ERR_POOL;
        }
        p->user->pop_many(handle, popped, room, count, why);
        return ABT_SUCCESS;
    }
    while (*count < room) {
        thread* const t = p->pop(why);
        if (t == nullptr) {
            break;
        }
        popped[(*count)++] = handle_of(t);
    }
    return ABT_SUCCESS;
}

int ABT_pool_pop_threads(ABT_pool p, ABT_thread* popped, size_t room, size_t* count)
{
    return ABT_pool_pop_threads_ex(p, popped, room, count, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}

int ABT_pool_push_thread_ex(ABT_pool handle, ABT_thread pushed, ABT_pool_context why)
{
    pool* const p = object_of(handle);
    thread* const t = object_of(pushed);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    return t == nullptr ? ABT_SUCCESS : push(*p, *t, why);
}

int ABT_pool_push_thread(ABT_pool p, ABT_thread pushed)
{
    return ABT_pool_push_thread_ex(p, pushed, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}

int ABT_pool_push_threads_ex(ABT_pool handle, const ABT_thread* pushed, size_t count,
                             ABT_pool_context why)
{
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (!p->ours() && !p->user->older && p->user->push_many == nullptr) {
        return ABT_ERR_POOL;
    }
    if (!p->ours()) {
        return push_to_user(*p, pushed, count, why);
    }
    for (size_t i = 0; i < count; ++i) {
        if (thread* const t = object_of(pushed[i]); t != nullptr) {
            push(*p, *t, why);
        }
    }
    return ABT_SUCCESS;
}

int ABT_pool_push_threads(ABT_pool p, const ABT_thread* pushed, size_t count)
{
    return ABT_pool_push_threads_ex(p, pushed, count, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}

int ABT_pool_pop_wait_thread_ex(ABT_pool handle, ABT_thread* popped, double seconds,
                                ABT_pool_context why)
{
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (!waits_for_seconds(*p)) {
        return ABT_ERR_POOL;
    }
    *popped = handle_of(p->pop_wait(seconds, why));
    return ABT_SUCCESS;
}

int ABT_pool_pop_wait_thread(ABT_pool p, ABT_thread* popped, double seconds)
{
    return ABT_pool_pop_wait_thread_ex(p, popped, seconds, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}

int ABT_pool_print_all_threads(ABT_pool handle, void* argument, void (*print)(void*, ABT_thread))
{
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    return p->print_all(argument, print, false) ? ABT_SUCCESS : ABT_ERR_POOL;
}

int ABT_pool_pop(ABT_pool handle, ABT_unit* unit)
{
    *unit = ABT_UNIT_NULL;
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (thread* const t = pop_or_rest(*p, ABT_POOL_CONTEXT_OP_POOL_OTHER); t != nullptr) {
        *unit = unit_of(*t);
    }
    return ABT_SUCCESS;
}

int ABT_pool_pop_wait(ABT_pool handle, ABT_unit* unit, double seconds)
{
    *unit = ABT_UNIT_NULL;
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (!waits_for_seconds(*p)) {
        return ABT_ERR_POOL;
    }
    if (thread* const t = p->pop_wait(seconds, ABT_POOL_CONTEXT_OP_POOL_OTHER); t != nullptr) {
        *unit = unit_of(*t);
    }
    return ABT_SUCCESS;
}

int ABT_pool_pop_timedwait(ABT_pool handle, ABT_unit* unit, double when)
{
    *unit = ABT_UNIT_NULL;
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (!p->ours()) {
        if (!p->user->older || p->user->def.p_pop_timedwait == nullptr) {
            return ABT_ERR_POOL;
        }
        *unit = p->user->def.p_pop_timedwait(handle, when);
        return ABT_SUCCESS;
    }
    const double left = when - ABT_get_wtime();
    return ABT_pool_pop_wait(handle, unit, left > 0 ? left : 0);
}

int ABT_pool_remove(ABT_pool handle, ABT_unit unit)
{
    pool* const p = object_of(handle);
    thread* const t = thread_of(unit);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (!p->can_remove()) {
        return ABT_ERR_POOL;
    }
    if (t == nullptr) {
        return ABT_ERR_INV_UNIT;
    }
    return t->in == p && p->remove(*t) ? ABT_SUCCESS : ABT_ERR_POOL;
}

int ABT_pool_push(ABT_pool handle, ABT_unit unit)
{
    pool* const p = object_of(handle);
    thread* const t = thread_of(unit);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    if (t == nullptr) {
        return ABT_ERR_INV_UNIT;
    }
    return push(*p, *t, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}

int ABT_pool_print_all(ABT_pool handle, void* argument, void (*print)(void*, ABT_unit))
{
    pool* const p = object_of(handle);
    if (p == nullptr || current() == nullptr) {
        return unusable(p);
    }
    // The unit is passed through in the place of the thread.
    return p->print_all(argument, reinterpret_cast<void (*)(void*, ABT_thread)>(print), true)
               ? ABT_SUCCESS
               : ABT_ERR_POOL;
}

}  // extern "C"
