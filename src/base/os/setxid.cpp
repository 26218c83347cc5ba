// The handler around the C library's. It may interrupt anything, so it uses no thread-local data:
// only direct system calls, and it restores the thread pointer.
#include "base/os/setxid.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace artel::base::os {
namespace {

// glibc's number (nptl: SIGSETXID), which its functions do not accept from programs.
constexpr int signal_number = 33;

// The structure for rt_sigaction, which differs from the C library's.
struct kernel_action {
    void (*handler)(int, siginfo_t*, void*) = nullptr;
    unsigned long flags = 0;
    void (*restorer)() = nullptr;
    std::uint64_t mask = 0;
};

long set_action(const kernel_action* action, kernel_action* before) noexcept
{
    return ::syscall(SYS_rt_sigaction, signal_number, action, before, sizeof(std::uint64_t));
}

// Written before the handler is installed, and constant afterwards. relaxed: by that.
std::atomic<void (*)(int, siginfo_t*, void*)> librarys{nullptr};
std::atomic<own_pointer_of> own_pointer{nullptr};
std::atomic<nudged> when_nudged{nullptr};

// The value sent with a nudge: all other signals of this number are the C library's.
const char mark = 0;

int calling_thread() noexcept
{
    long number = SYS_gettid;
    asm volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
    return static_cast<int>(number);
}

__attribute__((no_sanitize("address", "thread", "undefined"))) void handle(int number,
                                                                           siginfo_t* info,
                                                                           void* context)
{
    if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &mark) {
        // relaxed: see librarys.
        when_nudged.load(std::memory_order_relaxed)(
            calling_thread(), set_of(static_cast<const ucontext_t*>(context)->uc_sigmask));
        return;
    }
    // relaxed (two): see librarys.
    const thread_pointer own = own_pointer.load(std::memory_order_relaxed)(calling_thread());
    const auto inner = librarys.load(std::memory_order_relaxed);
    const thread_pointer now = read_thread_pointer();
    if (own == 0 || own == now) {
        inner(number, info, context);
        return;
    }
    write_thread_pointer(own);
    inner(number, info, context);
    write_thread_pointer(now);
}

}  // namespace

bool guard_setxid(own_pointer_of ask, nudged act) noexcept
{
    kernel_action action;
    if (set_action(nullptr, &action) != 0 || action.handler == nullptr) {
        return false;
    }
    if (action.handler == handle) {
        return true;
    }
    // Threads that come here at the same time store the same values. relaxed (three): see librarys.
    own_pointer.store(ask, std::memory_order_relaxed);
    librarys.store(action.handler, std::memory_order_relaxed);
    when_nudged.store(act, std::memory_order_relaxed);
    action.handler = handle;
    // Signals that a nudged thread sends to itself are delivered when the handler has returned.
    action.mask = ~std::uint64_t{0};
    return set_action(&action, nullptr) == 0;
}

void nudge(int thread) noexcept
{
    send_to_thread(thread, signal_number, true, reinterpret_cast<std::uintptr_t>(&mark));
}

}  // namespace artel::base::os
