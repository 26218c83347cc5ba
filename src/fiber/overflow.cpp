// The SIGSEGV handler. Only async-signal-safe calls: the text is built by hand and written with
// write(2).
#include "fiber/overflow.hpp"

#include "base/os/signals.hpp"
#include "fiber/fiber.hpp"
#include "fiber/persona.hpp"
#include "fiber/sanitizer.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace artel::fiber {
namespace {

struct sigaction previous_action;
std::atomic<bool> installed{false};

#if defined(ARTEL_ASAN) || defined(ARTEL_TSAN)
constexpr bool sanitizers_bring_their_own = true;
#else
constexpr bool sanitizers_bring_their_own = false;
#endif

constexpr std::size_t signal_stack_size = 32 * 1024;
// Below it: where a handler that uses more, or faults itself, ends the program.
constexpr std::size_t signal_stack_guard = 4096;

class line {  // a bounded text buffer
public:
    void text(const char* s) noexcept
    {
        while (*s != '\0' && used_ < sizeof(buffer_)) {
            buffer_[used_++] = *s++;
        }
    }
    void number(std::uint64_t value) noexcept
    {
        char digits[21];
        std::size_t at = sizeof(digits);
        digits[--at] = '\0';
        do {
            digits[--at] = static_cast<char>('0' + value % 10);
            value /= 10;
        } while (value != 0);
        text(&digits[at]);
    }
    void flush() noexcept
    {
        if (::write(STDERR_FILENO, buffer_, used_) < 0) {
            // there is nothing left to do
        }
    }

private:
    char buffer_[512];
    std::size_t used_ = 0;
};

// The fiber whose guard contains `address`, if the calling OS thread is running it.
const fiber* overflown(std::uintptr_t address) noexcept
{
    const carrier* const here = this_tls().current_carrier;
    if (here == nullptr || here->current == nullptr || here->current->type == kind::bound) {
        return nullptr;
    }
    const fiber& f = *here->current;
    const auto low = reinterpret_cast<std::uintptr_t>(f.stack.low);
    const std::size_t guard = f.type == kind::persona ? static_cast<const persona&>(f).guard_size
                                                      : stack_guard_size();
    return address >= low - guard && address < low ? &f : nullptr;
}

void on_fault(int signal, siginfo_t* info, void* context);

// Puts the program's own action back, and lets the kernel deliver the signal once more: with that
// action's mask and flags, and on the stack that it asks for. From then on overflows are not
// explained any more.
void pass_on(int signal, siginfo_t* info, void* context) noexcept
{
    struct sigaction now{};
    ::sigaction(SIGSEGV, nullptr, &now);
    const bool ours = (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault;
    const bool with_info = (previous_action.sa_flags & SA_SIGINFO) != 0 &&
                           previous_action.sa_sigaction != nullptr;
    // Not ours: called by a handler that was installed after us, and stays.
    if (!ours && with_info) {
        previous_action.sa_sigaction(signal, info, context);
        return;
    }
    if (!ours && previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
        previous_action.sa_handler(signal);
        return;
    }
    ::sigaction(SIGSEGV, &previous_action, nullptr);
    // A faulting instruction runs again. One that was sent is blocked here, and is delivered when
    // the handler returns.
    if (info->si_code <= 0) {
        base::os::send_again(*info);
    }
}

void on_fault(int signal, siginfo_t* info, void* context)
{
    // One that was sent has no address.
    const fiber* const f = info->si_code > 0
                               ? overflown(reinterpret_cast<std::uintptr_t>(info->si_addr))
                               : nullptr;
    if (f == nullptr) {
        pass_on(signal, info, context);
        return;
    }
    line l;
    l.text("artel: stack overflow in light thread ");
    l.number(f->id);
    l.text(f->type == kind::persona ? " (team member" : " (task");
    l.text(", stack of ");
    l.number(f->stack.size / 1024);
    l.text(" KiB); enlarge it with ");
    l.text(f->type == kind::persona ? "OMP_STACKSIZE" : "ARTEL_STACK_SIZE");
    l.text("\n");
    l.flush();
    // the instruction faults again and leaves a core at the right place.
    ::signal(SIGSEGV, SIG_DFL);
}

}  // namespace

void install_overflow_handler() noexcept
{
    if (sanitizers_bring_their_own) {
        return;
    }
    // acq_rel: a second caller may rely on the handler only after its own first fault, so nothing
    // more is needed.
    if (installed.exchange(true, std::memory_order_acq_rel)) {
        return;
    }
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGSEGV, &action, &previous_action);
}

void* ensure_signal_stack() noexcept
{
    stack_t current{};
    if (::sigaltstack(nullptr, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0) {
        return nullptr;
    }
    void* const mapped = ::mmap(nullptr, signal_stack_guard + signal_stack_size,
                                PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        // Overflows of light threads then end the program without the explanation.
        return nullptr;
    }
    ::mprotect(mapped, signal_stack_guard, PROT_NONE);
    void* const memory = static_cast<char*>(mapped) + signal_stack_guard;
    stack_t mine{};
    mine.ss_sp = memory;
    mine.ss_size = signal_stack_size;
    ::sigaltstack(&mine, nullptr);
    return memory;
}

void release_signal_stack(void* mine) noexcept
{
    stack_t current{};
    // If the program has put another one in its place, it may have kept the address of ours, to
    // restore it.
    if (mine == nullptr || ::sigaltstack(nullptr, &current) != 0 || current.ss_sp != mine ||
        (current.ss_flags & SS_DISABLE) != 0) {
        return;
    }
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (::sigaltstack(&none, nullptr) == 0) {
        ::munmap(static_cast<char*>(mine) - signal_stack_guard,
                 signal_stack_guard + signal_stack_size);
    }
}

}  // namespace artel::fiber
