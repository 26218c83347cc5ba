// ABT_info_query_config and ABT_tool_*. The latter behave as in a stock library that was configured
// without tools.
#include "runtime.hpp"

using namespace artel::argobots;

namespace {

template <class T>
int answer(void* to, T value) noexcept
{
    *static_cast<T*>(to) = value;
    return ABT_SUCCESS;
}

}  // namespace

extern "C" {

int ABT_info_query_config(ABT_info_query_kind kind, void* to)
{
    const runtime* const r = current();
    if (r == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    const settings& s = r->in_force;
    switch (kind) {
    case ABT_INFO_QUERY_KIND_ENABLED_CHECK_ERROR:
    case ABT_INFO_QUERY_KIND_ENABLED_PRESERVE_FPU:
    case ABT_INFO_QUERY_KIND_ENABLED_THREAD_CANCEL:
    case ABT_INFO_QUERY_KIND_ENABLED_TASK_CANCEL:
    case ABT_INFO_QUERY_KIND_ENABLED_MIGRATION:
    case ABT_INFO_QUERY_KIND_ENABLED_STACKABLE_SCHED:
    case ABT_INFO_QUERY_KIND_ENABLED_EXTERNAL_THREAD:
    case ABT_INFO_QUERY_KIND_ENABLED_SCHED_SLEEP:
    case ABT_INFO_QUERY_KIND_ENABLED_LAZY_STACK_ALLOC: return answer(to, ABT_bool{ABT_TRUE});
    case ABT_INFO_QUERY_KIND_ENABLED_DEBUG:
    case ABT_INFO_QUERY_KIND_ENABLED_PRINT_ERRNO:
    case ABT_INFO_QUERY_KIND_ENABLED_LOG:
    case ABT_INFO_QUERY_KIND_ENABLED_VALGRIND:
    case ABT_INFO_QUERY_KIND_ENABLED_CHECK_POOL_PRODUCER:
    case ABT_INFO_QUERY_KIND_ENABLED_CHECK_POOL_CONSUMER:
    case ABT_INFO_QUERY_KIND_ENABLED_AFFINITY:
    case ABT_INFO_QUERY_KIND_ENABLED_TOOL:
    case ABT_INFO_QUERY_KIND_FCONTEXT:
    case ABT_INFO_QUERY_KIND_DYNAMIC_PROMOTION:
    case ABT_INFO_QUERY_KIND_ENABLED_STACK_UNWIND: return answer(to, ABT_bool{ABT_FALSE});
    case ABT_INFO_QUERY_KIND_ENABLED_PRINT_CONFIG:
        return answer(to, ABT_bool{s.print_config ? ABT_TRUE : ABT_FALSE});
    case ABT_INFO_QUERY_KIND_MAX_NUM_XSTREAMS: return answer(to, s.max_xstreams);
    case ABT_INFO_QUERY_KIND_DEFAULT_THREAD_STACKSIZE: return answer(to, s.thread_stack_size);
    case ABT_INFO_QUERY_KIND_DEFAULT_SCHED_STACKSIZE: return answer(to, s.scheduler_stack_size);
    case ABT_INFO_QUERY_KIND_DEFAULT_SCHED_EVENT_FREQ:
        return answer(to, std::uint64_t{s.event_frequency});
    case ABT_INFO_QUERY_KIND_DEFAULT_SCHED_SLEEP_NSEC: return answer(to, s.sleep_nanoseconds);
    case ABT_INFO_QUERY_KIND_ENABLED_STACK_OVERFLOW_CHECK: return answer(to, int{s.overflow_check});
    case ABT_INFO_QUERY_KIND_WAIT_POLICY: return answer(to, int{0});  // passive
    }
    return ABT_ERR_INV_QUERY_KIND;
}
int ABT_tool_register_thread_callback(ABT_tool_thread_callback_fn, uint64_t, void*)
{
    return ABT_ERR_FEATURE_NA;
}
int ABT_tool_query_thread(ABT_tool_context, uint64_t, ABT_tool_query_kind, void*)
{
    return ABT_ERR_FEATURE_NA;
}
}
