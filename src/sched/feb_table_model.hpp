// The table of full/empty words and artel/feb.hpp on the real crew, for models: a table that is
// made anew for each interleaving, and two words of one shard. The shards have cells for two words
// at first, so that cells are handed from one word to another in most interleavings. Included once,
// by the model, first.
#pragma once

#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include <artel/feb.hpp>

#include "sched/feb_line.cpp"
#include "sched/latch.cpp"

namespace artel::model {

// The table's memory, which the real one keeps for ever, ends with the iteration here.
inline char table_memory[1 << 14];
inline std::size_t table_memory_used = 0;

inline void* table_memory_get(std::size_t bytes) noexcept
{
    char* const at = table_memory + table_memory_used;
    table_memory_used += (bytes + 63) / 64 * 64;
    check(table_memory_used <= sizeof table_memory, "the model's memory is too small");
    std::memset(at, 0, bytes);
    return at;
}

}  // namespace artel::model

namespace std {

inline void* artel_malloc(size_t bytes) noexcept
{
    return artel::model::table_memory_get(bytes);
}
inline void* artel_calloc(size_t n, size_t bytes) noexcept
{
    return artel::model::table_memory_get(n * bytes);
}
inline void artel_free(void*) noexcept {}

}  // namespace std

#define malloc artel_malloc
#define calloc artel_calloc
#define free artel_free
#include "sched/feb_table.cpp"
#include "sched/feb_waiters.cpp"
#undef malloc
#undef calloc
#undef free

namespace artel::sched::feb {

// The table is made anew for each iteration.
struct fresh_table {
    fresh_table()
    {
        model::table_memory_used = 0;
        for (shard& s : shards) {
            new (&s) shard;
        }
    }
    ~fresh_table()
    {
        for (shard& s : shards) {
            s.~shard();
        }
    }
};

// Words at fixed addresses, all of one shard.
inline word places[64];

inline word* in_the_same_shard(unsigned n)
{
    for (word& w : places) {
        if (&shard_of(&w) == &shard_of(&places[0]) && n-- == 0) {
            return &w;
        }
    }
    return nullptr;
}

struct words : fresh_table {
    word* const first = in_the_same_shard(0);
    word* const second = in_the_same_shard(1);
    words() { *first = *second = 0; }

    static void nobody_is_left()
    {
        model::check(words_kept() == 0, "a word that is full and not waited for is kept");
    }
    static unsigned takers()
    {
        unsigned n = 0;
        for_each_waiter(
            [](const void*, const detail::feb_waiter& w, void* sum) {
                *static_cast<unsigned*>(sum) += w.wish == detail::feb_wish::take;
            },
            &n);
        return n;
    }
};

}  // namespace artel::sched::feb
