// Who waits for a full/empty word: the line of waiters, and the rule by which it moves. The state
// of the word, its value and the lock over both belong to the caller; here is only who may go on
// when the state has changed. Public because artel::feb is a template around it.
//
// Values are handed over: whoever makes a word full or empty performs the operations of the waiters
// that this lets through, under the caller's lock, through their `transfer`. So a waiter that is
// woken is done and compares nothing again, and nobody overtakes it.
//
// Two sorts of waiters never stand in one line: while a word is empty only those wait that want it
// full, and the other way round.
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

// Lies on the waiter's stack. Belongs to whoever holds the word's lock while it stands in the line,
// and to whoever took it out from then on, until that one sets `done`.
struct feb_waiter {
    feb_waiter(feb_wish w, void (*perform)(feb_waiter&) noexcept) noexcept
        : transfer(perform), wish(w)
    {}
    void (*transfer)(feb_waiter&) noexcept;  // performs the operation, under the lock
    feb_waiter* next = nullptr;
    sched::latch done;
    std::uint64_t who = 0;  // number of the light thread that waits, for reports
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

// Performs the operations of those in the line who may go on, the word being `full` or not, and
// moves them to `served`: of a full word first all that leave it full, in their order, then one
// that takes; of an empty one, one that puts; and so on. Returns whether the word is full then. The
// caller holds the word's lock.
ARTEL_API bool feb_serve(feb_line& line, bool full, feb_line& served) noexcept;

// Lets the served go on, longest waiting first. After the caller has released the word's lock: the
// word may be gone as soon as one of them goes on. Any thread; does not switch.
ARTEL_API void feb_release(feb_line& served) noexcept;

// Suspends the caller until its operation was performed by another. `w` stands in a line, and the
// word's lock has been released. Switches; any context.
ARTEL_API void feb_wait(feb_waiter& w) noexcept;

// The number of the calling light thread for feb_waiter::who; 0 on a thread outside of the crew.
ARTEL_API std::uint64_t feb_caller() noexcept;

// Spins once more for a lock that somebody else holds for some instructions.
ARTEL_API void feb_spin(unsigned& round) noexcept;

}  // namespace artel::detail
