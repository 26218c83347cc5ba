// qt_dictionary: a hash table of pointers, with the program's equality and hash function. Programs
// read its entries: list_entry is part of the interface.
#pragma once

#include "sched/fork_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::qthreads {

struct entry {  // list_entry
    void* value;
    void* key;
    std::uint64_t hash;
    entry* next;
};

// An entry with its private fields. While there are iterators a removed entry is kept: an iterator
// may stand at it, and continues with the entries behind it.
struct kept_entry : entry {
    bool removed = false;
    kept_entry* next_removed = nullptr;
};

using equality = int (*)(void*, void*);
using hash_function = int (*)(void*);
using cleanup_function = void (*)(void*, void*);

struct dictionary {
    equality equal;
    hash_function hash;
    cleanup_function cleanup;
    // held during calls of the program's functions, which must not wait
    sched::fork_lock lock;
    std::vector<entry*> heads = std::vector<entry*>(64);
    std::size_t count = 0;
    std::size_t iterators = 0;  // that use it
    bool destroyed = false;     // by the program; the last iterator frees it
    kept_entry* removed = nullptr;

    entry** place(void* key, std::uint64_t h)
    {
        entry** at = &heads[h % heads.size()];
        while (*at != nullptr && ((*at)->hash != h || equal((*at)->key, key) == 0)) {
            at = &(*at)->next;
        }
        return at;
    }
    std::uint64_t hash_of(void* key) const { return static_cast<unsigned>(hash(key)); }
};

}  // namespace artel::qthreads
