// ABT_xstream_*_main_*: the main scheduler of a stream.
#include "runner.hpp"
#include "runtime.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

// Whether the caller may set the main scheduler of `x`: it must be a ULT and, for a running stream,
// run there.
int check_set_main(xstream* x) noexcept
{
    thread* me = nullptr;
    if (const int error = ult_or_error(me); error != ABT_SUCCESS) {
        return error;
    }
    if (x == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    const bool running = x->running.load(std::memory_order_relaxed);  // relaxed: its owner knows
    return running && x != this_xstream() ? ABT_ERR_XSTREAM_STATE : ABT_SUCCESS;
}

}  // namespace

extern "C" {

int ABT_xstream_set_main_sched(ABT_xstream handle, ABT_sched sched)
{
    xstream* const x = object_of(handle);
    if (const int error = check_set_main(x); error != ABT_SUCCESS) {
        return error;
    }
    int error = ABT_SUCCESS;
    const bool own = object_of(sched) == nullptr;
    scheduler* const s = unused_or_default(object_of(sched), error);
    if (s == nullptr) {
        return error;
    }
    error = set_main(*x, *s);
    if (error != ABT_SUCCESS && own) {
        free_scheduler(*s);
    }
    return error;
}

int ABT_xstream_set_main_sched_basic(ABT_xstream handle, ABT_sched_predef predef, int count,
                                     ABT_pool* pools)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    xstream* const x = object_of(handle);
    if (const int error = check_set_main(x); error != ABT_SUCCESS) {
        return error;
    }
    ABT_sched made = ABT_SCHED_NULL;
    int error = ABT_sched_create_basic(predef, count, pools, ABT_SCHED_CONFIG_NULL, &made);
    if (error == ABT_SUCCESS) {
        error = set_main(*x, *object_of(made));
        if (error != ABT_SUCCESS) {
            discard_scheduler(*object_of(made));
        }
    }
    return error;
}

int ABT_xstream_get_main_sched(ABT_xstream handle, ABT_sched* sched)
{
    const xstream* const x = object_of(handle);
    if (x == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    *sched = handle_of(x->next_main != nullptr ? x->next_main : x->main);
    return ABT_SUCCESS;
}

int ABT_xstream_get_main_pools(ABT_xstream handle, int room, ABT_pool* pools)
{
    const xstream* const x = object_of(handle);
    if (x == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    if (room < 0) {
        return ABT_ERR_INV_ARG;
    }
    const scheduler& s = *x->main;
    for (unsigned i = 0; i < s.count && i < static_cast<unsigned>(room); ++i) {
        pools[i] = handle_of(s.pools[i]);
    }
    return ABT_SUCCESS;
}

}  // extern "C"
