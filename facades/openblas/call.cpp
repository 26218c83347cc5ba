// The trampolines, in assembler, to which real functions return, and what unwinders are told of
// them; and how a thread that is asleep in the kernel is seen from outside.
#include "call.hpp"

#include "base/os/keep_errno.hpp"
#include "callers.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

namespace ob = artel::openblas;

extern "C" {
[[gnu::visibility("hidden")]] extern const std::uint8_t artel_openblas_places[];
[[gnu::visibility("hidden")]] void* artel_openblas_returned(ob::call* at) noexcept;
[[gnu::visibility("hidden")]] _Unwind_Reason_Code artel_openblas_unwound(
    int version, _Unwind_Action actions, _Unwind_Exception_Class kind, _Unwind_Exception* what,
    _Unwind_Context* frame) noexcept;
[[gnu::visibility("hidden")]] constinit std::array<ob::call, 1024> artel_openblas_calls;
}

static_assert(sizeof(ob::call) == 128, "the places in the code below lead to calls of this size");
static_assert(offsetof(ob::call, return_to) == 0);

void* artel_openblas_returned(ob::call* at) noexcept
{
    void* const to = at->return_to;
    ob::go(at->free());
    return to;
}

// The personality routine: exceptions, pthread_exit() and the like unwind through the call. The
// place stays taken, because the unwinder still finds the caller by it.
_Unwind_Reason_Code artel_openblas_unwound(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                           _Unwind_Exception*, _Unwind_Context* frame) noexcept
{
    if ((actions & _UA_CLEANUP_PHASE) != 0) {
        const std::uintptr_t place = _Unwind_GetIP(frame) -
                                     reinterpret_cast<std::uintptr_t>(artel_openblas_places);
        ob::leave_by_exception(artel_openblas_calls[place / 16]);
    }
    return _URC_CONTINUE_UNWIND;
}

// The places, 16 bytes each: a jump, and the distance from there to the call. The function has
// popped the word with the address of the place from the stack. The word is still there, since
// nothing, not even a signal, writes directly below the stack pointer.
//
// Unwinders find the caller by it, too: the word below the frame has the address of the place; 8
// bytes after that address is the distance to the call, whose first member is the return address
// (calls come after code in memory, so the distance has no sign). The second escape says this; the
// first, that the caller's stack begins 8 bytes before the end of our frame. Unwinders identify
// frames by their ends, so ours must differ from those of the function and of the caller, which are
// at least 16 bytes apart. They look up the byte before a return address, so there is code before
// the first place.
//
// Results are in rax, rdx, xmm0, xmm1 and on the x87 stack, which our code does not use.
asm(R"(
        .text
        .globl  artel_openblas_places
        .hidden artel_openblas_places
        .p2align 4
        .cfi_startproc
        .cfi_personality 0x1b, artel_openblas_unwound
        .cfi_def_cfa %rsp, 8
        .cfi_escape 0x14, 7, 1
        .cfi_escape 0x10, 16, 9, 0x40, 0x1c, 0x06, 0x23, 8, 0x12, 0x94, 4, 0x22
        .skip   16, 0xcc
        .type   artel_openblas_places, @function
artel_openblas_places:
        .set    at, 0
        .rept   1024
        .byte   0xe9
        .long   artel_openblas_left - . - 4
        .skip   3, 0xcc
        .long   artel_openblas_calls + at - .
        .skip   4, 0xcc
        .set    at, at + 128
        .endr
        .size   artel_openblas_places, .-artel_openblas_places
artel_openblas_left:
        leaq    -8(%rsp), %rsp
        .cfi_adjust_cfa_offset 8
        pushq   %rax
        .cfi_adjust_cfa_offset 8
        pushq   %rdx
        .cfi_adjust_cfa_offset 8
        subq    $40, %rsp
        .cfi_adjust_cfa_offset 40
        movups  %xmm0, 0(%rsp)
        movups  %xmm1, 16(%rsp)
        movq    56(%rsp), %rax
        movslq  8(%rax), %rdx
        leaq    8(%rax,%rdx), %rdi
        call    artel_openblas_returned
        movq    %rax, 56(%rsp)
        .cfi_offset %rip, -16
        movups  0(%rsp), %xmm0
        movups  16(%rsp), %xmm1
        addq    $40, %rsp
        .cfi_adjust_cfa_offset -40
        popq    %rdx
        .cfi_adjust_cfa_offset -8
        popq    %rax
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
)");

namespace artel::openblas {

void* place_of_return(const call& of) noexcept
{
    return const_cast<std::uint8_t*>(artel_openblas_places) +
           (&of - artel_openblas_calls.data()) * 16;
}

namespace {

// stack_pointer: of a thread that is asleep in the kernel.
enum class thread_state : std::uint8_t { unknown, ended, asleep };
struct seen_thread {
    thread_state state;
    std::uintptr_t stack_pointer = 0;
};

// Whether /proc calls threads by the numbers that they have here: it may be that of another PID
// namespace, where none or another thread has the number.
bool is_own_proc() noexcept
{
    std::array<char, 64> found{}, own{};
    std::snprintf(own.data(), own.size(), "%d/task/%d", ::getpid(), ::gettid());
    return ::readlink("/proc/thread-self", found.data(), found.size() - 1) > 0 &&
           std::strcmp(found.data(), own.data()) == 0;
}

// What the number alone tells, also where there is no file for it.
thread_state look_at_number(pid_t thread) noexcept
{
    const bool ended = ::tgkill(::getpid(), thread, 0) != 0 && errno == ESRCH;
    return ended ? thread_state::ended : thread_state::unknown;
}

seen_thread look_at(pid_t thread) noexcept
{
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), "/proc/self/task/%d/syscall", thread);
    const int file = is_own_proc() ? ::open(name.data(), O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return {look_at_number(thread)};
    }
    std::array<char, 256> text{};
    const ssize_t size = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    // "running", or numbers, of which the last two are the stack and the instruction pointer.
    const char* const last = size > 0 ? std::strrchr(text.data(), ' ') : nullptr;
    if (last == nullptr) {
        return {look_at_number(thread)};
    }
    const char* before = last;
    while (before != text.data() && *--before != ' ') {
    }
    return {thread_state::asleep, std::strtoull(before, nullptr, 16)};
}

// Called by the thread that has taken the place.
void write(call& at, call_word word, pid_t thread) noexcept
{
    at.thread.store(thread, std::memory_order_relaxed);  // relaxed: before the word
    at.return_to = *word.at();
    *word.at() = place_of_return(at);
    // release: pairs with the acquire of threads that check whether the call was abandoned.
    at.word.store(word.bits(), std::memory_order_release);
}

constinit std::atomic<unsigned> beginners{0};
constinit std::atomic<unsigned> used{0};

// relaxed, all: a number that only grows; a thread that sees it late misses new places only until
// its next check.
void note_used(unsigned places) noexcept
{
    unsigned known = used.load(std::memory_order_relaxed);
    while (known < places &&
           !used.compare_exchange_weak(known, places, std::memory_order_relaxed)) {
    }
}

// No stack is expected to be larger: an address further above belongs to another one.
constexpr std::uintptr_t largest_stack = std::uintptr_t{1} << 30;

}  // namespace

call_word call::withdraw() noexcept
{
    // relaxed, all: the word says all there is to know.
    std::uintptr_t bits = word.load(std::memory_order_relaxed);
    while (call_word(bits).counted()) {
        const std::uintptr_t uncounted = call_word(bits).not_counted().unmarked().bits();
        if (word.compare_exchange_weak(bits, uncounted, std::memory_order_relaxed)) {
            return call_word(bits);
        }
    }
    return {};
}

call_word call::free() noexcept
{
    // release: pairs with the acquire in begin_call(), whose caller writes return_to.
    return call_word(word.exchange(0, std::memory_order_release));
}

bool call::free_if(call_word known) noexcept
{
    // relaxed: compared by the exchange.
    std::uintptr_t bits = word.load(std::memory_order_relaxed);
    while (call_word(bits).unmarked() == known.unmarked()) {
        // release: as in free(). relaxed on failure: a mark, or the place belongs to another call.
        if (word.compare_exchange_weak(bits, 0, std::memory_order_release,
                                       std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

bool call::mark(call_word known) noexcept
{
    std::uintptr_t bits = known.bits();
    // acquire: pairs with the release in write(), which may be that of a later call than the one
    // that was seen. relaxed on failure: nothing is read.
    return word.compare_exchange_strong(bits, known.marked().bits(), std::memory_order_acquire,
                                        std::memory_order_relaxed);
}

bool call::unmark(call_word known, call_word then) noexcept
{
    std::uintptr_t bits = known.marked().bits();
    // release: as in free(). relaxed on failure: the call has ended or changed meanwhile.
    return word.compare_exchange_strong(bits, then.bits(), std::memory_order_release,
                                        std::memory_order_relaxed);
}

call* begin_call(call_word word, pid_t thread, call* before) noexcept
{
    constexpr unsigned count = artel_openblas_calls.size();
    // relaxed: a place to begin with, no more.
    const unsigned first = before != nullptr
                               ? static_cast<unsigned>(before - artel_openblas_calls.data())
                               : beginners.fetch_add(1, std::memory_order_relaxed);
    for (unsigned i = 0; i < count; ++i) {
        const unsigned at = (first + i) % count;
        call& each = artel_openblas_calls[at];
        std::uintptr_t none = 0;
        // relaxed: a check before the exchange.
        if (each.word.load(std::memory_order_relaxed) == 0 &&
            // seq_cst: pairs with the fence before a fork (fork.cpp); and with the release in
            // free().
            each.word.compare_exchange_strong(none, word.beginning().bits(),
                                              std::memory_order_seq_cst)) {
            note_used(at + 1);
            write(each, word, thread);
            return &each;
        }
    }
    return nullptr;
}

bool begin_again(call& at, call_word word, pid_t thread) noexcept
{
    std::uintptr_t before = at.word.load(std::memory_order_relaxed);  // relaxed: see the exchange
    if (call_word(before).counted() || call_word(before).is_beginning() ||
        // seq_cst: as in begin_call().
        !at.word.compare_exchange_strong(before, word.beginning().bits(),
                                         std::memory_order_seq_cst)) {
        return false;
    }
    write(at, word, thread);
    return true;
}

bool is_intact(const call& at, call_word word) noexcept
{
    const base::os::keep_errno keep;
    const void* found = nullptr;
    iovec here{static_cast<void*>(&found), sizeof found}, there{word.at(), sizeof found};
    const ssize_t read = ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0);
    if (read == sizeof found) {
        return found == place_of_return(at);
    }
    return errno != EFAULT;  // other errors: reading is not permitted
}

left is_left(const call& at, call_word word) noexcept
{
    if (!is_intact(at, word)) {
        return {true, true};
    }
    const base::os::keep_errno keep;
    // relaxed: written before the word
    const seen_thread thread = look_at(at.thread.load(std::memory_order_relaxed));
    const auto frame = reinterpret_cast<std::uintptr_t>(word.at());
    switch (thread.state) {
    case thread_state::unknown: break;
    case thread_state::ended: return {true, !word.on_worker()};
    case thread_state::asleep:
        return {thread.stack_pointer > frame && thread.stack_pointer - frame < largest_stack,
                false};
    }
    return {};
}

std::span<call> all_calls() noexcept
{
    // relaxed: see note_used().
    return {artel_openblas_calls.data(), used.load(std::memory_order_relaxed)};
}

}  // namespace artel::openblas
