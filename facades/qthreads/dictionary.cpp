// qt_dictionary: a hash table of pointers, with the program's equality and hash function. Programs
// read its entries: list_entry is part of the interface.
#include "base/log.hpp"
#include "base/spinlock.hpp"

#include <cstdint>
#include <mutex>
#include <vector>

namespace {

struct entry {  // list_entry
    void* value;
    void* key;
    std::uint64_t hash;
    entry* next;
};

using equality = int (*)(void*, void*);
using hash_function = int (*)(void*);
using cleanup_function = void (*)(void*, void*);

struct dictionary {
    equality equal;
    hash_function hash;
    cleanup_function cleanup;
    artel::base::spinlock lock;  // held during calls of the program's functions, which must not
                                 // wait
    std::vector<entry*> heads = std::vector<entry*>(64);
    std::size_t count = 0;

    entry** place(void* key, std::uint64_t h)
    {
        entry** at = &heads[h % heads.size()];
        while (*at != nullptr && ((*at)->hash != h || equal((*at)->key, key) == 0)) {
            at = &(*at)->next;
        }
        return at;
    }
    void grow()
    {
        std::vector<entry*> more(heads.size() * 4);
        for (entry* e : heads) {
            while (e != nullptr) {
                entry* const next = e->next;
                entry*& head = more[e->hash % more.size()];
                e->next = head;
                head = e;
                e = next;
            }
        }
        heads.swap(more);
    }
    std::uint64_t hash_of(void* key) const { return static_cast<unsigned>(hash(key)); }
};

// Begins before the first entry. `at` == nullptr and `begun`: behind the last one.
struct iterator {
    dictionary* of;
    entry* at = nullptr;
    bool begun = false;
};

void* const error = reinterpret_cast<void*>(-1);

void* put(dictionary* d, void* key, void* value, bool replace)
{
    if (d == nullptr) {
        return nullptr;
    }
    const std::uint64_t h = d->hash_of(key);
    const std::scoped_lock hold(d->lock);
    entry** at = d->place(key, h);
    if (*at == nullptr) {
        if (d->count >= d->heads.size()) {
            d->grow();
            at = d->place(key, h);
        }
        *at = new entry{value, key, h, nullptr};
        ++d->count;
    } else if (replace) {
        (*at)->value = value;
    }
    return (*at)->value;
}

// The entry after `e`, or the first. With the lock held.
entry* after(const dictionary& d, const entry* e)
{
    if (e != nullptr && e->next != nullptr) {
        return e->next;
    }
    for (std::size_t i = e != nullptr ? e->hash % d.heads.size() + 1 : 0; i < d.heads.size(); ++i) {
        if (d.heads[i] != nullptr) {
            return d.heads[i];
        }
    }
    return nullptr;
}

}  // namespace

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
    for (entry* e : d->heads) {
        while (e != nullptr) {
            entry* const next = e->next;
            if (d->cleanup != nullptr) {
                d->cleanup(e->key, e->value);
            }
            delete e;
            e = next;
        }
    }
    delete d;
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
    entry* e = nullptr;
    {
        const std::scoped_lock hold(d->lock);
        entry** const at = d->place(key, h);
        e = *at;
        if (e == nullptr) {
            return nullptr;
        }
        *at = e->next;
        --d->count;
    }
    void* const value = e->value;
    if (d->cleanup != nullptr) {
        d->cleanup(e->key, nullptr);  // the value goes to the caller
    }
    delete e;
    return value;
}
iterator* qt_dictionary_iterator_create(dictionary* d)
{
    return d != nullptr ? new iterator{d} : static_cast<iterator*>(error);
}
void qt_dictionary_iterator_destroy(iterator* it)
{
    delete it;
}
entry* qt_dictionary_iterator_next(iterator* it)
{
    if (it == nullptr) {
        return static_cast<entry*>(error);
    }
    const std::scoped_lock hold(it->of->lock);
    if (it->begun && it->at == nullptr) {
        return nullptr;
    }
    it->begun = true;
    it->at = after(*it->of, it->at);
    return it->at;
}
entry* qt_dictionary_iterator_get(const iterator* it)
{
    if (it == nullptr) {
        return static_cast<entry*>(error);
    }
    return it->at;
}
iterator* qt_dictionary_end(dictionary* d)
{
    return d != nullptr ? new iterator{d, nullptr, true} : nullptr;
}
int qt_dictionary_iterator_equals(iterator* a, iterator* b)
{
    if (a == nullptr || b == nullptr) {
        return a == b ? 1 : 0;
    }
    return a->of == b->of && a->at == b->at && a->begun == b->begun ? 1 : 0;
}
iterator* qt_dictionary_iterator_copy(iterator* it)
{
    return it != nullptr ? new iterator(*it) : nullptr;
}
void qt_dictionary_printbuckets(dictionary* d)
{
    const std::scoped_lock hold(d->lock);
    artel::base::warn("dictionary at {}: {} entries in {} buckets", static_cast<void*>(d), d->count,
                      d->heads.size());
}
}
