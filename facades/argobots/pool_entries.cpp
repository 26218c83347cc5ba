// ABT_pool_*: making, freeing and querying pools. Pushing and popping is in pool_work_entries.cpp,
// definitions of user-defined pools are in pool_definition_entries.cpp.
#include "configs.hpp"
#include "pool_definition.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/alarm.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

// One of the two sizes of a pool; a user-defined pool may have none.
int ask_size(ABT_pool handle, std::size_t& size, std::size_t (*of)(pool&)) noexcept
{
    size = 0;
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (!p->has_size()) {
        return ABT_ERR_POOL;
    }
    size = of(*p);
    return ABT_SUCCESS;
}

}  // namespace

extern "C" {

int ABT_pool_create_basic(ABT_pool_kind kind, ABT_pool_access access, ABT_bool automatic,
                          ABT_pool* made)
{
    *made = ABT_POOL_NULL;
    if (kind < ABT_POOL_FIFO || kind > ABT_POOL_RANDWS) {
        return ABT_ERR_INV_POOL_KIND;
    }
    if (access < ABT_POOL_ACCESS_PRIV || access > ABT_POOL_ACCESS_MPMC) {
        return ABT_ERR_INV_POOL_ACCESS;
    }
    pool* const p = make_pool(kind, access, automatic != ABT_FALSE);
    *made = handle_of(p);
    return p != nullptr ? ABT_SUCCESS : ABT_ERR_MEM;
}
int ABT_pool_create(ABT_pool_user_def def, ABT_pool_config handle, ABT_pool* made)
{
    *made = ABT_POOL_NULL;
    if (is_null(def)) {
        return ABT_ERR_INV_POOL_USER_DEF;
    }
    auto* const parts = make<pool_parts>(parts_of(def));
    const auto* const c = object<config>(handle);
    pool* const p = parts == nullptr
                        ? nullptr
                        : make_pool(ABT_POOL_FIFO, parts->access,
                                    c != nullptr && c->integer(pool_automatic_index, 0) != 0);
    if (p == nullptr) {
        if (parts != nullptr) {
            drop(parts);
        }
        return ABT_ERR_MEM;
    }
    p->user = parts;
    const int error = parts->older
                          ? (parts->def.p_init != nullptr ? parts->def.p_init(handle_of(p), handle)
                                                          : ABT_SUCCESS)
                      : parts->init != nullptr ? parts->init(handle_of(p), handle)
                                               : ABT_SUCCESS;
    if (error != ABT_SUCCESS) {
        drop(parts);
        drop(p);
        return error;
    }
    *made = handle_of(p);
    return ABT_SUCCESS;
}
int ABT_pool_free(ABT_pool* handle)
{
    pool* const p = object_of(*handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    free_pool(*p);
    *handle = ABT_POOL_NULL;
    return ABT_SUCCESS;
}
int ABT_pool_get_access(ABT_pool handle, ABT_pool_access* access)
{
    const pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    *access = p->access;
    return ABT_SUCCESS;
}
int ABT_pool_is_empty(ABT_pool handle, ABT_bool* empty)
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    *empty = p->empty() ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
int ABT_pool_get_size(ABT_pool handle, size_t* size)
{
    return ask_size(handle, *size, [](pool& p) { return p.size(); });
}
int ABT_pool_get_total_size(ABT_pool handle, size_t* size)
{
    return ask_size(handle, *size, [](pool& p) { return p.total_size(); });
}
int ABT_pool_set_data(ABT_pool handle, void* data)
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    p->data = data;
    return ABT_SUCCESS;
}
int ABT_pool_get_data(ABT_pool handle, void** data)
{
    const pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    *data = p->data;
    return ABT_SUCCESS;
}
int ABT_pool_add_sched(ABT_pool handle, ABT_sched sched)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    pool* const p = object_of(handle);
    scheduler* const s = object_of(sched);
    if (p == nullptr || s == nullptr) {
        return p == nullptr ? ABT_ERR_INV_POOL : ABT_ERR_INV_SCHED;
    }
    if (s->used()) {
        return ABT_ERR_INV_SCHED;
    }
    if (!prepare_unit(*s, p)) {
        return ABT_ERR_MEM;
    }
    s->in_pool = true;
    p->push(*s->unit, ABT_POOL_CONTEXT_OP_THREAD_CREATE);
    return ABT_SUCCESS;
}
int ABT_pool_get_id(ABT_pool handle, int* id)
{
    const pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    *id = p->id;
    return ABT_SUCCESS;
}
}
