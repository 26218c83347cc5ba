// The buckets of wait_word; the header has the argument.
#include "sched/wait_word.hpp"
#include "sched/suspend.hpp"

#include "base/cpu.hpp"
#include "base/os/futex.hpp"
#include "base/spinlock.hpp"
#include "sched/alarm.hpp"
#include "sched/isolation.hpp"

#include <array>
#include <mutex>
#include <new>

namespace artel::sched {
namespace {

using word_type = std::atomic<std::uint32_t>;

// Lies on the waiter's stack. Guarded by the bucket's lock while queued, then owned by the thread
// that unlinked it, until that makes the fiber ready.
struct waiter {
    word_type& word;
    const std::uint32_t expected;
    fiber::fiber* who = nullptr;
    waiter* next = nullptr;
    // written under the lock: the alarm has rung before any other wake-up.
    bool too_late = false;
};

struct timed_waiter : waiter {
    alarm limit;
};

struct alignas(base::cache_line) bucket {
    base::spinlock lock;
    // Light threads in the queue, and OS threads in the kernel's. Written under the lock
    // (os_waiters: by RMW), read without it by wake_word.
    word_type waiters{0};
    word_type os_waiters{0};
    waiter* first = nullptr;
    waiter* last = nullptr;
};

constexpr unsigned bucket_bits = base::modelled ? 1 : 8;
constinit std::array<bucket, 1u << bucket_bits> buckets;

bucket& bucket_of(const word_type& word) noexcept
{
    // Fibonacci hashing: neighbouring words land in different buckets.
    const auto key = reinterpret_cast<std::uintptr_t>(&word) >> 2;
    return buckets[(static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u) >> (64 - bucket_bits)];
}

// Queues the waiter unless the word has changed or the time is up. Called with the lock held.
bool enqueue(bucket& b, waiter& w) noexcept
{
    if (w.too_late) {
        return false;
    }
    // relaxed: written only under the lock; the fence below orders it for wake_word.
    const std::uint32_t count = b.waiters.load(std::memory_order_relaxed);
#if defined(__SANITIZE_THREAD__)
    // seq_cst: as the fence below, in a form that TSan models.
    b.waiters.exchange(count + 1, std::memory_order_seq_cst);
#else
    b.waiters.store(count + 1, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // store-buffering pair with the fence in wake_word.
    base::full_fence();
#endif
    // seq_cst under TSan's model, a plain load on the machine: pairs with the waker's change of the
    // word, step (B).
    if (w.word.load(std::memory_order_seq_cst) != w.expected) {
        // relaxed: at worst a waker takes the lock in vain.
        b.waiters.store(count, std::memory_order_relaxed);
        return false;
    }
    (b.last != nullptr ? b.last->next : b.first) = &w;
    b.last = &w;
    return true;
}

// The `after` function of the suspension: on the next fiber's stack.
void settle(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    waiter& w = *static_cast<waiter*>(argument);
    bucket& b = bucket_of(w.word);
    b.lock.lock();
    // under the lock: tells give_up that the waiter has got here.
    w.who = &previous;
    const bool stays = enqueue(b, w);
    b.lock.unlock();  // from here on `w` may be gone if it stays
    if (!stays) {
        make_ready(previous);
    }
}

// How many OS threads sleep in the kernel until a deadline, in the lower half; in the upper half
// how many of these sleeps have begun.
std::atomic<std::uint64_t> sleeps_until_deadline{0};
constexpr std::uint64_t begun_sleep = std::uint64_t{1} << 32;

void sleep_in_kernel(word_type& word, std::uint32_t expected, const moment* deadline) noexcept
{
    bucket& b = bucket_of(word);
    // seq_cst: a full fence between the announcement and the kernel's comparison; pairs with the
    // fence in wake_word.
    b.os_waiters.fetch_add(1, std::memory_order_seq_cst);
    if (deadline == nullptr) {
        base::os::futex_wait(word, expected);
    } else if (const moment left = *deadline - now(); left > 0) {
        base::os::futex_wait_for(word, expected, static_cast<std::uint64_t>(left) / 1000 + 1);
    }
    // relaxed: a stale higher count costs a needless system call.
    b.os_waiters.fetch_sub(1, std::memory_order_relaxed);
}

// Puts the OS thread itself to sleep, with a time limit if `deadline` is not nullptr.
void wait_in_kernel(word_type& word, std::uint32_t expected,
                    const moment* deadline = nullptr) noexcept
{
    // It counts before it stops being active, and until it is active again. seq_cst (two): in one
    // order with the count of active threads.
    if (deadline != nullptr) {
        sleeps_until_deadline.fetch_add(begun_sleep + 1, std::memory_order_seq_cst);
    }
    {
        const inactive_scope left_to_others(isolated_sleeper());
        sleep_in_kernel(word, expected, deadline);
    }
    if (deadline != nullptr) {
        sleeps_until_deadline.fetch_sub(1, std::memory_order_seq_cst);
    }
}

// The ring function of a timed waiter's alarm: unlinks the waiter if no waker has.
fiber::fiber* give_up(alarm& a) noexcept
{
    timed_waiter& w = *boost::intrusive::get_parent_from_member(&a, &timed_waiter::limit);
    bucket& b = bucket_of(w.word);
    const std::scoped_lock hold(b.lock);
    waiter* before = nullptr;
    for (waiter* at = b.first; at != nullptr; before = at, at = at->next) {
        if (at == &w) {
            (before != nullptr ? before->next : b.first) = w.next;
            if (b.last == &w) {
                b.last = before;
            }
            // relaxed, both: under the lock.
            b.waiters.store(b.waiters.load(std::memory_order_relaxed) - 1,
                            std::memory_order_relaxed);
            w.too_late = true;
            return w.who;
        }
    }
    w.too_late = w.who == nullptr;
    return nullptr;
}

// Unlinks up to `count` waiters of the word and returns them linked, oldest first. Called with the
// lock held.
waiter* unlink(bucket& b, const word_type& word, unsigned count) noexcept
{
    waiter* taken = nullptr;
    waiter** taken_end = &taken;
    waiter* kept_last = nullptr;
    std::uint32_t found = 0;
    for (waiter** at = &b.first; *at != nullptr;) {
        waiter& w = **at;
        if (&w.word != &word || found == count) {
            kept_last = &w;
            at = &w.next;
            continue;
        }
        *at = w.next;
        w.next = nullptr;
        *taken_end = &w;
        taken_end = &w.next;
        ++found;
    }
    b.last = kept_last;
    // relaxed: under the lock.
    b.waiters.store(b.waiters.load(std::memory_order_relaxed) - found, std::memory_order_relaxed);
    return taken;
}

}  // namespace

bool wait_word(word_type& word, std::uint32_t expected) noexcept
{
    // acquire: pairs with whatever release changed the word.
    if (word.load(std::memory_order_acquire) != expected) {
        return false;
    }
    waiter w{word, expected};
    const guest_scope scope;
    if (!scope || !suspend(settle, &w)) {
        wait_in_kernel(word, expected);
    }
    return true;
}

bool wait_word_until(word_type& word, std::uint32_t expected, moment deadline) noexcept
{
    // acquire: pairs with whatever release changed the word.
    if (word.load(std::memory_order_acquire) != expected) {
        return true;
    }
    if (now() >= deadline) {
        return false;
    }
    timed_waiter w{{word, expected}, {}};
    w.limit.ring = give_up;
    w.limit.when = deadline;
    const guest_scope scope;
    if (scope && set_alarm(w.limit)) {
        const bool suspended = suspend(settle, static_cast<waiter*>(&w));
        clear_alarm(w.limit);
        if (suspended) {
            return !w.too_late;
        }
    }
    wait_in_kernel(word, expected, &deadline);
    // The kernel's answer says no more than the word and the clock do: a wake-up follows a change
    // of the word. acquire: as above.
    return word.load(std::memory_order_acquire) != expected || now() < deadline;
}

unsigned wake_word(word_type& word, unsigned count) noexcept
{
    bucket& b = bucket_of(word);
#if defined(__SANITIZE_THREAD__)
    // acq_rel read-modify-writes instead of the fence: TSan models these. They pair with the
    // exchange in enqueue and in wait_in_kernel.
    const bool in_kernel = b.os_waiters.fetch_add(0, std::memory_order_seq_cst) != 0;
    // seq_cst: same pairing.
    const bool queued = b.waiters.fetch_add(0, std::memory_order_seq_cst) != 0;
#else
    // after the caller's change of the word; pairs with the fences in enqueue and wait_in_kernel.
    base::full_fence();
    // relaxed: ordered by the fence.
    const bool in_kernel = b.os_waiters.load(std::memory_order_relaxed) != 0;
    // relaxed: ordered by the fence.
    const bool queued = b.waiters.load(std::memory_order_relaxed) != 0;
#endif
    if (in_kernel) {
        base::os::futex_wake(word, static_cast<int>(count));
    }
    if (!queued) {
        return 0;
    }
    b.lock.lock();
    waiter* w = unlink(b, word, count);
    b.lock.unlock();
    unsigned woken = 0;
    while (w != nullptr) {
        waiter* const next = w->next;  // before the fiber can run: the node lies on its stack
        make_ready(*w->who);
        w = next;
        ++woken;
    }
    return woken;
}

unsigned words_waited_on() noexcept
{
    unsigned sum = 0;
    for (const bucket& b : buckets) {
        // relaxed: an estimate by contract.
        sum += b.waiters.load(std::memory_order_relaxed) +
               b.os_waiters.load(std::memory_order_relaxed);
    }
    return sum;
}

void reset_wait_words_after_fork() noexcept
{
    for (bucket& b : buckets) {
        new (&b) bucket;
    }
    new (&sleeps_until_deadline) std::atomic<std::uint64_t>{0};
}

timed_waits kernel_sleeps_until_deadlines() noexcept
{
    // seq_cst: see wait_in_kernel.
    const std::uint64_t sleeps = sleeps_until_deadline.load(std::memory_order_seq_cst);
    return {.any = static_cast<std::uint32_t>(sleeps) != 0,
            .begun = static_cast<std::uint32_t>(sleeps >> 32)};
}

}  // namespace artel::sched
