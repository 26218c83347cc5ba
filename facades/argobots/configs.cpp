// ABT_sched_config_* and ABT_pool_config_*.
#include "configs.hpp"

#include "handles.hpp"
#include "runtime.hpp"

#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace artel::argobots {

const config_value* config::find(int index) const noexcept
{
    for (const config_value* v = first; v != nullptr; v = v->next) {
        if (v->index == index) {
            return v;
        }
    }
    return nullptr;
}

int config::set(int index, value_type type, const void* value) noexcept
{
    config_value** at = &first;
    while (*at != nullptr && (*at)->index != index) {
        at = &(*at)->next;
    }
    if (value == nullptr) {
        if (config_value* const found = *at; found != nullptr) {
            *at = found->next;
            std::free(found);
        }
        return ABT_SUCCESS;
    }
    if (type != value_type::integer && type != value_type::real && type != value_type::pointer) {
        return ABT_ERR_INV_ARG;
    }
    if (*at == nullptr) {
        *at = static_cast<config_value*>(std::calloc(1, sizeof(config_value)));
        if (*at == nullptr) {
            return ABT_ERR_MEM;
        }
        (*at)->index = index;
    }
    config_value& v = **at;
    v.type = type;
    if (type == value_type::integer) {
        v.i = *static_cast<const int*>(value);
    } else if (type == value_type::real) {
        v.d = *static_cast<const double*>(value);
    } else {
        v.p = *static_cast<void* const*>(value);
    }
    return ABT_SUCCESS;
}

void config::clear() noexcept
{
    while (config_value* const v = first) {
        first = v->next;
        std::free(v);
    }
}

int config::integer(int index, int otherwise) const noexcept
{
    const config_value* const v = find(index);
    return v != nullptr && v->type == value_type::integer ? v->i : otherwise;
}

namespace {

void copy_out(const config_value& v, void* to) noexcept
{
    if (to == nullptr) {
        return;
    }
    if (v.type == value_type::integer) {
        *static_cast<int*>(to) = v.i;
    } else if (v.type == value_type::real) {
        *static_cast<double*>(to) = v.d;
    } else {
        *static_cast<void**>(to) = v.p;
    }
}

void free_config(config* c) noexcept
{
    c->clear();
    drop(c);
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

ABT_sched_config_var ABT_sched_config_var_end = {-1, ABT_SCHED_CONFIG_INT};
ABT_sched_config_var ABT_sched_config_access = {-2, ABT_SCHED_CONFIG_INT};
ABT_sched_config_var ABT_sched_config_automatic = {automatic_index, ABT_SCHED_CONFIG_INT};
ABT_sched_config_var ABT_sched_basic_freq = {event_frequency_index, ABT_SCHED_CONFIG_INT};
extern const ABT_pool_config_var ABT_pool_config_automatic = {pool_automatic_index,
                                                              ABT_POOL_CONFIG_INT};

int ABT_sched_config_create(ABT_sched_config* made, ...)
{
    *made = ABT_SCHED_CONFIG_NULL;
    auto* const c = make<config>();
    if (c == nullptr) {
        return ABT_ERR_MEM;
    }
    int error = ABT_SUCCESS;
    std::va_list list;
    va_start(list, made);
    for (;;) {
        const auto var = va_arg(list, ABT_sched_config_var);
        if (error != ABT_SUCCESS || var.idx == ABT_sched_config_var_end.idx) {
            break;
        }
        if (var.type == ABT_SCHED_CONFIG_INT) {
            const int value = va_arg(list, int);
            error = c->set(var.idx, value_type::integer, &value);
        } else if (var.type == ABT_SCHED_CONFIG_DOUBLE) {
            const double value = va_arg(list, double);
            error = c->set(var.idx, value_type::real, &value);
        } else if (var.type == ABT_SCHED_CONFIG_PTR) {
            void* const value = va_arg(list, void*);
            error = c->set(var.idx, value_type::pointer, &value);
        } else {
            error = ABT_ERR_INV_ARG;
        }
    }
    va_end(list);
    if (error != ABT_SUCCESS) {
        free_config(c);
        return error;
    }
    *made = reinterpret_cast<ABT_sched_config>(c);
    return ABT_SUCCESS;
}
int ABT_sched_config_read(ABT_sched_config handle, int count, ...)
{
    const auto* const c = object<config>(handle);
    if (c == nullptr || count < 0) {
        return c == nullptr ? ABT_ERR_INV_SCHED_CONFIG : ABT_ERR_INV_ARG;
    }
    std::va_list list;
    va_start(list, count);
    for (int i = 0; i < count; ++i) {
        void* const to = va_arg(list, void*);
        if (const config_value* const v = c->find(i); v != nullptr) {
            copy_out(*v, to);
        }
    }
    va_end(list);
    return ABT_SUCCESS;
}
int ABT_sched_config_free(ABT_sched_config* handle)
{
    auto* const c = object<config>(*handle);
    if (c == nullptr) {
        return ABT_ERR_INV_SCHED_CONFIG;
    }
    free_config(c);
    *handle = ABT_SCHED_CONFIG_NULL;
    return ABT_SUCCESS;
}
int ABT_sched_config_set(ABT_sched_config handle, int index, ABT_sched_config_type type,
                         const void* value)
{
    auto* const c = object<config>(handle);
    return c == nullptr ? ABT_ERR_INV_SCHED_CONFIG
                        : c->set(index, static_cast<value_type>(type), value);
}
int ABT_sched_config_get(ABT_sched_config handle, int index, ABT_sched_config_type* type,
                         void* value)
{
    const auto* const c = object<config>(handle);
    const config_value* const v = c != nullptr ? c->find(index) : nullptr;
    if (v == nullptr) {
        return c == nullptr ? ABT_ERR_INV_SCHED_CONFIG : ABT_ERR_INV_ARG;
    }
    copy_out(*v, value);
    if (type != nullptr) {
        *type = static_cast<ABT_sched_config_type>(v->type);
    }
    return ABT_SUCCESS;
}
int ABT_pool_config_create(ABT_pool_config* made)
{
    auto* const c = make<config>();
    if (c == nullptr) {
        return ABT_ERR_MEM;
    }
    *made = reinterpret_cast<ABT_pool_config>(c);
    return ABT_SUCCESS;
}
int ABT_pool_config_free(ABT_pool_config* handle)
{
    auto* const c = object<config>(*handle);
    if (c == nullptr) {
        return ABT_ERR_INV_POOL_CONFIG;
    }
    free_config(c);
    *handle = ABT_POOL_CONFIG_NULL;
    return ABT_SUCCESS;
}
int ABT_pool_config_set(ABT_pool_config handle, int key, ABT_pool_config_type type,
                        const void* value)
{
    auto* const c = object<config>(handle);
    return c == nullptr ? ABT_ERR_INV_POOL_CONFIG
                        : c->set(key, static_cast<value_type>(type), value);
}
int ABT_pool_config_get(ABT_pool_config handle, int key, ABT_pool_config_type* type, void* value)
{
    const auto* const c = object<config>(handle);
    const config_value* const v = c != nullptr ? c->find(key) : nullptr;
    if (v == nullptr) {
        return c == nullptr ? ABT_ERR_INV_POOL_CONFIG : ABT_ERR_INV_ARG;
    }
    copy_out(*v, value);
    if (type != nullptr) {
        *type = static_cast<ABT_pool_config_type>(v->type);
    }
    return ABT_SUCCESS;
}
}
