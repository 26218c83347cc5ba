// Groups of tasks in C: <artel/c/task_group.h>.
#include "capi/c_limit.hpp"
#include "capi/c_view.hpp"

#include <artel/c/task_group.h>
#include <artel/task_group.hpp>
#include <cerrno>
#include <memory>
#include <new>

namespace {

using artel::detail::group_state;

group_state& state_of(artel_task_group* group) noexcept
{
    return artel::capi::view<group_state>(group);
}
const group_state& state_of(const artel_task_group* group) noexcept
{
    return artel::capi::view<group_state>(group);
}

}  // namespace

extern "C" int artel_task_group_init(artel_task_group* group, const artel_limit* limit)
{
    auto* const state = new (group) group_state;
    try {
        artel::detail::set_group_limit(*state, artel::capi::limit_of(limit));
    } catch (const std::bad_alloc&) {
        std::destroy_at(state);
        return ENOMEM;
    }
    return 0;
}

extern "C" int artel_task_group_run(artel_task_group* group, void (*task)(void* context),
                                    void* context)
{
    using artel::capi::call;
    using block = artel::detail::group_function<call>;
    try {
        auto* const made = new (artel::detail::allocate_block(sizeof(block)))
            block(call{task, context});
        artel::detail::run_in_group(state_of(group), *made);
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}

extern "C" int artel_task_group_wait(artel_task_group* group)
{
    return artel::detail::wait_for_group(state_of(group)) == artel::group_status::cancelled
               ? ECANCELED
               : 0;
}

extern "C" void artel_task_group_cancel(artel_task_group* group)
{
    // relaxed: as in task_group::cancel.
    state_of(group).cancelled.store(true, std::memory_order_relaxed);
}

extern "C" int artel_task_group_is_cancelled(const artel_task_group* group)
{
    // relaxed: as in task_group::cancel.
    return state_of(group).cancelled.load(std::memory_order_relaxed) ? 1 : 0;
}

extern "C" void artel_task_group_destroy(artel_task_group* group)
{
    group_state& state = state_of(group);
    artel::detail::settle_group(state);
    std::destroy_at(&state);
}
