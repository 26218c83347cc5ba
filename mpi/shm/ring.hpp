// The two kinds of words by which ranks notify each other, and the rings made of them. Lies in
// shared memory: no pointers, fixed layout.
//
// - Control line: one cache line that a parent in the tree writes for its child: "item number n is
//   there", with the bytes themselves if they fit, else with their place in the root's queue. Every
//   rank owns a ring of them and is its only reader.
// - Counter line: one cache line that its owner writes and others read: how many items it has
//   consumed (`done`).
//
// Items are numbered through all messages of a communicator, and every rank takes part in all of
// them, so all ranks have the same count without exchanging it. Item n lies in slot n % slots and
// is announced by the sequence number n + 1, so nothing is ever reset. A parent may write slot n %
// slots of a child when the child has consumed item n - slots. There is no atomic read-modify-write
// and no shared counter on this path: in the paper all p - 1 readers decrement one (see paper.hpp,
// which has that protocol).
//
// Sleeping. A waiter that has spun long enough counts itself into the line's `sleepers`, makes a
// heavy fence, checks the word once more, and sleeps. The writer stores the word, makes a light
// fence, and reads `sleepers`: at least one of the two sees the other's write. So without sleepers
// the writer pays almost nothing.
#pragma once

#include "base/cpu.hpp"
#include "shm/os.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::shm {

inline constexpr std::size_t line_size = 64;
inline constexpr std::size_t inline_bytes = 48;

// A word that others wait for, with the number of those that sleep.
struct awaited_word {
    std::atomic<std::uint32_t> value;
    std::atomic<std::uint32_t> sleepers;

    // Called by the only writer.
    void publish(std::uint32_t v) noexcept
    {
        // release: pairs with the acquire in reached(): what the writer did before (a copied
        // fragment, a consumed one) is seen.
        value.store(v, std::memory_order_release);
        light_fence();
        // relaxed: ordered after the store by the fences, see above; a stale zero means that the
        // sleeper sees our store.
        if (sleepers.load(std::memory_order_relaxed) != 0) {
            futex_wake(value);
        }
    }

    // Called by several writers, for words that count.
    void add() noexcept
    {
        // release: as in publish.
        value.fetch_add(1, std::memory_order_release);
        light_fence();
        // relaxed: as in publish.
        if (sleepers.load(std::memory_order_relaxed) != 0) {
            futex_wake(value);
        }
    }

    // Whether the value has reached or passed `target`; numbers wrap, so only differences count.
    bool reached(std::uint32_t target) const noexcept
    {
        // acquire: pairs with the release in publish.
        return static_cast<std::int32_t>(value.load(std::memory_order_acquire) - target) >= 0;
    }

    // Sleeps until woken or for at most so many microseconds; returns at once when the target has
    // been reached.
    void sleep(std::uint32_t target, std::uint64_t microseconds) noexcept
    {
        // relaxed: ordered by the fence that follows.
        sleepers.fetch_add(1, std::memory_order_relaxed);
        heavy_fence();
        // acquire: as in reached(). The kernel compares with the same value, so a store after this
        // load prevents the sleep.
        const std::uint32_t seen = value.load(std::memory_order_acquire);
        if (static_cast<std::int32_t>(seen - target) < 0) {
            futex_wait_for(value, seen, microseconds);
        }
        // relaxed: a writer that still counts us only makes a needless system call.
        sleepers.fetch_sub(1, std::memory_order_relaxed);
    }
};

enum class item_kind : std::uint16_t {
    inlined,   // the bytes are in the line
    fragment,  // `where` is an offset in the root's queue
    direct,    // `where` is an address in the root's process, to be copied by the kernel
};

struct alignas(line_size) control_line {
    awaited_word number;   // of the item, plus one
    std::uint32_t length;  // bytes of the item; for direct items its low half
    item_kind kind;
    std::uint16_t tree;  // the tree that the item travels along; the root's choice
    union {
        unsigned char bytes[inline_bytes];
        struct {
            std::uint64_t where;
            std::uint64_t length;  // the whole
        } place;
    } payload;
};
static_assert(sizeof(control_line) == line_size || base::modelled);

struct alignas(line_size) counter_line {
    awaited_word done;  // items consumed by the owner
    // The owner has given up, because a rank has died; its callers may reuse their buffers.
    // relaxed, all accesses: ordered by the fences of the rank that sets it and of those that check
    // it (coll/lines.hpp).
    std::atomic<std::uint32_t> gave_up;
};
static_assert(sizeof(counter_line) == line_size || base::modelled);

}  // namespace artel::shm
