// Iterators over dictionaries. Entries may be added and removed meanwhile.
#include "dictionary.hpp"

#include <mutex>
#include <new>
#include <utility>

namespace artel::qthreads {
namespace {

void free_removed(kept_entry* e) noexcept
{
    while (e != nullptr) {
        delete std::exchange(e, e->next_removed);
    }
}

// Begins before the first entry. `at` == nullptr and `begun`: behind the last one.
struct iterator {
    explicit iterator(dictionary& d) noexcept : of(&d) {}
    dictionary* of;
    entry* at = nullptr;
    bool begun = false;
};

// nullptr without memory.
iterator* made(dictionary& d) noexcept
{
    auto* const it = new (std::nothrow) iterator(d);
    if (it != nullptr) {
        const std::scoped_lock hold(d.lock);
        ++d.iterators;
    }
    return it;
}

void destroy(iterator* it) noexcept
{
    dictionary* const d = it->of;
    delete it;
    kept_entry* left = nullptr;
    bool last = false;
    {
        const std::scoped_lock hold(d->lock);
        if (--d->iterators == 0) {
            left = std::exchange(d->removed, nullptr);
            last = d->destroyed;
        }
    }
    free_removed(left);
    if (last) {
        delete d;
    }
}

void* const error = reinterpret_cast<void*>(-1);

bool is_removed(const entry& e) noexcept
{
    return static_cast<const kept_entry&>(e).removed;
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

// `e`, or the next entry that has not been removed. With the lock held.
entry* still_there(const dictionary& d, entry* e)
{
    while (e != nullptr && is_removed(*e)) {
        e = after(d, e);
    }
    return e;
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

iterator* qt_dictionary_iterator_create(dictionary* d)
{
    return d != nullptr ? made(*d) : static_cast<iterator*>(error);
}
void qt_dictionary_iterator_destroy(iterator* it)
{
    if (it != nullptr && it != error) {
        destroy(it);
    }
}
entry* qt_dictionary_iterator_next(iterator* it)
{
    if (it == nullptr || it == error) {
        return static_cast<entry*>(error);
    }
    const std::scoped_lock hold(it->of->lock);
    if (it->of->destroyed || (it->begun && it->at == nullptr)) {
        return nullptr;
    }
    it->begun = true;
    it->at = still_there(*it->of, after(*it->of, it->at));
    return it->at;
}
entry* qt_dictionary_iterator_get(const iterator* it)
{
    if (it == nullptr || it == error) {
        return static_cast<entry*>(error);
    }
    const std::scoped_lock hold(it->of->lock);
    // nullptr for a removed entry; qt_dictionary_iterator_next returns the one after it.
    return it->of->destroyed || it->at == nullptr || is_removed(*it->at) ? nullptr : it->at;
}
iterator* qt_dictionary_end(dictionary* d)
{
    iterator* const it = d != nullptr ? made(*d) : nullptr;
    if (it != nullptr) {
        it->begun = true;
    }
    return it;
}
int qt_dictionary_iterator_equals(iterator* a, iterator* b)
{
    if (a == nullptr || b == nullptr || a == error || b == error) {
        return a == b ? 1 : 0;
    }
    return a->of == b->of && a->at == b->at && a->begun == b->begun ? 1 : 0;
}
iterator* qt_dictionary_iterator_copy(iterator* it)
{
    iterator* const copy = it != nullptr && it != error ? made(*it->of) : nullptr;
    if (copy != nullptr) {
        copy->at = it->at;
        copy->begun = it->begun;
    }
    return copy;
}
}
