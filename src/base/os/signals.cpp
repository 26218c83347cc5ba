// System calls by number: glibc's functions know another size of the set, hide two signals of its
// own, and may be interposed by the drop-in.
#include "base/os/signals.hpp"

#include "base/os/keep_errno.hpp"

#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#endif

namespace artel::base::os {

signal_set change_blocked(int how, signal_set set) noexcept
{
    signal_set before = 0;
    ::syscall(SYS_rt_sigprocmask, how, &set, &before, sizeof before);
    return before;
}

signal_set blocked_now() noexcept
{
    signal_set now = 0;
    ::syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &now, sizeof now);
    return now;
}

void send_again(siginfo_t& info) noexcept
{
    ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), this_kernel_thread(), info.si_signo, &info);
}

int this_kernel_thread() noexcept
{
    return static_cast<int>(::syscall(SYS_gettid));
}

void send_to_thread(int thread, int signal, bool queued, std::uintptr_t value) noexcept
{
    siginfo_t info;
    std::memset(&info, 0, sizeof info);
    info.si_signo = signal;
    info.si_code = queued ? SI_QUEUE : SI_TKILL;
    info.si_pid = ::getpid();
    info.si_uid = ::getuid();
    if (queued) {
        info.si_value.sival_ptr = reinterpret_cast<void*>(value);
    }
    ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), thread, signal, &info);
}

signal_set pending_for_this_thread() noexcept
{
    const keep_errno guard;
    const int file = static_cast<int>(
        ::syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/status", O_RDONLY | O_CLOEXEC));
    if (file < 0) {
        return 0;
    }
    constexpr std::string_view name = "\nSigPnd:\t";
    std::size_t matched = 0;  // characters of the name
    signal_set pending = 0;
    bool ended = false;
    char text[512];
    for (long n = 0; !ended && (n = ::syscall(SYS_read, file, text, sizeof text)) > 0;) {
        for (const char c : std::string_view(text, static_cast<std::size_t>(n))) {
            if (matched < name.size()) {
                matched = c == name[matched] ? matched + 1 : c == name[0] ? 1 : 0;
            } else if (c == '\n') {
                ended = true;
                break;
            } else {
                pending = pending << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
            }
        }
    }
    ::syscall(SYS_close, file);
    return pending;
}

bool take_from_this_thread(int signal) noexcept
{
    // The kernel gives what was sent to the thread before what was sent to the process.
    const keep_errno guard;
    const signal_set just = set_of(signal);
    const timespec at_once{};
    return (pending_for_this_thread() & just) != 0 &&
           ::syscall(SYS_rt_sigtimedwait, &just, nullptr, &at_once, sizeof just) == signal;
}

namespace {

#if defined(SYS_membarrier) && __has_include(<linux/membarrier.h>)
bool register_for_fences() noexcept
{
    return ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool fence_registered() noexcept
{
    return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}
#else
bool register_for_fences() noexcept
{
    return false;
}

bool fence_registered() noexcept
{
    return false;
}
#endif

}  // namespace

bool fence_on_all_threads() noexcept
{
    // Registered once for the process; registering again costs nothing: the child of a fork may
    // come here first.
    return register_for_fences() && fence_registered();
}

bool prepare_fence_on_all_threads() noexcept
{
    const keep_errno guard;
    return __libc_single_threaded != 0 && register_for_fences();
}

}  // namespace artel::base::os
