// Signal masks of personas, and signals for personas: interposed names of libc. To the kernel a
// mask belongs to the thread that carries the persona, and pthread_kill() names the parked thread
// whose TLS the persona has, where all signals are blocked. fiber/signals.hpp makes both belong to
// the persona; the functions here keep it informed. The same holds for a thread of the program
// while its OS thread may carry personas. Where personas are OS threads, and for all other threads,
// the C library's functions are used.
//
// Not covered: masks set by siglongjmp() and setcontext(), or by direct system calls. Masks set in
// signal handlers are left to the kernel, which undoes them.
#include "fiber/signals.hpp"
#include "foreign/next_function.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/guest_scope.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace {

using namespace artel;
using base::os::set_of;
using base::os::signal_set;
using foreign::next_function;

constinit next_function<int(int, const sigset_t*, sigset_t*)> librarys_pthread_sigmask(
    "pthread_sigmask");
constinit next_function<int(int, const sigset_t*, sigset_t*)> librarys_sigprocmask("sigprocmask");
constinit next_function<int(pthread_t, int)> librarys_pthread_kill("pthread_kill");
constinit next_function<int(pthread_t, int, const union sigval)> librarys_pthread_sigqueue(
    "pthread_sigqueue");
constinit next_function<int(int)> librarys_raise("raise");
constinit next_function<int(sigset_t*)> librarys_sigpending("sigpending");
constinit next_function<int(const sigset_t*, siginfo_t*)> librarys_sigwaitinfo("sigwaitinfo");
constinit next_function<int(const sigset_t*, siginfo_t*, const timespec*)> librarys_sigtimedwait(
    "sigtimedwait");
constinit next_function<int(const sigset_t*, int*)> librarys_sigwait("sigwait");

// Looked up when the library is loaded: the functions may be called in signal handlers, where
// dlsym() is not allowed.
[[maybe_unused]] const bool all_found = librarys_pthread_sigmask.get() &&
                                        librarys_sigprocmask.get() && librarys_pthread_kill.get() &&
                                        librarys_pthread_sigqueue.get() && librarys_raise.get() &&
                                        librarys_sigpending.get() && librarys_sigwaitinfo.get() &&
                                        librarys_sigtimedwait.get() && librarys_sigwait.get();

bool is_a_programs(int signal) noexcept
{
    return signal > 0 && signal <= base::os::highest_signal &&
           (set_of(signal) & (base::os::never_blocked & ~(set_of(SIGKILL) | set_of(SIGSTOP)))) == 0;
}

// The signal state that we keep for the calling thread; nullptr: none, the kernel's is right.
fiber::signal_state* mine() noexcept
{
    return foreign::members_are_threads() ? nullptr : fiber::own_signals();
}

// The same for another thread, to which a signal is sent. A thread that waits in a region or for
// tasks is not always running on its OS thread; outside of those it is.
fiber::signal_state* kept_of(pthread_t thread, int signal) noexcept
{
    if (!is_a_programs(signal) || foreign::members_are_threads()) {
        return nullptr;
    }
    fiber::signal_state* const s = fiber::signals_of(thread);
    if (s == nullptr || s->self->type == fiber::kind::persona) {
        return s;
    }
    return sched::outside_scope(static_cast<const sched::worker&>(*s->self->last)) ? nullptr : s;
}

// The child of vfork() runs in its parent's memory until it calls exec, under a mask of its own.
constinit std::atomic<pid_t> process{0};  // relaxed, all accesses: only a number

[[maybe_unused]] const bool noted = [] {
    process.store(::getpid(), std::memory_order_relaxed);  // relaxed: see process
    return ::pthread_atfork(nullptr, nullptr,
                            [] { process.store(::getpid(), std::memory_order_relaxed); }) == 0;
}();

bool is_child_of_vfork() noexcept
{
    return process.load(std::memory_order_relaxed) != ::getpid();  // relaxed: see process
}

template <class Function>
int change_mask(Function* real, int how, const sigset_t* set, sigset_t* old) noexcept
{
    sigset_t before{};
    const int result = real(how, set, &before);
    if (result != 0) {
        return result;
    }
    if (set != nullptr && !is_child_of_vfork()) {
        // Asked only after the call, which may have run signal handlers.
        if (sched::worker* const w = sched::this_worker(); w != nullptr) {
            const signal_set was = set_of(before);
            const signal_set given = set_of(*set) & ~base::os::never_blocked;
            const signal_set now = how == SIG_BLOCK     ? was | given
                                   : how == SIG_UNBLOCK ? was & ~given
                                                        : given;
            fiber::mask_was_changed(*w, was, now);
        }
    }
    if (old != nullptr) {
        *old = before;
    }
    return 0;
}

bool ends_the_program(int signal) noexcept
{
    struct sigaction action{};
    return ::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
           action.sa_handler == SIG_DFL;
}

void send(fiber::signal_state& to, int signal, bool queued, std::uintptr_t value) noexcept
{
    if (fiber::leave_signal(to, sched::this_worker(), signal, queued, value) ||
        sched::crew::nudge_carrier_of(*to.self)) {
        return;
    }
    // The target is suspended, and the default action of the signal ends the process: so the signal
    // goes to the process. Unless the target has resumed meanwhile, and has taken the signal.
    if (ends_the_program(signal) && (to.blocked & set_of(signal)) == 0 &&
        fiber::withdraw_signal(to, signal)) {
        ::kill(::getpid(), signal);
    }
}

int kill_thread(pthread_t thread, int signal) noexcept
{
    fiber::signal_state* const to = kept_of(thread, signal);
    if (to == nullptr) {
        return librarys_pthread_kill.get()(thread, signal);
    }
    if (to == fiber::own_signals()) {
        return ::raise(signal);
    }
    send(*to, signal, false, 0);
    return 0;
}

int queue_to_thread(pthread_t thread, int signal, const union sigval value) noexcept
{
    fiber::signal_state* const to = kept_of(thread, signal);
    if (to == nullptr) {
        return librarys_pthread_sigqueue.get()(thread, signal, value);
    }
    send(*to, signal, true, reinterpret_cast<std::uintptr_t>(value.sival_ptr));
    return 0;
}

// While it exists, senders forward these signals to the kernel thread, which waits for them. `got`
// is read at the end.
class awaiting {
public:
    awaiting(fiber::signal_state& self, signal_set wanted, const int& got) noexcept
        : self_(self), got_(got)
    {
        fiber::begins_to_await(self, wanted);
    }
    ~awaiting()
    {
        const int error = errno;
        fiber::has_awaited(self_, got_);
        errno = error;
    }
    awaiting(const awaiting&) = delete;
    awaiting& operator=(const awaiting&) = delete;

private:
    fiber::signal_state& self_;
    const int& got_;
};

// sigwait and its kin: first signals sent to the persona, then those that reach the kernel thread,
// to which senders also forward what they send to the persona meanwhile. `wait` returns the signal,
// or -1 with errno, and may be cancelled: that unwinds the stack.
template <class Wait>
int await_signal(fiber::signal_state& self, const sigset_t* set, siginfo_t* info, Wait wait)
{
    const signal_set wanted = set_of(*set) & ~base::os::never_blocked;
    for (;;) {
        int got = 0;
        {
            const awaiting now(self, wanted, got);
            got = fiber::take_pending(self, wanted, info);
            if (got == 0) {
                got = wait();
            }
        }
        // EINTR by the nudge alone: the signal that came with it is pending now. relaxed: a hint.
        if (got > 0 || errno != EINTR ||
            (self.pending.load(std::memory_order_relaxed) & wanted) == 0) {
            return got;
        }
    }
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int artel_pthread_sigmask(int how, const sigset_t* set,
                                                         sigset_t* old) noexcept
{
    return change_mask(librarys_pthread_sigmask.get(), how, set, old);
}

[[gnu::visibility("default")]] int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept
{
    return change_mask(librarys_sigprocmask.get(), how, set, old);
}

[[gnu::visibility("default")]] int artel_pthread_kill(pthread_t thread, int signal) noexcept
{
    return kill_thread(thread, signal);
}

[[gnu::visibility("default")]] int artel_pthread_sigqueue(pthread_t thread, int signal,
                                                          const union sigval value) noexcept
{
    return queue_to_thread(thread, signal, value);
}

// A signal that is blocked stays with the kernel thread, where the program may look for it by
// sigsuspend or signalfd, until its sender leaves that.
[[gnu::visibility("default")]] int raise(int signal) noexcept
{
    fiber::signal_state* const self = mine();
    if (self != nullptr && is_a_programs(signal) && (self->blocked & set_of(signal)) != 0) {
        fiber::stays_with_kernel(*self, signal);
    }
    return librarys_raise.get()(signal);
}

[[gnu::visibility("default")]] int sigpending(sigset_t* set) noexcept
{
    const int result = librarys_sigpending.get()(set);
    const fiber::signal_state* const self = mine();
    if (result == 0 && self != nullptr) {
        // relaxed: a hint.
        base::os::copy_to(
            *set, set_of(*set) | (self->pending.load(std::memory_order_relaxed) & self->blocked));
    }
    return result;
}

[[gnu::visibility("default")]] int sigtimedwait(const sigset_t* set, siginfo_t* info,
                                                const timespec* limit)
{
    fiber::signal_state* const self = mine();
    if (self == nullptr) {
        return librarys_sigtimedwait.get()(set, info, limit);
    }
    return await_signal(*self, set, info,
                        [&] { return librarys_sigtimedwait.get()(set, info, limit); });
}

[[gnu::visibility("default")]] int sigwaitinfo(const sigset_t* set, siginfo_t* info)
{
    fiber::signal_state* const self = mine();
    if (self == nullptr) {
        return librarys_sigwaitinfo.get()(set, info);
    }
    return await_signal(*self, set, info, [&] { return librarys_sigwaitinfo.get()(set, info); });
}

[[gnu::visibility("default")]] int sigwait(const sigset_t* set, int* signal)
{
    fiber::signal_state* const self = mine();
    if (self == nullptr) {
        return librarys_sigwait.get()(set, signal);
    }
    int error = 0;
    const int got = await_signal(*self, set, nullptr, [&] {
        int number = 0;
        error = librarys_sigwait.get()(set, &number);
        return error == 0 ? number : -1;
    });
    if (got > 0) {
        *signal = got;
        return 0;
    }
    return error;
}
}

#ifdef ARTEL_SYMBOL_VERSIONS
// Those that glibc has under several versions on x86-64.
asm(".symver artel_pthread_sigmask, pthread_sigmask@GLIBC_2.2.5");
asm(".symver artel_pthread_kill, pthread_kill@GLIBC_2.2.5");
asm(".symver artel_pthread_sigqueue, pthread_sigqueue@GLIBC_2.11");
asm(".symver artel_pthread_sigmask, pthread_sigmask@@GLIBC_2.32");
asm(".symver artel_pthread_kill, pthread_kill@@GLIBC_2.34");
asm(".symver artel_pthread_sigqueue, pthread_sigqueue@@GLIBC_2.34");
#else
// A name without a version serves references to every version.
asm(".globl pthread_sigmask\n.set pthread_sigmask, artel_pthread_sigmask");
asm(".globl pthread_kill\n.set pthread_kill, artel_pthread_kill");
asm(".globl pthread_sigqueue\n.set pthread_sigqueue, artel_pthread_sigqueue");
#endif
