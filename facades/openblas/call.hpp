// The calls under way: each has a place in a table while it lasts, and a place of the same number
// in our code (call.cpp) stands for where its caller goes on. The real function returns there.
//
// What must always hold: a place is given to another call only when nobody can return through it
// any more. A call ends by returning; or it is left, by an exception, longjmp(), or the end of its
// thread. Who leaves by an exception passes by artel_openblas_unwound, since the place in our code
// says to unwinders where the caller is. Who leaves otherwise is seen by that: the word from which
// the function would take the address to return to, which lies where the caller put it, has another
// value, or its thread is asleep above it, or has ended.
//
// Rejected: a frame of our own around the real call, which must copy arguments without knowing how
// many there are; the address of the caller in memory of the thread, where no unwinder finds it.
#pragma once

#include "base/cpu.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <sys/types.h>

namespace artel::openblas {

// Where the caller's address to return to was, and more of who calls, in one word. 0: no call.
class call_word {
public:
    constexpr call_word() noexcept = default;
    explicit constexpr call_word(std::uintptr_t bits) noexcept : bits_(bits) {}
    // Counted; `limit` is below 128.
    call_word(void** at, bool in_crew, bool on_worker, unsigned limit) noexcept
        : bits_(reinterpret_cast<std::uintptr_t>(at) | counted_bit |
                (std::uintptr_t{in_crew} << 57) | (std::uintptr_t{on_worker} << 56) |
                (std::uintptr_t{limit} << 49))
    {}

    std::uintptr_t bits() const noexcept { return bits_; }
    bool is_none() const noexcept { return bits_ == 0; }
    // Under user space's 2^47 addresses.
    void** at() const noexcept { return reinterpret_cast<void**>(bits_ & address_bits); }
    bool counted() const noexcept { return (bits_ & counted_bit) != 0; }
    // The crew counts its caller as busy.
    bool in_crew() const noexcept { return (bits_ >> 57 & 1) != 0; }
    // A worker made it, perhaps for a light thread that goes on elsewhere.
    bool on_worker() const noexcept { return (bits_ >> 56 & 1) != 0; }
    // What its thread allows its calls; 0: no such limit.
    unsigned limit() const noexcept { return static_cast<unsigned>(bits_ >> 49 & 127); }
    call_word not_counted() const noexcept { return call_word(bits_ & ~counted_bit); }
    // The place is taken, but nothing is written yet: nobody else may touch it.
    bool is_beginning() const noexcept { return (bits_ & beginning_bit) != 0; }
    call_word beginning() const noexcept { return call_word(bits_ | beginning_bit); }

    friend bool operator==(call_word, call_word) = default;

private:
    static constexpr std::uintptr_t counted_bit = std::uintptr_t{1} << 58;
    static constexpr std::uintptr_t beginning_bit = std::uintptr_t{1} << 59;
    static constexpr std::uintptr_t address_bits = (std::uintptr_t{1} << 49) - 1;
    std::uintptr_t bits_ = 0;
};

// One place of the table. Code in call.cpp and unwinders know where return_to is.
struct alignas(base::cache_line) call {
    void* return_to = nullptr;
    std::atomic<std::uintptr_t> word{0};
    std::atomic<pid_t> thread{0};
    // For the thread that looks who has left: the word that was seen at the last look, and how
    // often.
    std::uintptr_t seen = 0;
    unsigned times = 0;

    // relaxed: compared with what this thread wrote, or followed by an exchange.
    call_word now() const noexcept { return call_word(word.load(std::memory_order_relaxed)); }
    // It does not count from here on. Which word it had if that is this caller's doing; else none.
    call_word withdraw() noexcept;
    bool withdraw_if(call_word known) noexcept;
    // Nobody returns through it any more. Which word it had.
    call_word free() noexcept;
    bool free_if(call_word known) noexcept;
};

// A free place, if there is one, for a call that returns to *word.at(), which is changed. It is
// looked for from `before` on; nullptr: from a place that no other thread begins with.
call* begin_call(call_word word, pid_t thread, call* before) noexcept;

// The same in a place that this thread's call before has left for good. False: it has been given to
// another one.
bool begin_again(call& at, call_word word, pid_t thread) noexcept;

// Has the call been left? Asks the system, for some us. False: not, or it cannot be told.
// `for_good`: nobody can return through it.
struct left {
    bool left = false, for_good = false;
};
left is_left(const call& at, call_word word) noexcept;

// Is the word on the stack still what it was? Asks the system, since the memory may be gone.
bool is_intact(const call& at, call_word word) noexcept;

// The places that have been used.
std::span<call> all_calls() noexcept;

// An exception, or the end of the thread, leaves the call (caller.cpp).
void leave_by_exception(call& at) noexcept;

}  // namespace artel::openblas
