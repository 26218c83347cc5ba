// The calls that are active: each has a place in a table while it lasts. A trampoline with the same
// number in our code (call.cpp) replaces the caller's return address; the real function returns
// there.
//
// Invariant: a place is given to another call only when no function can return through it any more.
// A call either returns, or is abandoned by an exception, longjmp(), or the end of its thread. An
// exception passes artel_openblas_unwound, since the trampoline has unwind information that leads
// to the caller. For the other ways a check finds that the word on the stack from which the
// function would take its return address has changed, that the thread is asleep with its stack
// pointer above that word, or that the thread has ended. While it checks, the word of the place
// carries its mark, which every other change of the word removes: the thread may end the call
// meanwhile and begin the next one, of which all else in the word is the same.
//
// Rejected: a frame of our own around the real call, which must copy arguments without knowing
// their number; the return address in thread-local memory, where no unwinder finds it.
#pragma once

#include "base/cpu.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <sys/types.h>

namespace artel::openblas {

// The address of the caller's return address, and facts about the caller, in one word. 0: no call.
class call_word {
public:
    constexpr call_word() noexcept = default;
    explicit constexpr call_word(std::uintptr_t bits) noexcept : bits_(bits) {}
    // A counted call; `limit` is below 128.
    call_word(void** at, bool in_crew, bool on_worker, unsigned limit) noexcept
        : bits_(reinterpret_cast<std::uintptr_t>(at) | counted_bit |
                (std::uintptr_t{in_crew} << 57) | (std::uintptr_t{on_worker} << 56) |
                (std::uintptr_t{limit} << 49))
    {}

    std::uintptr_t bits() const noexcept { return bits_; }
    bool is_none() const noexcept { return bits_ == 0; }
    // User-space addresses are below 2^47.
    void** at() const noexcept { return reinterpret_cast<void**>(bits_ & address_bits); }
    bool counted() const noexcept { return (bits_ & counted_bit) != 0; }
    // The crew counts the caller as busy.
    bool in_crew() const noexcept { return (bits_ >> 57 & 1) != 0; }
    // The caller is on a worker, perhaps as a light thread that continues elsewhere.
    bool on_worker() const noexcept { return (bits_ >> 56 & 1) != 0; }
    // The thread's own limit for its calls; 0: none.
    unsigned limit() const noexcept { return static_cast<unsigned>(bits_ >> 49 & 127); }
    call_word not_counted() const noexcept { return call_word(bits_ & ~counted_bit); }
    // The place is taken, but not yet filled in: no other thread may touch it.
    bool is_beginning() const noexcept { return (bits_ & beginning_bit) != 0; }
    call_word beginning() const noexcept { return call_word(bits_ | beginning_bit); }
    // A look for abandoned calls is checking this one.
    call_word marked() const noexcept { return call_word(bits_ | mark_bit); }
    call_word unmarked() const noexcept { return call_word(bits_ & ~mark_bit); }

    friend bool operator==(call_word, call_word) = default;

private:
    static constexpr std::uintptr_t counted_bit = std::uintptr_t{1} << 58;
    static constexpr std::uintptr_t beginning_bit = std::uintptr_t{1} << 59;
    static constexpr std::uintptr_t mark_bit = std::uintptr_t{1} << 60;
    static constexpr std::uintptr_t address_bits = (std::uintptr_t{1} << 49) - 1;
    std::uintptr_t bits_ = 0;
};

// One place of the table. The code in call.cpp and unwinders rely on the position of return_to.
struct alignas(base::cache_line) call {
    void* return_to = nullptr;
    std::atomic<std::uintptr_t> word{0};
    std::atomic<pid_t> thread{0};
    // For the thread that looks for abandoned calls: the word that it saw last, and how often.
    std::uintptr_t seen = 0;
    unsigned times = 0;

    // relaxed: compared with what this thread wrote, or followed by an exchange.
    call_word now() const noexcept { return call_word(word.load(std::memory_order_relaxed)); }
    // The call no longer counts. Returns the previous word if this caller has changed it; else
    // none.
    call_word withdraw() noexcept;
    // Frees the place: no function returns through it any more. Returns the previous word.
    call_word free() noexcept;
    bool free_if(call_word known) noexcept;

    // For the look for abandoned calls, one thread at a time. False: another call is there, or the
    // word has changed.
    bool mark(call_word known) noexcept;
    // The end of the check: the place gets the word `then`, none to free it, if the call that was
    // marked is still there.
    bool unmark(call_word known, call_word then) noexcept;
};

// Takes a free place, if there is one, for a call whose return address is at word.at(), and
// replaces that address. The search begins at `before`; nullptr: at a place where no other thread
// begins.
call* begin_call(call_word word, pid_t thread, call* before) noexcept;

// The same in the place of this thread's previous call, which was abandoned for good. False:
// another call has it.
bool begin_again(call& at, call_word word, pid_t thread) noexcept;

// Whether the call was abandoned. Takes system calls of some us. False: it was not, or this is
// unknown. `for_good`: no function can return through it.
struct left {
    bool left = false, for_good = false;
};
left is_left(const call& at, call_word word) noexcept;

// Whether the word on the stack is unchanged. Takes a system call, since the memory may be
// unmapped.
bool is_intact(const call& at, call_word word) noexcept;

// The places that have been used so far.
std::span<call> all_calls() noexcept;

// An exception, or the end of the thread, abandons the call (caller.cpp).
void leave_by_exception(call& at) noexcept;

}  // namespace artel::openblas
