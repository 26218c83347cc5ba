// Full/empty bits for any aligned word of memory: a table of the words that are empty or waited
// for. A word that is not in it is full, which is the initial state of memory. Programs with
// objects of their own use artel::feb, which needs no table.
//
// The word's address selects one of 256 shards, each a spinlock and a hash table that grows with
// the number of its words, so that a million empty words cost as little each as one. Each operation
// on a word holds the lock of its shard and no other; a waiter is queued in the word's line
// (artel/detail/feb_line.hpp), and the thread that releases it also performs its operation. Joining
// the line and checking the state is one critical section, so no wake-up can be lost; the
// suspension itself is a latch's.
//
// Values are read and written as relaxed 64-bit atomics under the lock, because programs also
// access such words without these functions.
//
// Callers: any context. Functions that may wait may switch.
#pragma once

#include <artel/detail/feb_line.hpp>
#include <cstddef>
#include <cstdint>

namespace artel::sched {
struct unit;
}

namespace artel::sched::feb {

using word = std::uint64_t;

// Whether the word is full; may be outdated at once.
bool is_full(const word* at) noexcept;

// The state alone. Neither waits.
void fill(word* at) noexcept;
void empty(word* at) noexcept;

// Writes the value, and leaves the word empty. Does not wait.
void purge(word* at, word value) noexcept;

// Writes the value, and leaves the word full. Does not wait.
void write_f(word* at, word value) noexcept;

// Waits until the word is empty, writes, leaves it full.
void write_ef(word* at, word value) noexcept;
bool try_write_ef(word* at, word value) noexcept;  // does not wait: false if it is full

// Waits until the word is full, writes, leaves it full.
void write_ff(word* at, word value) noexcept;

// The same with what `from` holds when it is written; that may be the word itself.
void copy_ef(word* at, const word* from) noexcept;
void copy_ff(word* at, const word* from) noexcept;

// Waits until the word is full, and leaves it so.
word read_ff(const word* at) noexcept;
bool try_read_ff(const word* at, word& value) noexcept;

// Waits until the word is full, and empties it.
word read_fe(word* at) noexcept;
bool try_read_fe(word* at, word& value) noexcept;

// Without regard to the state.
word read_xx(const word* at) noexcept;

// Registers `place`: calls place.call once the word is full, from the thread that fills it, with no
// lock held; it must not wait. `place` must exist until then. False, with nothing registered, if
// the word is full already.
struct callback : artel::detail::feb_waiter {
    callback() noexcept;
    void (*call)(callback&) noexcept = nullptr;
};
bool call_when_full(const word* at, callback& place) noexcept;
// nullptr if it is not a callback.
const callback* as_callback(const artel::detail::feb_waiter& w) noexcept;

// For words that keep their state themselves: the line of waiters that belongs to an address. The
// caller holds a lock of its own over everything of that word. take_line leaves none behind.
artel::detail::feb_line take_line(const void* of) noexcept;
void put_line(const void* of, const artel::detail::feb_line& line) noexcept;

// feb_release for lines that may contain callbacks.
void release(artel::detail::feb_line& served) noexcept;

// Calls visit(address, waiter, `argument`) for each waiter. Holds locks: it must not wait.
void for_each_waiter(void (*visit)(const void* at, const artel::detail::feb_waiter& w,
                                   void* argument),
                     void* argument) noexcept;

// The unit that waits there for a word of the table; nullptr if it waits for something else or is
// no unit.
const unit* waiting_for_word(const artel::detail::feb_waiter& w) noexcept;

// The number of words in the table; exact only when nothing changes.
std::size_t words_kept() noexcept;

// Writes to stderr for which words light threads wait, in at most `most` lines, and how many more
// there are; nothing when none waits. Called when the process ends.
void report_waiters(unsigned most) noexcept;

}  // namespace artel::sched::feb
