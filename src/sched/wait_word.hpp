// A futex for light threads: waits until a 32-bit word changes, and suspends the calling context,
// never its worker. Mutexes, condition variables, barriers, latches and semaphores need only four
// bytes of their own: the queues of waiters are here.
//
// Callers: any context. A plain fiber or a persona is suspended; so is an external thread, which
// becomes a guest of the crew and does other work meanwhile. When nothing can be suspended (no
// memory for a stack, no free worker slot) the OS thread sleeps in a real futex.
//
// The word's address selects one of 256 buckets, each a spinlock and a FIFO of nodes that lie on
// the waiters' stacks. A waiter joins its bucket in the `after` function of its suspension, on the
// next fiber's stack: its context is saved then, so a thread that finds the node may resume the
// fiber at once. The word is compared once more there, under the lock; if it has changed, the fiber
// is made ready again.
//
// No wake-up is lost. A waker changes the word first and calls wake_word second. wake_word reads
// the bucket's count of waiters before it takes the lock. A waiter increments that count, under the
// lock, before it compares the word for the last time. Between the two steps each side makes a full
// fence, so either the waker sees the count (A), or the waiter sees the new word (B). (A) The waker
// takes the lock. If the waiter held it before, its node is in the queue and is found. If the
// waiter takes it afterwards, the lock orders the waker's write before the comparison, which fails,
// so the waiter does not stay. (B) The comparison fails: the same. The same argument covers OS
// threads in the real futex: the kernel compares the word again under its own lock, and they
// increment `os_waiters` before, which wake_word reads after its fence.
//
// wake_word uses the word's address only as a key: the memory may already be freed or reused by
// then. At worst a thread that waits for a new word at the same address wakes without cause, so
// callers re-check their condition in a loop, as with any futex.
//
// A wait with a deadline also has an alarm (alarm.hpp). When it rings it takes the bucket's lock
// and unlinks the waiter's node. If the node is not there, either a waker was faster, or the waiter
// has not got so far: then the alarm leaves a mark in the node, which the waiter checks under the
// lock before it stays. The node exists for as long as that takes, because the waiter clears its
// alarm before it returns.
//
// Rejected: taking the lock before the suspension and releasing it in `after` (the search for
// something to switch to would lengthen the critical section from tens of nanoseconds to
// microseconds); queues inside every mutex (48 bytes each, and no common proof).
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>

namespace artel::sched {

struct timed_waits;

// Suspends the caller while word == expected, until a wake_word on it. Returns false at once when
// the word has another value already; true after a wait, which may end without cause. Switches; any
// context, inside or outside the crew. Acquires what the waker did before wake_word.
bool wait_word(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// wait_word until at most `deadline`, in nanoseconds of CLOCK_MONOTONIC. False when that has passed
// without a wake-up; a caller that returns true because of a wake_word has taken that wake-up from
// the other waiters.
bool wait_word_until(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                     std::int64_t deadline) noexcept;

inline constexpr unsigned wake_all = INT_MAX;

// Wakes up to `count` waiters of the word, longest waiting first; returns how many of them were
// light threads. The caller has changed the word before. Costs a fence and a load when nobody waits
// in the word's bucket. Does not switch. Any thread.
unsigned wake_word(std::atomic<std::uint32_t>& word, unsigned count) noexcept;

// The number of waiters on all words; for statistics and tests, exact only when nothing changes.
unsigned words_waited_on() noexcept;

// OS threads that sleep in the kernel, as those of isolated light threads do, and go on when a time
// has come. Any thread.
timed_waits kernel_sleeps_until_deadlines() noexcept;

// In the child of a fork, where the waiters do not exist and the locks may have been held.
void reset_wait_words_after_fork() noexcept;

}  // namespace artel::sched
