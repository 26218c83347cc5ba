// setuid and its kin: interposed names of libc. The C library's function has every thread in its
// list make the system call, and makes it itself for the thread that the thread pointer belongs to.
// On a persona that is not the kernel thread that runs it, which has made the call already, but the
// parked one whose TLS the persona has: that would keep its rights. So the call is made under the
// carrying thread's own thread pointer. base/os/setxid.hpp sees to it that other threads can
// answer.
#include "base/os/thread_pointer.hpp"
#include "fiber/signals.hpp"
#include "foreign/next_function.hpp"
#include "sched/crew.hpp"

#include <cerrno>
#include <grp.h>
#include <unistd.h>

namespace {

using namespace artel;
using foreign::next_function;

struct outcome {
    int result;
    int error;
};

// Not inlined: the address of errno must be computed under the current thread pointer.
template <class Call>
__attribute__((noinline)) outcome made(Call call) noexcept
{
    const int result = call();
    return {result, errno};
}

__attribute__((noinline)) void set_errno(int value) noexcept
{
    errno = value;
}

template <class Call>
int under_own_pointer(Call call) noexcept
{
    sched::worker* const w = sched::this_worker();
    const base::os::thread_pointer now = base::os::read_thread_pointer();
    if (w == nullptr || w->own_thread_pointer == now) {
        return call();
    }
    // Nothing in between switches light threads.
    base::os::write_thread_pointer(w->own_thread_pointer);
    const outcome o = made(call);
    base::os::write_thread_pointer(now);
    if (fiber::signal_masks_matter()) {
        // Nudges meanwhile have done nothing.
        fiber::send_pending_on(*w, base::os::blocked_now());
    }
    if (o.result != 0) {
        set_errno(o.error);
    }
    return o.result;
}

constinit next_function<int(uid_t)> librarys_setuid("setuid");
constinit next_function<int(gid_t)> librarys_setgid("setgid");
constinit next_function<int(uid_t)> librarys_seteuid("seteuid");
constinit next_function<int(gid_t)> librarys_setegid("setegid");
constinit next_function<int(uid_t, uid_t)> librarys_setreuid("setreuid");
constinit next_function<int(gid_t, gid_t)> librarys_setregid("setregid");
constinit next_function<int(uid_t, uid_t, uid_t)> librarys_setresuid("setresuid");
constinit next_function<int(gid_t, gid_t, gid_t)> librarys_setresgid("setresgid");
constinit next_function<int(size_t, const gid_t*)> librarys_setgroups("setgroups");

// Looked up when the library is loaded: dlsym() waits for a lock whose holder may wait for a
// persona that calls one of these.
[[maybe_unused]] const bool all_found = librarys_setuid.get() && librarys_setgid.get() &&
                                        librarys_seteuid.get() && librarys_setegid.get() &&
                                        librarys_setreuid.get() && librarys_setregid.get() &&
                                        librarys_setresuid.get() && librarys_setresgid.get() &&
                                        librarys_setgroups.get();

template <class Function, class... Arguments>
int call(next_function<Function>& next, Arguments... arguments) noexcept
{
    Function* const real = next.get();
    if (real == nullptr) {
        errno = ENOSYS;
        return -1;
    }
    return under_own_pointer([=] { return real(arguments...); });
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int setuid(uid_t u) noexcept
{
    return call(librarys_setuid, u);
}
[[gnu::visibility("default")]] int setgid(gid_t g) noexcept
{
    return call(librarys_setgid, g);
}
[[gnu::visibility("default")]] int seteuid(uid_t u) noexcept
{
    return call(librarys_seteuid, u);
}
[[gnu::visibility("default")]] int setegid(gid_t g) noexcept
{
    return call(librarys_setegid, g);
}
[[gnu::visibility("default")]] int setreuid(uid_t r, uid_t e) noexcept
{
    return call(librarys_setreuid, r, e);
}
[[gnu::visibility("default")]] int setregid(gid_t r, gid_t e) noexcept
{
    return call(librarys_setregid, r, e);
}
[[gnu::visibility("default")]] int setresuid(uid_t r, uid_t e, uid_t s) noexcept
{
    return call(librarys_setresuid, r, e, s);
}
[[gnu::visibility("default")]] int setresgid(gid_t r, gid_t e, gid_t s) noexcept
{
    return call(librarys_setresgid, r, e, s);
}
[[gnu::visibility("default")]] int setgroups(size_t n, const gid_t* groups) noexcept
{
    return call(librarys_setgroups, n, groups);
}
}
