// ABT_sched_*.
#include "configs.hpp"
#include "runtime.hpp"

using namespace artel::argobots;

namespace {

template <class Ask>
int with(ABT_sched handle, Ask&& ask) noexcept
{
    scheduler* const s = object_of(handle);
    if (s == nullptr) {
        return ABT_ERR_INV_SCHED;
    }
    ask(*s);
    return ABT_SUCCESS;
}

// The sum of the sizes of its pools; user-defined pools may have none.
int ask_size(ABT_sched handle, std::size_t& size, std::size_t (scheduler::*of)() noexcept) noexcept
{
    size = 0;
    scheduler* const s = object_of(handle);
    if (s == nullptr) {
        return ABT_ERR_INV_SCHED;
    }
    for (unsigned i = 0; i < s->count; ++i) {
        if (!s->pools[i]->has_size()) {
            return ABT_ERR_POOL;
        }
    }
    size = (s->*of)();
    return ABT_SUCCESS;
}

void configure(scheduler& s, ABT_sched_config handle) noexcept
{
    if (const auto* const c = object<config>(handle); c != nullptr) {
        s.automatic = c->integer(automatic_index, s.automatic ? 1 : 0) != 0;
        const int frequency = c->integer(event_frequency_index, 0);
        if (frequency > 0) {
            s.event_frequency = static_cast<unsigned>(frequency);
        }
    }
}

}  // namespace

extern "C" {

int ABT_sched_create(ABT_sched_def* def, int count, ABT_pool* pools, ABT_sched_config config,
                     ABT_sched* made)
{
    if (made == nullptr) {
        return ABT_ERR_SCHED;
    }
    *made = ABT_SCHED_NULL;
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (count < 0 || def->run == nullptr) {
        return ABT_ERR_INV_ARG;
    }
    int error = ABT_SUCCESS;
    scheduler* const s = make_user_scheduler(*def, count, pools, config, error);
    if (s != nullptr) {
        configure(*s, config);
        *made = handle_of(s);
    }
    return error;
}
int ABT_sched_create_basic(ABT_sched_predef predef, int count, ABT_pool* pools,
                           ABT_sched_config config, ABT_sched* made)
{
    *made = ABT_SCHED_NULL;
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (count < 0) {
        return ABT_ERR_INV_ARG;
    }
    if (predef < ABT_SCHED_DEFAULT || predef > ABT_SCHED_BASIC_WAIT) {
        return ABT_ERR_INV_SCHED_PREDEF;
    }
    int error = ABT_SUCCESS;
    scheduler* const s = make_scheduler(predef, pools == nullptr ? 0 : count, pools, true, error);
    if (s != nullptr) {
        configure(*s, config);
        *made = handle_of(s);
    }
    return error;
}
int ABT_sched_free(ABT_sched* handle)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    scheduler* const s = object_of(*handle);
    if (s == nullptr) {
        return ABT_ERR_INV_SCHED;
    }
    if (s->used()) {
        return ABT_ERR_SCHED;
    }
    free_scheduler(*s);
    *handle = ABT_SCHED_NULL;
    return ABT_SUCCESS;
}
int ABT_sched_set_data(ABT_sched handle, void* data)
{
    return with(handle, [&](scheduler& s) { s.data = data; });
}
int ABT_sched_get_data(ABT_sched handle, void** data)
{
    return with(handle, [&](const scheduler& s) { *data = s.data; });
}
int ABT_sched_get_num_pools(ABT_sched handle, int* count)
{
    return with(handle, [&](const scheduler& s) { *count = static_cast<int>(s.count); });
}
int ABT_sched_get_pools(ABT_sched handle, int room, int first, ABT_pool* pools)
{
    const scheduler* const s = object_of(handle);
    if (s == nullptr) {
        return ABT_ERR_INV_SCHED;
    }
    const auto end = static_cast<std::int64_t>(room) + first;
    if (room < 0 || first < 0) {
        return ABT_ERR_INV_ARG;
    }
    if (end > static_cast<std::int64_t>(s->count)) {
        return ABT_ERR_SCHED;
    }
    for (int i = 0; i < room; ++i) {
        pools[i] = handle_of(s->pools[first + i]);
    }
    return ABT_SUCCESS;
}
int ABT_sched_get_size(ABT_sched handle, size_t* size)
{
    return ask_size(handle, *size, &scheduler::size);
}
int ABT_sched_get_total_size(ABT_sched handle, size_t* size)
{
    return ask_size(handle, *size, &scheduler::total_size);
}
int ABT_sched_finish(ABT_sched handle)
{
    return with(handle, [](scheduler& s) { ask(s, scheduler_request::finish); });
}
int ABT_sched_exit(ABT_sched handle)
{
    return with(handle, [](scheduler& s) { ask(s, scheduler_request::exit); });
}
int ABT_sched_has_to_stop(ABT_sched handle, ABT_bool* stop)
{
    *stop = ABT_FALSE;
    if (object_of(handle) != nullptr && self() == nullptr) {
        return ABT_ERR_INV_XSTREAM;
    }
    return with(handle, [&](scheduler& s) { *stop = has_to_stop(s) ? ABT_TRUE : ABT_FALSE; });
}
}
