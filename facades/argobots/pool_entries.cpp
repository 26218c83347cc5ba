// ABT_pool_*, but for the definitions of the user's pools (pool_definition_entries.cpp).
#include "configs.hpp"
#include "pool_definition.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/alarm.hpp"

using namespace artel;
using namespace artel::argobots;

namespace {

// A scheduler of the user's that finds nothing lets others have the worker.
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

bool can_wait(const pool& p) noexcept
{
    return p.ours() ||
           (p.user->older ? p.user->def.p_pop_timedwait != nullptr : p.user->pop_wait != nullptr);
}

// One of the two sizes of a pool, which a pool of the user's may lack.
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
int ABT_pool_pop_thread_ex(ABT_pool handle, ABT_thread* popped, ABT_pool_context why)
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
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
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (!p->ours()) {
        if (p->user->older || p->user->pop_many == nullptr) {
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
    return p == nullptr ? ABT_ERR_INV_POOL : t == nullptr ? ABT_SUCCESS : push(*p, *t, why);
}
int ABT_pool_push_thread(ABT_pool p, ABT_thread pushed)
{
    return ABT_pool_push_thread_ex(p, pushed, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}
int ABT_pool_push_threads_ex(ABT_pool handle, const ABT_thread* pushed, size_t count,
                             ABT_pool_context why)
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (!p->ours() && (p->user->older || p->user->push_many == nullptr)) {
        return ABT_ERR_POOL;
    }
    for (size_t i = 0; i < count; ++i) {
        thread* const t = object_of(pushed[i]);
        if (t == nullptr) {
            continue;
        }
        if (p->ours()) {
            push(*p, *t, why);
        } else {
            if (const int error = associate(*t, *p); error != ABT_SUCCESS) {
                return error;
            }
            const ABT_unit u = unit_of(*t);
            p->user->push_many(handle, &u, 1, why);
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
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (!can_wait(*p)) {
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
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    return p->print_all(argument, print, false) ? ABT_SUCCESS : ABT_ERR_POOL;
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
int ABT_pool_pop(ABT_pool handle, ABT_unit* unit)
{
    *unit = ABT_UNIT_NULL;
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
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
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    if (!p->ours() && (p->user->older || p->user->pop_wait == nullptr)) {
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
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
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
    if (p == nullptr || t == nullptr) {
        return p == nullptr ? ABT_ERR_INV_POOL : ABT_ERR_INV_UNIT;
    }
    if (!p->can_remove()) {
        return ABT_ERR_POOL;
    }
    return p->remove(*t) ? ABT_SUCCESS : ABT_ERR_POOL;
}
int ABT_pool_push(ABT_pool handle, ABT_unit unit)
{
    pool* const p = object_of(handle);
    thread* const t = thread_of(unit);
    if (p == nullptr || t == nullptr) {
        return p == nullptr ? ABT_ERR_INV_POOL : ABT_ERR_INV_UNIT;
    }
    return push(*p, *t, ABT_POOL_CONTEXT_OP_POOL_OTHER);
}
int ABT_pool_print_all(ABT_pool handle, void* argument, void (*print)(void*, ABT_unit))
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    // A unit is passed through as what the function takes for a thread.
    return p->print_all(argument, reinterpret_cast<void (*)(void*, ABT_thread)>(print), true)
               ? ABT_SUCCESS
               : ABT_ERR_POOL;
}
}
