// ABT_key_*, and the functions that set and get the values.
#include "keys.hpp"

#include "runtime.hpp"
#include "sched/fork_lock.hpp"

#include <cstdlib>
#include <mutex>

namespace artel::argobots {

struct key {
    void (*destructor)(void*) = nullptr;
    std::uint64_t number = 0;
};

// Few units have many values: a list, in the order in which they were first set.
struct key_value {
    std::uint64_t number;
    void (*destructor)(void*);
    void* value;
    key_value* next;
};

struct key_table {
    sched::fork_lock lock;  // others may set and get, too
    key_value* first = nullptr;
};

namespace {

// relaxed: numbers only need to differ.
std::atomic<std::uint64_t> next_number{1};

key_table* table_of(thread& t) noexcept
{
    // acquire: pairs with the release below.
    key_table* table = t.keys.load(std::memory_order_acquire);
    if (table == nullptr) {
        key_table* const fresh = make<key_table>();
        if (fresh == nullptr) {
            return nullptr;
        }
        // release: publishes its members. acquire on failure: pairs with the thread that was
        // faster.
        if (t.keys.compare_exchange_strong(table, fresh, std::memory_order_release,
                                           std::memory_order_acquire)) {
            table = fresh;
        } else {
            drop(fresh);
        }
    }
    return table;
}

key_value* find(const key_table& table, const key& k) noexcept
{
    key_value* v = table.first;
    while (v != nullptr && v->number != k.number) {
        v = v->next;
    }
    return v;
}

int set(thread& t, const key& k, void* value) noexcept
{
    key_table* const table = table_of(t);
    if (table == nullptr) {
        return ABT_ERR_MEM;
    }
    {
        const std::scoped_lock hold(table->lock);
        if (key_value* const v = find(*table, k); v != nullptr) {
            v->value = value;
            return ABT_SUCCESS;
        }
    }
    auto* const fresh = static_cast<key_value*>(std::malloc(sizeof(key_value)));
    if (fresh == nullptr) {
        return ABT_ERR_MEM;
    }
    table->lock.lock();
    key_value* const v = find(*table, k);  // others set, too
    if (v != nullptr) {
        v->value = value;
    } else {
        *fresh = {k.number, k.destructor, value, nullptr};
        key_value** last = &table->first;
        while (*last != nullptr) {
            last = &(*last)->next;
        }
        *last = fresh;
    }
    table->lock.unlock();
    if (v != nullptr) {
        std::free(fresh);
    }
    return ABT_SUCCESS;
}

void* get(thread& t, const key& k) noexcept
{
    // acquire: pairs with the release in table_of.
    key_table* const table = t.keys.load(std::memory_order_acquire);
    if (table == nullptr) {
        return nullptr;
    }
    const std::scoped_lock hold(table->lock);
    const key_value* const v = find(*table, k);
    return v != nullptr ? v->value : nullptr;
}

}  // namespace

void drop_keys(thread& t) noexcept
{
    // relaxed (two): the unit is the caller's alone.
    key_table* const table = t.keys.load(std::memory_order_relaxed);
    if (table == nullptr) {
        return;
    }
    t.keys.store(nullptr, std::memory_order_relaxed);
    while (key_value* const v = table->first) {
        table->first = v->next;
        if (v->destructor != nullptr && v->value != nullptr) {
            v->destructor(v->value);
        }
        std::free(v);
    }
    drop(table);
}

}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_key_create(void (*destructor)(void*), ABT_key* made)
{
    key* const k = make<key>();
    if (k == nullptr) {
        return ABT_ERR_MEM;
    }
    k->destructor = destructor;
    k->number = next_number.fetch_add(1, std::memory_order_relaxed);  // relaxed: see next_number
    *made = reinterpret_cast<ABT_key>(k);
    return ABT_SUCCESS;
}
int ABT_key_free(ABT_key* handle)
{
    key* const k = object<key>(*handle);
    if (k == nullptr) {
        return ABT_ERR_INV_KEY;
    }
    drop(k);
    *handle = ABT_KEY_NULL;
    return ABT_SUCCESS;
}
int ABT_self_set_specific(ABT_key handle, void* value)
{
    thread* const t = self();
    const key* const k = object<key>(handle);
    return k == nullptr ? ABT_ERR_INV_KEY : t == nullptr ? ABT_ERR_INV_XSTREAM : set(*t, *k, value);
}
int ABT_self_get_specific(ABT_key handle, void** value)
{
    thread* const t = self();
    const key* const k = object<key>(handle);
    if (t == nullptr || k == nullptr) {
        return k == nullptr ? ABT_ERR_INV_KEY : ABT_ERR_INV_XSTREAM;
    }
    *value = get(*t, *k);
    return ABT_SUCCESS;
}
int ABT_key_set(ABT_key handle, void* value)
{
    return current() == nullptr && !is_null(handle) ? ABT_ERR_UNINITIALIZED
                                                    : ABT_self_set_specific(handle, value);
}
int ABT_key_get(ABT_key handle, void** value)
{
    return current() == nullptr && !is_null(handle) ? ABT_ERR_UNINITIALIZED
                                                    : ABT_self_get_specific(handle, value);
}
int ABT_thread_set_specific(ABT_thread of, ABT_key handle, void* value)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    thread* const t = object_of(of);
    const key* const k = object<key>(handle);
    return t == nullptr ? ABT_ERR_INV_THREAD : k == nullptr ? ABT_ERR_INV_KEY : set(*t, *k, value);
}
int ABT_thread_get_specific(ABT_thread of, ABT_key handle, void** value)
{
    thread* const t = object_of(of);
    const key* const k = object<key>(handle);
    if (t == nullptr || k == nullptr) {
        return t == nullptr ? ABT_ERR_INV_THREAD : ABT_ERR_INV_KEY;
    }
    *value = get(*t, *k);
    return ABT_SUCCESS;
}
}
