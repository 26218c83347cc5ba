// Locks of the C library: names that the drop-in takes over. A member that finds one taken would
// block its OS thread, and with it the other members that wait there for their turn. One of them
// may be who holds the lock: it called sched_yield meanwhile, or waits for a lock, a barrier or a
// task of its own. So such a member lets the others that are ready on its worker go first, and
// blocks only when there are none, or all of them have found locks taken as well
// (yield_while_locked_out).
//
// It blocks for limited times, since what others are waiting for may come to this worker
// meanwhile. The kernel wakes it as soon as the lock is free, so a limit costs nothing but a look
// around; it is shorter than what the monitor takes for being stuck, so that members who wait for
// locks get no OS threads. Only after a second the monitor may.
//
// A master on a thread of the program's own can go on there only. It does not let others run below
// it, who may want what else it holds; they are passed on to the crew's own threads before it
// blocks.
//
// A look at the lock decides: one that seems to be free is the C library's, so that it costs no
// more than that look. If somebody takes it in the same moment, the OS thread blocks after all;
// but then the holder runs on another, which others cannot block for this lock any more. Should
// the look ask for something else in another C library, nothing is lost but time.
//
// Nothing is changed for unlocking, so it does not matter who unlocks, and how. Locks that tell the
// kernel who holds them (priority-inheriting, robust) and those with a ceiling of priorities are
// left to the C library; so is everything in code that is not a member's, or that cannot be left
// (call_out.hpp, isolation.hpp, signal handlers).
//
// Rejected: to suspend who waits until the lock is unlocked, which would have to be seen: the C
// library unlocks mutexes in pthread_cond_wait, and others call it past us.
#include "abi/abi.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/signals.hpp"
#include "foreign/thread_persona.hpp"
#include "library_lock.hpp"
#include "sched/guest_scope.hpp"
#include "sched/isolation.hpp"
#include "sched/locked_out.hpp"
#include "sched/suspend.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <semaphore.h>
#include <utility>

namespace {

using namespace artel;
using openmp::library_lock;

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constinit library_lock<pthread_mutex_t> mutex("pthread_mutex_lock", "pthread_mutex_trylock",
                                              "pthread_mutex_timedlock", "pthread_mutex_clocklock");
constinit library_lock<pthread_rwlock_t> reading("pthread_rwlock_rdlock",
                                                 "pthread_rwlock_tryrdlock",
                                                 "pthread_rwlock_timedrdlock",
                                                 "pthread_rwlock_clockrdlock");
constinit library_lock<pthread_rwlock_t> writing("pthread_rwlock_wrlock",
                                                 "pthread_rwlock_trywrlock",
                                                 "pthread_rwlock_timedwrlock",
                                                 "pthread_rwlock_clockwrlock");
constinit library_lock<sem_t> semaphore("sem_wait", "sem_trywait", "sem_timedwait",
                                        "sem_clockwait");

[[maybe_unused]] const bool all_found = mutex.found() && reading.found() && writing.found() &&
                                        semaphore.found();

// For how long an OS thread sleeps, if all who are ready there wait for locks, and have slept so
// often before.
constexpr nanoseconds limit_after(unsigned sleeps) noexcept
{
    constexpr unsigned to_usual = 4;
    constexpr unsigned to_longest = 256;  // about a second
    return sleeps < to_usual ? 250us * (1U << sleeps) : sleeps < to_longest ? 4ms : 50ms;
}

// Whether code that runs on `w` is a member's, or a master's inside a region.
bool in_team(const sched::worker& w) noexcept
{
    return w.current->type == fiber::kind::persona ||
           (w.current->type == fiber::kind::bound && !sched::outside_scope(w));
}

// And may be left for others here.
bool may_let_others_go_on(const sched::worker& w) noexcept
{
    return in_team(w) && fiber::this_tls().calls_out == 0 && !sched::isolated(w) &&
           !foreign::members_are_threads() && w.home.usual_signal_mask(w);
}

bool let_others_go_on(bool far) noexcept
{
    if (sched::this_worker()->current->type == fiber::kind::persona) {
        return sched::yield_while_locked_out(far);
    }
    return !sched::pass_personas_on() && sched::yield_while_locked_out(false);
}

// A master that is blocked for longer leaves its CPU to another worker.
class absent {
public:
    explicit absent(bool is) noexcept
    {
        if (sched::worker& w = *sched::this_worker();
            is && w.duty == sched::role::guest && w.current == &w.base) {
            left_ = &w;
            w.home.guest_ends(w);
        }
    }
    ~absent()
    {
        if (left_ != nullptr) {
            left_->home.guest_begins(*left_);
        }
    }
    absent(const absent&) = delete;
    absent& operator=(const absent&) = delete;

private:
    sched::worker* left_ = nullptr;
};

// Takes what `attempt` has found `taken`, with `wait_for` for a wait in the kernel with a limit.
// Both return error numbers.
template <class Attempt, class WaitFor>
int in_turn(int taken, Attempt attempt, WaitFor wait_for)
{
    sched::begin_row();
    for (bool slept = false;; slept = true) {
        while (let_others_go_on(std::exchange(slept, false))) {
            if (const int result = attempt(); result != taken) {
                return result;
            }
        }
        sched::give_way();
        const unsigned sleeps = sched::row_sleeps();
        const absent left(sleeps != 0);
        if (const int result = wait_for(limit_after(sleeps)); result != ETIMEDOUT) {
            return result;
        }
    }
}

// Bits of a mutex's kind beside its type (glibc's nptl/pthreadP.h): robust, and the two protocols.
bool kernel_knows_holder(const pthread_mutex_t& m) noexcept
{
    return (m.__data.__kind & 0x70) != 0;
}

[[gnu::noinline]] int lock_taken(pthread_mutex_t* m) noexcept
{
    if (sched::this_worker() == nullptr || kernel_knows_holder(*m)) {
        return mutex.take.get()(m);
    }
    if (const int result = mutex.attempt.get()(m); result != EBUSY) {
        return result;
    }
    if (!may_let_others_go_on(*sched::this_worker())) {
        return mutex.take.get()(m);
    }
    const base::os::keep_errno kept;
    if ((m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP) {
        // An attempt does not tell whether the caller is the holder.
        if (const int result = mutex.take_within(m, nanoseconds{0}); result != ETIMEDOUT) {
            return result;
        }
    }
    return in_turn(
        EBUSY, [m] { return mutex.attempt.get()(m); },
        [m](nanoseconds limit) { return mutex.take_within(m, limit); });
}

[[gnu::noinline]] int lock_taken(pthread_rwlock_t* lock,
                                 library_lock<pthread_rwlock_t>& how) noexcept
{
    if (sched::this_worker() == nullptr) {
        return how.take.get()(lock);
    }
    if (const int result = how.attempt.get()(lock); result != EBUSY) {
        return result;
    }
    // By who may hold it for writing: that is for the C library to say.
    if (const int result = how.take_within(lock, nanoseconds{0}); result != ETIMEDOUT) {
        return result;
    }
    if (!may_let_others_go_on(*sched::this_worker())) {
        return how.take.get()(lock);
    }
    const base::os::keep_errno kept;
    return in_turn(
        EBUSY, [&] { return how.attempt.get()(lock); },
        [&](nanoseconds limit) { return how.take_within(lock, limit); });
}

// Whether a wait without a limit, which a signal has interrupted, would have gone on: the kernel
// ends those with a limit whatever the handler's SA_RESTART says. Where the program's handlers
// differ, nobody knows which of them it was, and callers that have one without must expect an end.
bool all_handlers_restart() noexcept
{
    using base::os::set_of;
    // Handlers of these interrupt no wait. The runtime has one, and so have ThreadSanitizer and
    // many programs.
    const auto of_crashes = set_of(SIGSEGV) | set_of(SIGBUS) | set_of(SIGFPE) | set_of(SIGILL) |
                            set_of(SIGABRT) | set_of(SIGTRAP);
    for (int signal = 1; signal <= base::os::highest_signal; ++signal) {
        struct sigaction action{};
        const bool has_handler = ::sigaction(signal, nullptr, &action) == 0 &&
                                 ((action.sa_flags & SA_SIGINFO) != 0 ||
                                  (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN));
        if (has_handler && (set_of(signal) & of_crashes) == 0 &&
            (action.sa_flags & SA_RESTART) == 0) {
            return false;
        }
    }
    return true;
}

// An error number.
int wait_within(sem_t* s, nanoseconds limit)
{
    if (semaphore.take_within(s, limit) == 0) {
        return 0;
    }
    const int error = errno;
    return error == EINTR && all_handlers_restart() ? ETIMEDOUT : error;
}

// What is looked at is about to be changed: it comes into the cache for that at once, if it was
// another CPU's.
template <class Word>
Word look_at(const Word& word) noexcept
{
    asm volatile("prefetchw %0" : : "m"(word));
    return *static_cast<const volatile Word*>(&word);
}

// Bits of `__readers` (glibc's pthread_rwlock_common.c): held for writing. Without it and without
// readers nothing is left but who was the last one, for writing or for reading.
constexpr unsigned held_for_writing = 2;
constexpr unsigned last_was_writing = 1;

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int pthread_mutex_lock(pthread_mutex_t* m) noexcept
{
    auto* const real = mutex.take.if_known();
    return look_at(m->__data.__lock) == 0 && real != nullptr ? real(m) : lock_taken(m);
}

[[gnu::visibility("default")]] int artel_gomp_pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept
{
    auto* const real = reading.take.if_known();
    const bool free = (look_at(lock->__data.__readers) & held_for_writing) == 0;
    return free && real != nullptr ? real(lock) : lock_taken(lock, reading);
}

[[gnu::visibility("default")]] int artel_gomp_pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept
{
    auto* const real = writing.take.if_known();
    const bool free = (look_at(lock->__data.__readers) & ~last_was_writing) == 0;
    return free && real != nullptr ? real(lock) : lock_taken(lock, writing);
}

// Not by a look: whoever takes it meanwhile need not be who raises it again. A thread may be
// cancelled in it.
[[gnu::visibility("default")]] int artel_gomp_sem_wait(sem_t* s)
{
    const sched::worker* const w = sched::this_worker();
    if (w == nullptr || !in_team(*w)) {
        return semaphore.take.get()(s);
    }
    const int before = errno;
    const auto attempt = [s] { return semaphore.attempt.get()(s) == 0 ? 0 : errno; };
    int result = attempt();
    if (result == EAGAIN && !may_let_others_go_on(*w)) {
        errno = before;
        return semaphore.take.get()(s);
    }
    if (result == EAGAIN) {
        result = in_turn(EAGAIN, attempt, [s](nanoseconds limit) { return wait_within(s, limit); });
    }
    errno = result != 0 ? result : before;
    return result != 0 ? -1 : 0;
}
}

// The names that glibc has under two versions on x86-64.
ARTEL_GOMP_HIDDEN_VERSION(artel_gomp_pthread_rwlock_rdlock, pthread_rwlock_rdlock, GLIBC_2.2.5);
ARTEL_GOMP_HIDDEN_VERSION(artel_gomp_pthread_rwlock_wrlock, pthread_rwlock_wrlock, GLIBC_2.2.5);
ARTEL_GOMP_HIDDEN_VERSION(artel_gomp_sem_wait, sem_wait, GLIBC_2.2.5);
asm(".symver artel_gomp_pthread_rwlock_rdlock, pthread_rwlock_rdlock@@GLIBC_2.34");
asm(".symver artel_gomp_pthread_rwlock_wrlock, pthread_rwlock_wrlock@@GLIBC_2.34");
asm(".symver artel_gomp_sem_wait, sem_wait@@GLIBC_2.34");
