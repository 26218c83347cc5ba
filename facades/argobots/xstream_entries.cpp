// ABT_xstream_*, except for the main scheduler (main_sched_entries.cpp).
#include "main_scheduler.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/scheduled_stream.hpp"
#include "sched/worker.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

int create(ABT_sched sched, int rank, ABT_xstream* made) noexcept
{
    *made = ABT_XSTREAM_NULL;
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    int error = ABT_SUCCESS;
    const bool own = object_of(sched) == nullptr;
    scheduler* const s = unused_or_default(object_of(sched), error);
    if (s == nullptr) {
        return error;
    }
    xstream* const x = make_xstream(*s, rank, false, error);
    if (x == nullptr || !start(*x)) {
        if (x != nullptr) {
            s->automatic = own;
            free_xstream(*x);
            error = ABT_ERR_MEM;
        } else if (own) {
            free_scheduler(*s);
        }
        return error;
    }
    *made = handle_of(x);
    return ABT_SUCCESS;
}

int check_joinable(const xstream* x) noexcept
{
    return x == nullptr                        ? ABT_ERR_INV_XSTREAM
           : current() == nullptr              ? ABT_ERR_UNINITIALIZED
           : x->primary || x == this_xstream() ? ABT_ERR_INV_XSTREAM
                                               : ABT_SUCCESS;
}

}  // namespace

extern "C" {

int ABT_xstream_create(ABT_sched sched, ABT_xstream* made)
{
    return create(sched, -1, made);
}
int ABT_xstream_create_basic(ABT_sched_predef predef, int count, ABT_pool* pools,
                             ABT_sched_config config, ABT_xstream* made)
{
    *made = ABT_XSTREAM_NULL;
    ABT_sched s = ABT_SCHED_NULL;
    int error = ABT_sched_create_basic(predef, count, pools, config, &s);
    if (error == ABT_SUCCESS) {
        error = create(s, -1, made);
        if (error != ABT_SUCCESS) {
            discard_scheduler(*object_of(s));
        }
    }
    return error;
}
int ABT_xstream_create_with_rank(ABT_sched sched, int rank, ABT_xstream* made)
{
    if (rank < 0) {
        *made = ABT_XSTREAM_NULL;
        return ABT_ERR_INV_XSTREAM_RANK;
    }
    return create(sched, rank, made);
}
int ABT_xstream_revive(ABT_xstream handle)
{
    xstream* const x = object_of(handle);
    // acquire: pairs with the end of its root.
    if (x == nullptr || x->primary || x->joiner.load(std::memory_order_acquire) != over()) {
        return ABT_ERR_INV_XSTREAM;
    }
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : start(*x) ? ABT_SUCCESS : ABT_ERR_MEM;
}
int ABT_xstream_join(ABT_xstream handle)
{
    xstream* const x = object_of(handle);
    const int error = check_joinable(x);
    if (error == ABT_SUCCESS) {
        join(*x);
    }
    return error;
}
int ABT_xstream_free(ABT_xstream* handle)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    xstream* const x = object_of(*handle);
    const int error = check_joinable(x);
    if (error == ABT_SUCCESS) {
        join(*x);
        free_xstream(*x);
        *handle = ABT_XSTREAM_NULL;
    }
    return error;
}
int ABT_xstream_exit(void)
{
    thread* me = nullptr;
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    xstream& x = *this_xstream();
    if (x.primary) {
        return ABT_ERR_INV_XSTREAM;
    }
    if (me->primary) {
        return ABT_ERR_INV_THREAD;
    }
    ask(x, scheduler_request::exit);
    if (me->main_scheduler) {
        leave_root(*x.root);
    }
    end_self(*me, nullptr);
}
int ABT_xstream_cancel(ABT_xstream handle)
{
    xstream* const x = object_of(handle);
    if (x == nullptr || x->primary) {
        return ABT_ERR_INV_XSTREAM;
    }
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    ask(*x, scheduler_request::exit);
    return ABT_SUCCESS;
}
int ABT_xstream_self(ABT_xstream* handle)
{
    *handle = ABT_XSTREAM_NULL;
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : ABT_self_get_xstream(handle);
}
int ABT_xstream_self_rank(int* rank)
{
    return current() == nullptr ? ABT_ERR_UNINITIALIZED : ABT_self_get_xstream_rank(rank);
}
int ABT_xstream_set_rank(ABT_xstream handle, int rank)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    xstream* const x = object_of(handle);
    if (x == nullptr || x->primary) {
        return ABT_ERR_INV_XSTREAM;
    }
    return rank < 0 || !change_rank(*x, rank) ? ABT_ERR_INV_XSTREAM_RANK : ABT_SUCCESS;
}
int ABT_xstream_get_rank(ABT_xstream handle, int* rank)
{
    const xstream* const x = object_of(handle);
    if (x == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    *rank = x->rank.load(std::memory_order_relaxed);  // relaxed: see rank
    return ABT_SUCCESS;
}
int ABT_xstream_get_state(ABT_xstream handle, ABT_xstream_state* state)
{
    const xstream* const x = object_of(handle);
    if (x == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    // acquire: pairs with the end of its root.
    *state = x->joiner.load(std::memory_order_acquire) == over() ? ABT_XSTREAM_STATE_TERMINATED
                                                                 : ABT_XSTREAM_STATE_RUNNING;
    return ABT_SUCCESS;
}
int ABT_xstream_equal(ABT_xstream a, ABT_xstream b, ABT_bool* result)
{
    *result = a == b ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
int ABT_xstream_get_num(int* count)
{
    const runtime* const r = current();
    *count = r == nullptr ? 0 : r->stream_count.load(std::memory_order_relaxed);  // relaxed: a
                                                                                  // number to
                                                                                  // report
    return r == nullptr ? ABT_ERR_UNINITIALIZED : ABT_SUCCESS;
}
int ABT_xstream_is_primary(ABT_xstream handle, ABT_bool* primary)
{
    const xstream* const x = object_of(handle);
    if (x == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    *primary = x->primary ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
int ABT_xstream_run_unit(ABT_unit unit, ABT_pool in)
{
    thread* me = nullptr;
    pool* const p = object_of(in);
    thread* const t = thread_of(unit);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    if (t == nullptr) {
        return ABT_ERR_INV_UNIT;
    }
    const int error = associate(*t, *p);
    if (error == ABT_SUCCESS) {
        schedule(*t);
    }
    return error;
}
int ABT_xstream_check_events(ABT_sched sched)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    const thread* const me = self();
    scheduler* const s = object_of(sched);
    if (me == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    if (s == nullptr) {
        return ABT_ERR_INV_SCHED;
    }
    if (s->unit != me) {
        return ABT_ERR_INV_THREAD;
    }
    check_events(*s);
    if (sched::others_wait(*sched::this_worker())) {
        sched::rest(*this_xstream());
    }
    return ABT_SUCCESS;
}
// Not supported: streams are not OS threads here, and the crew's workers have CPUs of their own.
int ABT_xstream_set_cpubind(ABT_xstream handle, int)
{
    return object_of(handle) == nullptr ? ABT_ERR_INV_XSTREAM : ABT_ERR_FEATURE_NA;
}
int ABT_xstream_get_cpubind(ABT_xstream handle, int*)
{
    return object_of(handle) == nullptr ? ABT_ERR_INV_XSTREAM : ABT_ERR_FEATURE_NA;
}
int ABT_xstream_set_affinity(ABT_xstream handle, int count, int*)
{
    return object_of(handle) == nullptr ? ABT_ERR_INV_XSTREAM
           : count < 0                  ? ABT_ERR_INV_ARG
                                        : ABT_ERR_FEATURE_NA;
}
int ABT_xstream_get_affinity(ABT_xstream handle, int room, int*, int*)
{
    return object_of(handle) == nullptr ? ABT_ERR_INV_XSTREAM
           : room < 0                   ? ABT_ERR_INV_ARG
                                        : ABT_ERR_FEATURE_NA;
}
}
