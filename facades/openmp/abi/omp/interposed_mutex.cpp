// pthread_mutex_lock, which the drop-in interposes. A member that finds a mutex taken would block
// its OS thread, and with it the other members that are ready there. One of these may hold the
// mutex: it called sched_yield, or waits for a lock, a barrier or a task. So such a member lets the
// others that are ready on its worker go first, and blocks only when there are none, or when all of
// them have found mutexes taken as well (yield_in_round).
//
// It blocks for limited times, because the holder may become ready on this worker meanwhile. The
// kernel wakes it as soon as the mutex is free, so the limit costs only a look around; it is
// shorter than the time after which the monitor considers a worker stuck, so that members that wait
// for locks get no OS threads. Only after a second the limit is long enough for the monitor to add
// one.
//
// Unlocking does not wake members that wait without blocking. A member that unlocks and locks
// again, and yields only in between, would keep all others of its worker out for ever. So a member
// that has failed often marks the mutex in `starving`, and a member that is about to lock a marked
// mutex lets others go first.
//
// A master on a thread of the program can resume only there. It does not run others on top of its
// own stack, because they may want other locks that it holds; before it blocks they are passed on
// to the crew's own threads.
//
// One load of the mutex's word decides: a mutex that seems free goes to the C library at no further
// cost. If another thread takes it at that moment, the OS thread blocks after all; but then the
// holder runs on another OS thread, which cannot be blocked by waiters for this mutex. If another C
// library has a different layout, only time is lost.
//
// Unlocking is not interposed, so it does not matter who unlocks, and how. Mutexes whose holder the
// kernel knows (priority-inheriting, robust) and those with a priority ceiling are left to the C
// library; so is everything in code that is not a member's, or that may not be suspended
// (call_out.hpp, isolation.hpp, signal handlers).
//
// Rejected: to suspend waiters until the mutex is unlocked. We would have to see that: the C
// library unlocks mutexes in pthread_cond_wait, and other code calls its unlock past us. Also
// rejected: the same for read-write locks, where a writer that tries only now and then loses the
// precedence that it may have been promised, and for sem_wait, which signals interrupt: a wait made
// of short ones would miss some.
#include "base/cpu.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/yield.hpp"
#include "blocked_member.hpp"
#include "library_mutex.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"
#include "sched/worker.hpp"
#include "sched/yield_round.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <utility>

namespace {

using namespace artel;
using openmp::let_others_go_on;
using openmp::limit_after;
using openmp::may_let_others_go_on;

using std::chrono::nanoseconds;

constinit openmp::library_mutex mutex;
[[maybe_unused]] const bool all_found = mutex.found();

// Counts of members that have tried a mutex for long, hashed by address: several mutexes may share
// a counter. Relaxed, all accesses: hints. In the child of a fork none of these members exist.
constinit std::atomic<unsigned> starving_in_all{0};
constinit std::array<std::atomic<unsigned>, 64> starving{};

std::atomic<unsigned>& starving_for(const pthread_mutex_t* m) noexcept
{
    return starving[reinterpret_cast<std::uintptr_t>(m) / alignof(std::max_align_t) %
                    starving.size()];
}

[[maybe_unused]] const int forgotten_by_children = ::pthread_atfork(nullptr, nullptr, [] {
    starving_in_all.store(0, std::memory_order_relaxed);  // relaxed: see there
    for (std::atomic<unsigned>& each : starving) {
        each.store(0, std::memory_order_relaxed);  // relaxed: see there
    }
});

// The attempts of one member at a mutex. After many failures, and until its end, it marks the mutex
// in `starving`.
class attempts {
public:
    explicit attempts(pthread_mutex_t* m) noexcept : starving_(starving_for(m)) {}
    ~attempts()
    {
        if (failed_ >= many) {
            starving_.fetch_sub(1, std::memory_order_relaxed);        // relaxed: see there
            starving_in_all.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
        }
    }
    attempts(const attempts&) = delete;
    attempts& operator=(const attempts&) = delete;

    void failed() noexcept
    {
        if (++failed_ == many) {
            starving_.fetch_add(1, std::memory_order_relaxed);        // relaxed: see there
            starving_in_all.fetch_add(1, std::memory_order_relaxed);  // relaxed: see there
        }
    }

private:
    static constexpr std::uint64_t many = 16;
    std::atomic<unsigned>& starving_;
    std::uint64_t failed_ = 0;
};

// A load of a word that is about to be changed: prefetches its line for writing if another CPU has
// it.
template <class Word>
Word look_at(const Word& word) noexcept
{
    asm volatile("prefetchw %0" : : "m"(word));
    return *static_cast<const volatile Word*>(&word);
}

// Takes a mutex that was found taken. Returns an error number.
int in_turn(pthread_mutex_t* m)
{
    attempts made(m);
    sched::begin_yield_round();
    for (bool slept = false;; slept = true) {
        while (let_others_go_on(std::exchange(slept, false))) {
            if (const int result = mutex.attempt.get()(m); result != EBUSY) {
                return result;
            }
            made.failed();
        }
        made.failed();
        sched::give_way();
        const unsigned sleeps = sched::yield_round_sleeps();
        const sched::inactive_scope left(sleeps != 0 ? openmp::blocking_master() : nullptr);
        if (const int result = mutex.take_within(m, limit_after(sleeps)); result != ETIMEDOUT) {
            return result;
        }
    }
}

// Called before the caller locks a free mutex that others are starved of: lets those try first, on
// this worker or elsewhere.
void let_others_try(pthread_mutex_t* m) noexcept
{
    // relaxed: see there
    if (sched::this_worker() == nullptr || starving_for(m).load(std::memory_order_relaxed) == 0 ||
        !may_let_others_go_on(*sched::this_worker())) {
        return;
    }
    const base::os::keep_errno kept;
    sched::begin_yield_round();
    if (!let_others_go_on(false)) {
        // A thread that has slept for it needs some microseconds to wake up.
        const std::uint64_t until = base::cycles() + 20 * base::cycles_per_microsecond();
        while (look_at(m->__data.__lock) == 0 && base::cycles() < until) {
            base::os::yield();
        }
    }
}

// Bits of a mutex's kind beside its type (glibc's nptl/pthreadP.h): robust, and the two protocols.
bool kernel_knows_holder(const pthread_mutex_t& m) noexcept
{
    return (m.__data.__kind & 0x70) != 0;
}

[[gnu::noinline]] int lock_slowly(pthread_mutex_t* m) noexcept
{
    if (starving_in_all.load(std::memory_order_relaxed) != 0) {  // relaxed: see there
        let_others_try(m);
    }
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
    return in_turn(m);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int pthread_mutex_lock(pthread_mutex_t* m) noexcept
{
    auto* const real = mutex.take.if_known();
    // relaxed: see there
    return look_at(m->__data.__lock) == 0 && real != nullptr &&
                   starving_in_all.load(std::memory_order_relaxed) == 0
               ? real(m)
               : lock_slowly(m);
}
