// Full/empty bits for any aligned word of memory: a table of the words that are empty or waited
// for. A word that is not in it is full, as memory is that nobody has spoken of. For programs with
// objects of their own there is artel::feb, which needs no table.
//
// The word's address selects one of 256 shards, each a spinlock and a hash table that grows with
// the number of its words, so that a million empty words cost as little each as one. All operations
// on a word hold the lock of its shard and no other; who waits stands in the word's line
// (artel/detail/feb_line.hpp) and has its operation performed by whoever lets it go on. Joining the
// line and looking at the state is one critical section, so no wake-up can be lost; the suspension
// itself is a latch's.
//
// Values are read and written as relaxed atomics of 64 bits under the lock: programs also look at
// such words without these functions.
//
// Callers: any context. What may wait may switch.
#pragma once

#include <artel/detail/feb_line.hpp>
#include <cstddef>
#include <cstdint>

namespace artel::sched {
struct unit;
}

namespace artel::sched::feb {

using word = std::uint64_t;

// Whether the word is full; a guess as soon as it is said.
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

// Waits until the word is full, and leaves it so.
word read_ff(const word* at) noexcept;
bool try_read_ff(const word* at, word& value) noexcept;

// Waits until the word is full, and empties it.
word read_fe(word* at) noexcept;
bool try_read_fe(word* at, word& value) noexcept;

// Without regard to the state.
word read_xx(const word* at) noexcept;

// Calls `done` with `argument` once the word is full: false, and nothing is kept, if it is full
// already. `place` must stay until then. `done` is called by whoever fills the word, with no lock
// held, and must not wait.
struct callback : artel::detail::feb_waiter {
    callback() noexcept;
    void (*call)(callback&) noexcept = nullptr;
};
bool call_when_full(const word* at, callback& place) noexcept;
// nullptr if it is none.
const callback* as_callback(const artel::detail::feb_waiter& w) noexcept;

// For words that keep their state themselves: the line of waiters that belongs to an address. The
// caller holds a lock of its own over everything of that word. `take` leaves none behind.
artel::detail::feb_line take_line(const void* of) noexcept;
void put_line(const void* of, const artel::detail::feb_line& line) noexcept;

// As feb_release, for lines in which callbacks may stand.
void release(artel::detail::feb_line& served) noexcept;

// Calls visit(address, waiter, `argument`) for everybody who waits. Holds locks: it must not wait.
void for_each_waiter(void (*visit)(const void* at, const artel::detail::feb_waiter& w,
                                   void* argument),
                     void* argument) noexcept;

// The unit that waits there for a word of the table; nullptr if it waits for something else or is
// none.
const unit* waiting_for_word(const artel::detail::feb_waiter& w) noexcept;

// How many words are in the table; exact only when nothing moves.
std::size_t words_kept() noexcept;

// Writes on stderr for which words light threads wait, at most `most` lines, and how many more
// there are; nothing when nobody waits. Called when the process ends.
void report_waiters(unsigned most) noexcept;

}  // namespace artel::sched::feb
