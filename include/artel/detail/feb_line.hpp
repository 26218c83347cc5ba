// The queue of waiters of a full/empty word, and the order in which they are served. The state of
// the word, its value and the lock over both belong to the caller; this header decides only which
// waiters may continue when the state has changed. Public because artel::feb is a template around
// it.
//
// Values are handed over: the thread that makes a word full or empty performs the operations of the
// waiters that this allows, under the caller's lock, through their `transfer`. So a woken waiter
// has finished and checks nothing again, and no other thread can overtake it.
//
// The two kinds of waiters are never in one queue: while a word is empty all waiters wait until it
// is full, and the other way round.
#pragma once

#include <artel/detail/latch.hpp>
#include <artel/export.hpp>
#include <cstdint>

namespace artel::detail {

enum class feb_wish : std::uint8_t {
    leave_full,  // waits until full, leaves it so: read_ff, write_ff
    take,        // waits until full, leaves it empty: read_fe
    put          // waits until empty, leaves it full: write_ef
};

// Lies on the waiter's stack. Belongs to the holder of the word's lock while it is in the queue;
// from then on to the thread that took it out, until that one sets `done`.
struct feb_waiter {
    feb_waiter(feb_wish w, void (*perform)(feb_waiter&) noexcept) noexcept
        : transfer(perform), wish(w)
    {}
    void (*transfer)(feb_waiter&) noexcept;  // performs the operation, under the lock
    feb_waiter* next = nullptr;
    sched::latch done;
    std::uint64_t who = 0;  // number of the waiting light thread, for reports
    feb_wish wish;
};

struct feb_line {
    feb_waiter* first = nullptr;
    feb_waiter* last = nullptr;

    bool empty() const noexcept { return first == nullptr; }
    void append(feb_waiter& w) noexcept
    {
        w.next = nullptr;
        (last != nullptr ? last->next : first) = &w;
        last = &w;
    }
};

// Performs the operations of the waiters that may continue on a word that is full (or empty), and
// moves them to `served`. On a full word: all that leave it full, in their order, then one that
// empties it. On an empty word: one that fills it. And so on. Returns whether the word is full
// afterwards. The caller holds the word's lock.
ARTEL_API bool feb_serve(feb_line& line, bool full, feb_line& served) noexcept;

// Wakes the served waiters, the longest waiting first. Called after the word's lock was released:
// the word may be freed as soon as one of them continues. Any thread; does not switch.
ARTEL_API void feb_release(feb_line& served) noexcept;

// Suspends the caller until another thread has performed its operation. `w` is in a queue, and the
// word's lock has been released. Switches; any context.
ARTEL_API void feb_wait(feb_waiter& w) noexcept;

// The number of the calling light thread for feb_waiter::who; 0 on a thread outside of the crew.
ARTEL_API std::uint64_t feb_caller() noexcept;

// Pauses once between two attempts at a lock that is held for a few instructions.
ARTEL_API void feb_spin(unsigned& round) noexcept;

}  // namespace artel::detail
