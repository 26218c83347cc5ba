// ABT_pool_user_def_*.
#include "pool_definition.hpp"
#include "runtime.hpp"

#include <cstring>

namespace artel::argobots {

pool_parts parts_of(ABT_pool_user_def def) noexcept
{
    std::uint32_t first = 0;
    std::memcpy(&first, def, sizeof first);
    if (first == pool_definition::mark) {
        return reinterpret_cast<const pool_definition*>(def)->parts;
    }
    pool_parts parts;
    parts.older = true;
    parts.access = def->access;
    parts.def = *def;
    return parts;
}

namespace {

template <class Set>
int with(ABT_pool_user_def def, Set&& set) noexcept
{
    if (is_null(def)) {
        return ABT_ERR_INV_POOL_USER_DEF;
    }
    set(reinterpret_cast<pool_definition*>(def)->parts);
    return ABT_SUCCESS;
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_pool_user_def_create(ABT_pool_user_create_unit_fn create_unit,
                             ABT_pool_user_free_unit_fn free_unit,
                             ABT_pool_user_is_empty_fn is_empty, ABT_pool_user_pop_fn pop,
                             ABT_pool_user_push_fn push, ABT_pool_user_def* made)
{
    auto* const d = make<pool_definition>();
    if (d == nullptr) {
        return ABT_ERR_MEM;
    }
    d->parts.create_unit = create_unit;
    d->parts.free_unit = free_unit;
    d->parts.is_empty = is_empty;
    d->parts.pop = pop;
    d->parts.push = push;
    *made = reinterpret_cast<ABT_pool_user_def>(d);
    return ABT_SUCCESS;
}
int ABT_pool_user_def_free(ABT_pool_user_def* handle)
{
    if (is_null(*handle)) {
        return ABT_ERR_INV_POOL_USER_DEF;
    }
    drop(reinterpret_cast<pool_definition*>(*handle));
    *handle = ABT_POOL_USER_DEF_NULL;
    return ABT_SUCCESS;
}
int ABT_pool_user_def_set_init(ABT_pool_user_def def, ABT_pool_user_init_fn f)
{
    return with(def, [f](pool_parts& p) { p.init = f; });
}
int ABT_pool_user_def_set_free(ABT_pool_user_def def, ABT_pool_user_free_fn f)
{
    return with(def, [f](pool_parts& p) { p.free = f; });
}
int ABT_pool_user_def_set_get_size(ABT_pool_user_def def, ABT_pool_user_get_size_fn f)
{
    return with(def, [f](pool_parts& p) { p.get_size = f; });
}
int ABT_pool_user_def_set_pop_wait(ABT_pool_user_def def, ABT_pool_user_pop_wait_fn f)
{
    return with(def, [f](pool_parts& p) { p.pop_wait = f; });
}
int ABT_pool_user_def_set_pop_many(ABT_pool_user_def def, ABT_pool_user_pop_many_fn f)
{
    return with(def, [f](pool_parts& p) { p.pop_many = f; });
}
int ABT_pool_user_def_set_push_many(ABT_pool_user_def def, ABT_pool_user_push_many_fn f)
{
    return with(def, [f](pool_parts& p) { p.push_many = f; });
}
int ABT_pool_user_def_set_print_all(ABT_pool_user_def def, ABT_pool_user_print_all_fn f)
{
    return with(def, [f](pool_parts& p) { p.print_all = f; });
}
}
