// Functions of ABT_self_*, and older names for them, by which the caller yields, suspends itself,
// ends, or runs another unit.
#include "leaving.hpp"
#include "runner.hpp"
#include "runtime.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

// The calling ULT and the ULT to switch to. Neither may run a main scheduler.
int pair(ABT_thread to, thread*& me, thread*& next) noexcept
{
    next = object_of(to);
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    if (next == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    return next->tasklet || me->main_scheduler || next->main_scheduler || next == me
               ? ABT_ERR_INV_THREAD
               : ABT_SUCCESS;
}

// Calls act(me, next) for them; otherwise returns the error.
template <class Act>
int with_pair(ABT_thread to, Act act) noexcept
{
    thread* me = nullptr;
    thread* next = nullptr;
    const int error = pair(to, me, next);
    if (error == ABT_SUCCESS) {
        act(*me, *next);
    }
    return error;
}

// The `after` function of a ULT that suspends itself: from now on it can be resumed.
void is_blocked(fiber::carrier&, fiber::fiber& previous, void*)
{
    // release: publishes the context to those that see it blocked and resume it (state_of in
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

// Called when a blocked unit is about to run without having been in its pool.
void unblock(thread& t) noexcept
{
    t.in->add_blocked(-1);
}

// Ends the caller and runs `to`; `resumes`: which is blocked.
int exit_to(ABT_thread to, bool resumes) noexcept
{
    thread* me = nullptr;
    thread* next = nullptr;
    if (const int error = pair(to, me, next); error != ABT_SUCCESS) {
        return error;
    }
    if (me->primary) {
        return ABT_ERR_INV_THREAD;
    }
    if (resumes) {
        unblock(*next);
    }
    end_self(*me, next);
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
    if (thread* const me = self_ult(); me != nullptr) {
        yield(*me, ABT_POOL_CONTEXT_OP_THREAD_YIELD);
        return ABT_SUCCESS;
    }
    return ABT_SUCCESS;  // callers that cannot yield return at once, also without a runtime
}
int ABT_self_yield_to(ABT_thread to)
{
    return with_pair(to, [](thread& me, thread& next) {
        yield_to(me, next, ABT_POOL_CONTEXT_OP_THREAD_YIELD_TO);
    });
}
int ABT_thread_yield_to(ABT_thread to)
{
    thread* const next = object_of(to);
    thread* const me = self();
    if (me == nullptr || me->tasklet) {
        return ABT_SUCCESS;
    }
    if (next == nullptr || next->tasklet || next == me || me->main_scheduler ||
        next->main_scheduler) {
        return ABT_ERR_INV_THREAD;
    }
    if (!next->in->can_remove()) {
        return ABT_ERR_POOL;
    }
    // A unit that is not in its pool is not ready: the caller continues.
    if (next->in->remove(*next)) {
        yield_to(*me, *next, ABT_POOL_CONTEXT_OP_THREAD_YIELD_TO);
    }
    return ABT_SUCCESS;
}
int ABT_self_resume_yield_to(ABT_thread to)
{
    return with_pair(to, [](thread& me, thread& next) {
        unblock(next);
        yield_to(me, next, ABT_POOL_CONTEXT_OP_THREAD_RESUME_YIELD_TO);
    });
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
    return with_pair(to, [](thread& me, thread& next) { suspend(me, &next); });
}
int ABT_self_resume_suspend_to(ABT_thread to)
{
    return with_pair(to, [](thread& me, thread& next) {
        unblock(next);
        suspend(me, &next);
    });
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
    return exit_to(to, false);
}
int ABT_self_resume_exit_to(ABT_thread to)
{
    return exit_to(to, true);
}
int ABT_self_schedule(ABT_thread handle, ABT_pool in)
{
    thread* me = nullptr;
    thread* const t = object_of(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    if (pool* const p = object_of(in); p != nullptr) {
        if (const int error = associate(*t, *p); error != ABT_SUCCESS) {
            return error;
        }
    }
    schedule(*t);
    return ABT_SUCCESS;
}
}
