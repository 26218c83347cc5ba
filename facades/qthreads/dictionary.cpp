// The table of dictionaries: entries by their keys.
#include "dictionary.hpp"

#include "base/log.hpp"

#include <mutex>
#include <new>
#include <utility>

namespace artel::qthreads {
namespace {

void grow(dictionary& d)
{
    std::vector<entry*> more(d.heads.size() * 4);
    for (entry* e : d.heads) {
        while (e != nullptr) {
            entry* const next = e->next;
            entry*& head = more[e->hash % more.size()];
            e->next = head;
            head = e;
            e = next;
        }
    }
    d.heads.swap(more);
}

// Without memory the chains become longer.
void grow_if_possible(dictionary& d) noexcept
{
    try {
        grow(d);
    } catch (const std::bad_alloc&) {
    }
}

void* put(dictionary* d, void* key, void* value, bool replace)
{
    if (d == nullptr) {
        return nullptr;
    }
    const std::uint64_t h = d->hash_of(key);
    const std::scoped_lock hold(d->lock);
    entry** at = d->place(key, h);
    if (*at == nullptr) {
        // An iterator goes on from the place of its entry in the table: while there are any, the
        // chains become longer, and a later put makes the table larger.
        if (d->count >= d->heads.size() && d->iterators == 0) {
            grow_if_possible(*d);
            at = d->place(key, h);
        }
        *at = new (std::nothrow) kept_entry{{value, key, h, nullptr}};
        if (*at == nullptr) {
            return nullptr;
        }
        ++d->count;
    } else if (replace) {
        (*at)->value = value;
    }
    return (*at)->value;
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

dictionary* qt_dictionary_create(equality equal, hash_function hash, cleanup_function cleanup)
{
    return new dictionary{equal, hash, cleanup, {}};
}
void qt_dictionary_destroy(dictionary* d)
{
    if (d == nullptr) {
        return;
    }
    for (entry*& head : d->heads) {
        for (entry* e = std::exchange(head, nullptr); e != nullptr;) {
            entry* const next = e->next;
            if (d->cleanup != nullptr) {
                d->cleanup(e->key, e->value);
            }
            delete static_cast<kept_entry*>(e);
            e = next;
        }
    }
    bool used = false;
    {
        const std::scoped_lock hold(d->lock);
        d->destroyed = true;
        used = d->iterators != 0;
    }
    if (!used) {
        delete d;
    }
}
void* qt_dictionary_put(dictionary* d, void* key, void* value)
{
    return put(d, key, value, true);
}
void* qt_dictionary_put_if_absent(dictionary* d, void* key, void* value)
{
    return put(d, key, value, false);
}
void* qt_dictionary_get(dictionary* d, void* key)
{
    if (d == nullptr) {
        return nullptr;
    }
    const std::uint64_t h = d->hash_of(key);
    const std::scoped_lock hold(d->lock);
    const entry* const e = *d->place(key, h);
    return e != nullptr ? e->value : nullptr;
}
void* qt_dictionary_delete(dictionary* d, void* key)
{
    if (d == nullptr) {
        return nullptr;
    }
    const std::uint64_t h = d->hash_of(key);
    kept_entry* e = nullptr;
    bool kept = false;
    void* value = nullptr;
    void* its_key = nullptr;
    {
        const std::scoped_lock hold(d->lock);
        entry** const at = d->place(key, h);
        e = static_cast<kept_entry*>(*at);
        if (e == nullptr) {
            return nullptr;
        }
        *at = e->next;
        --d->count;
        value = e->value;
        its_key = e->key;
        kept = d->iterators != 0;
        if (kept) {
            e->removed = true;
            e->next_removed = std::exchange(d->removed, e);
        }
    }
    if (!kept) {
        delete e;
    }
    if (d->cleanup != nullptr) {
        d->cleanup(its_key, nullptr);  // the value goes to the caller
    }
    return value;
}
void qt_dictionary_printbuckets(dictionary* d)
{
    const std::scoped_lock hold(d->lock);
    artel::base::warn("dictionary at {}: {} entries in {} buckets", static_cast<void*>(d), d->count,
                      d->heads.size());
}
}
