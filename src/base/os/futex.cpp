// Linux futex system calls behind base/os/futex.hpp; errno of the caller is preserved because
// foreign code runs on top.
#include "base/os/futex.hpp"

#include "base/os/keep_errno.hpp"

#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace artel::base::os {
namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept
{
    static_assert(sizeof(word) == sizeof(std::uint32_t));
    const keep_errno guard;
    return ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

// A futex call that cannot write errno.
__attribute__((no_sanitize("address", "thread", "undefined"), always_inline)) inline void
bare_futex(const void* word, int operation, std::uint32_t value) noexcept
{
#if defined(__x86_64__)
    long result;
    register const void* timeout asm("r10") = nullptr;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(SYS_futex), "D"(word), "S"(operation | FUTEX_PRIVATE_FLAG), "d"(value),
                   "r"(timeout)
                 : "rcx", "r11", "memory");
#else
    ::syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr,
              0);  // thread pointers are not borrowed here
#endif
}

}  // namespace

__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) void announce_and_park(
    std::atomic<std::uint32_t>& word) noexcept
{
    // Builtins rather than member functions, which would be instrumented.
    auto* const state = reinterpret_cast<std::uint32_t*>(&word);
    // release: pairs with the acquire of threads that wait for the word.
    if (__atomic_exchange_n(state, parked, __ATOMIC_RELEASE) == awaited) {
        bare_futex(state, FUTEX_WAKE, 1);
    }
    // acquire: pairs with the release of the thread that sets `dismissed`.
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) == parked) {
        bare_futex(state, FUTEX_WAIT, parked);
    }
}

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept
{
    futex(word, FUTEX_WAIT, expected, nullptr);
}

void futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t microseconds) noexcept
{
    timespec timeout{};
    timeout.tv_sec = static_cast<time_t>(microseconds / 1000000);
    timeout.tv_nsec = static_cast<long>(microseconds % 1000000) * 1000;
    futex(word, FUTEX_WAIT, expected, &timeout);
}

void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept
{
    futex(word, FUTEX_WAKE, static_cast<std::uint32_t>(count), nullptr);
}

}  // namespace artel::base::os
