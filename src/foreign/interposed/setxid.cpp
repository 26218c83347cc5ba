// setuid and its kin: interposed names of libc. The C library's function changes the calling kernel
// thread and all threads in its list except the one that the thread pointer belongs to. On a
// persona that is not the kernel thread that runs it, but the parked one whose TLS the persona has,
// and the carrying thread would keep its rights. So the call is made under the carrying thread's
// own thread pointer. base/os/setxid.hpp sees to it that other threads can answer.
#include "base/os/thread_pointer.hpp"
#include "sched/crew.hpp"

#include <cerrno>
#include <dlfcn.h>
#include <grp.h>
#include <unistd.h>

namespace {

using namespace artel;

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
    const sched::worker* const w = sched::this_worker();
    const base::os::thread_pointer now = base::os::read_thread_pointer();
    if (w == nullptr || w->own_thread_pointer == now) {
        return call();
    }
    // Nothing in between switches light threads.
    base::os::write_thread_pointer(w->own_thread_pointer);
    const outcome o = made(call);
    base::os::write_thread_pointer(now);
    if (o.result != 0) {
        set_errno(o.error);
    }
    return o.result;
}

template <class... Arguments>
int next(const char* name, Arguments... arguments) noexcept
{
    using function = int (*)(Arguments...);
    const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, name));
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
    return next("setuid", u);
}
[[gnu::visibility("default")]] int setgid(gid_t g) noexcept
{
    return next("setgid", g);
}
[[gnu::visibility("default")]] int seteuid(uid_t u) noexcept
{
    return next("seteuid", u);
}
[[gnu::visibility("default")]] int setegid(gid_t g) noexcept
{
    return next("setegid", g);
}
[[gnu::visibility("default")]] int setreuid(uid_t r, uid_t e) noexcept
{
    return next("setreuid", r, e);
}
[[gnu::visibility("default")]] int setregid(gid_t r, gid_t e) noexcept
{
    return next("setregid", r, e);
}
[[gnu::visibility("default")]] int setresuid(uid_t r, uid_t e, uid_t s) noexcept
{
    return next("setresuid", r, e, s);
}
[[gnu::visibility("default")]] int setresgid(gid_t r, gid_t e, gid_t s) noexcept
{
    return next("setresgid", r, e, s);
}
[[gnu::visibility("default")]] int setgroups(size_t n, const gid_t* groups) noexcept
{
    return next("setgroups", n, groups);
}
}
