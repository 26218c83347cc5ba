// The shards of the table of full/empty words, each a lock and a hash table that grows. Inside
// src/sched only. Everything but the lock is used with the lock held.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "fiber/call_out.hpp"

#include <array>
#include <artel/detail/feb_line.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace artel::sched::feb {

// A word that is empty, or waited for.
struct cell {
    const void* key = nullptr;
    cell* next = nullptr;
    bool full = true;
    artel::detail::feb_line line;
};

// Mixes an address, so that its high bits select evenly.
inline std::uint64_t mixed(const void* key) noexcept
{
    // The low bits of aligned words carry no information. Fibonacci hashing.
    return (reinterpret_cast<std::uintptr_t>(key) >> 3) * 0x9E3779B97F4A7C15u;
}

class alignas(base::cache_line) shard {
public:
    base::spinlock lock;

    cell* find(const void* key) noexcept
    {
        if (cells_ == 0) {
            return nullptr;
        }
        for (cell* c = heads()[place(key)]; c != nullptr; c = c->next) {
            if (c->key == key) {
                return c;
            }
        }
        return nullptr;
    }

    // Adds a full word without waiters. Ends the program when there is no memory: no other outcome
    // would be right.
    cell& add(const void* key) noexcept
    {
        if (cells_ >= size() * 2) {
            grow();
        }
        if (free_ == nullptr) {
            get_cells();
        }
        cell& c = *free_;
        free_ = c.next;
        cell*& head = heads()[place(key)];
        c.key = key;
        c.next = head;
        c.full = true;
        c.line = {};
        head = &c;
        ++cells_;
        return c;
    }
    cell& find_or_add(const void* key) noexcept
    {
        cell* const found = find(key);
        return found != nullptr ? *found : add(key);
    }

    void remove(cell& c) noexcept
    {
        for (cell** at = &heads()[place(c.key)];; at = &(*at)->next) {
            if (*at == &c) {
                *at = c.next;
                break;
            }
        }
        c.next = free_;
        free_ = &c;
        --cells_;
    }

    // Removes a word that is full and not waited for, as words outside the table are.
    void remove_if_ordinary(cell& c) noexcept
    {
        if (c.full && c.line.empty()) {
            remove(c);
        }
    }

    std::size_t count() const noexcept { return cells_; }

    template <class Visit>
    void for_each(Visit&& visit)
    {
        for (std::size_t i = 0; i < size(); ++i) {
            for (cell* c = heads()[i]; c != nullptr; c = c->next) {
                visit(*c);
            }
        }
    }

private:
    static constexpr unsigned first_bits = base::modelled ? 0 : 2;
    static constexpr std::size_t cells_at_once = base::modelled ? 2 : 32;

    std::size_t size() const noexcept { return std::size_t{1} << bits_; }
    cell** heads() noexcept { return more_ != nullptr ? more_ : few_; }
    // The highest eight bits have selected the shard.
    std::size_t place(const void* key) const noexcept
    {
        return static_cast<std::size_t>(mixed(key) >> 24) & (size() - 1);
    }

    void grow() noexcept
    {
        const fiber::call_out guard;
        auto** const fresh = static_cast<cell**>(std::calloc(size() * 4, sizeof(cell*)));
        if (fresh == nullptr) {
            return;  // the chains get longer
        }
        cell** const old = heads();
        const std::size_t old_size = size();
        bits_ += 2;
        for (std::size_t i = 0; i < old_size; ++i) {
            for (cell* c = old[i]; c != nullptr;) {
                cell* const next = c->next;
                cell*& head = fresh[place(c->key)];
                c->next = head;
                head = c;
                c = next;
            }
        }
        std::free(more_);
        more_ = fresh;
    }

    // Kept for ever: as many words as were once empty may be so again.
    void get_cells() noexcept
    {
        const fiber::call_out guard;
        void* const memory = std::malloc(cells_at_once * sizeof(cell));
        if (memory == nullptr) {
            std::abort();
        }
        auto* const made = static_cast<cell*>(memory);
        for (std::size_t i = 0; i < cells_at_once; ++i) {
            cell* const c = new (made + i) cell;
            c->next = free_;
            free_ = c;
        }
    }

    unsigned bits_ = first_bits;
    std::size_t cells_ = 0;
    cell* free_ = nullptr;
    cell** more_ = nullptr;
    cell* few_[std::size_t{1} << first_bits] = {};
};

constexpr unsigned shard_bits = base::modelled ? 1 : 8;
// The table.
[[gnu::visibility("hidden")]] extern constinit std::array<shard, 1u << shard_bits> shards;

inline shard& shard_of(const void* key) noexcept
{
    return shards[mixed(key) >> (64 - shard_bits)];
}

}  // namespace artel::sched::feb
