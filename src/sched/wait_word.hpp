// A futex for light threads: waits until a 32-bit word changes, suspending the calling context and
// never its worker. Mutexes, condition variables, barriers, latches and semaphores need four bytes
// of their own and nothing else: the queues of waiters are here.
//
// Callers: any context. A plain fiber or a persona is suspended; so is an external thread, which
// becomes a guest of the crew and does other work meanwhile. Where nothing can be suspended (no
// memory for a stack, no free worker slot) the OS thread sleeps in a real futex.
//
// How: the word's address selects one of 256 buckets, each a spinlock and a FIFO of nodes that lie
// on the waiters' stacks. A waiter joins its bucket in the `after` function of its suspension, that
// is on the next fiber's stack: whoever finds the node may resume the fiber at once, because its
// context is saved. The word is compared once more there, under the lock; if it has changed, the
// fiber is made ready again.
//
// No wake-up is lost. A waker changes the word first and calls wake_word second. wake_word looks at
// the bucket's count of waiters before it takes the lock. A waiter raises that count, under the
// lock, before it compares the word for the last time. Between the two steps each side makes a full
// fence, so either the waker sees the count (A), or the waiter sees the new word (B).
// (A) The waker takes the lock. If the waiter held it before, its node is in the queue and is
// found. If the waiter takes it afterwards, the lock orders the waker's write before the
// comparison, which fails, so the waiter does not stay.
// (B) The comparison fails: the same.
// The same argument covers OS threads in the real futex: the kernel compares the word again under
// its own lock, and they raise `os_waiters` before, which wake_word reads after its fence.
//
// wake_word uses the word's address only as a key: the memory may already be freed or be something
// else by then. At worst somebody who waits for a new word at the same address wakes without cause,
// so callers re-check their condition in a loop, as with any futex.
//
// A wait with a deadline has an alarm (alarm.hpp) besides. When it rings it takes the bucket's lock
// and unlinks the waiter's node. Not finding it there, either a waker was faster, or the waiter has
// not come so far: it leaves a mark in the node, which the waiter looks at under the lock before it
// stays. The node is there as long as that takes, because the waiter clears its alarm before it
// returns.
//
// Rejected: taking the lock before the suspension and releasing it in `after` (the search for
// something to switch to would lengthen the critical section from tens of nanoseconds to
// microseconds); queues inside every mutex (48 bytes each, and no common proof).
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>

namespace artel::sched {

// Suspends the caller while word == expected, until a wake_word on it. Returns false at once when
// the word has another value already; true after a wait, which may end without cause. Switches; any
// context, inside or outside the crew. Acquires what the waker did before wake_word.
bool wait_word(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// As wait_word, but waits no longer than until `deadline`, in nanoseconds of CLOCK_MONOTONIC. False
// when that has passed without a wake-up; whoever returns true because of a wake_word has taken it
// from the others who wait.
bool wait_word_until(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                     std::int64_t deadline) noexcept;

inline constexpr unsigned wake_all = INT_MAX;

// Makes up to `count` of those who wait on the word ready, longest waiting first; returns how many
// light threads these were. The caller has changed the word before. Costs a fence and a load when
// nobody waits in the word's bucket. Does not switch. Any thread.
unsigned wake_word(std::atomic<std::uint32_t>& word, unsigned count) noexcept;

// How many wait on words now; for statistics and tests, exact only when nothing moves.
unsigned words_waited_on() noexcept;

// In the child of a fork, where the waiters do not exist and the locks may have been held.
void reset_wait_words_after_fork() noexcept;

}  // namespace artel::sched
