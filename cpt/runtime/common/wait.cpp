// The lists by address, in buckets with a lock each; an OS thread outside of the library spins a
// little and then sleeps by futex.
#include "wait.hpp"

#include "current.hpp"
#include "light.hpp"
#include "team.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <new>

namespace cp {

namespace waiting {

struct waiter {
    const void* at;
    waiter* next = nullptr;
    light::handle handle = nullptr;
    bucket* in = nullptr;
    std::atomic<int> word{0};  // of OS threads: 1 when woken
};

namespace {

bucket buckets[256];

long futex(std::atomic<int>& word, int what, int value)
{
    return syscall(SYS_futex, &word, what | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

}  // namespace

bucket& bucket_of(const void* at)
{
    const auto n = reinterpret_cast<std::uintptr_t>(at);
    return buckets[(n * 0x9E3779B97F4A7C15u) >> 56];
}

bool may_spin()
{
    // relaxed: a guess.
    return light_threads.load(std::memory_order_relaxed) <= streams();
}

void forget_all()
{
    for (bucket& b : buckets) {
        new (&b) bucket;
    }
}

void sleep(bucket& b, const void* at)
{
    waiter w{at};
    w.in = &b;
    (b.first == nullptr ? b.first : b.last->next) = &w;
    b.last = &w;
    thread* const me = current();
    if (me->light) {
        light::suspend(
            [](light::handle self, void* argument) {
                auto* const who = static_cast<waiter*>(argument);
                bucket* const in = who->in;
                who->handle = self;
                in->lock.unlock();
            },
            &w);
        set_current(me);
        return;
    }
    b.lock.unlock();
    // acquire: pairs with wake.
    while (w.word.load(std::memory_order_acquire) == 0) {
        futex(w.word, FUTEX_WAIT, 0);
    }
}

}  // namespace waiting

void wake(const void* at, unsigned most)
{
    waiting::bucket& b = waiting::bucket_of(at);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with that in wait_until
    if (b.count.load(std::memory_order_relaxed) == 0) {   // relaxed: the fence orders it
        return;
    }
    b.lock.lock();
    waiting::waiter *woken = nullptr, **end = &woken, *before = nullptr;
    for (waiting::waiter* w = b.first; w != nullptr && most != 0;) {
        waiting::waiter* const next = w->next;
        if (w->at != at) {
            before = w;
        } else {
            (before == nullptr ? b.first : before->next) = next;
            if (b.last == w) {
                b.last = before;
            }
            w->next = nullptr;
            *end = w;
            end = &w->next;
            --most;
            b.count.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
        }
        w = next;
    }
    b.lock.unlock();
    while (woken != nullptr) {
        waiting::waiter* const w = woken;
        woken = w->next;  // `w` lies on the waiter's stack: it may not exist after the next line
        if (w->handle != nullptr) {
            light::resume(w->handle);
        } else {
            std::atomic<int>& word = w->word;
            // release: pairs with sleep.
            word.store(1, std::memory_order_release);
            waiting::futex(word, FUTEX_WAKE, 1);  // only the address is used: others may sleep
                                                  // there by now
        }
    }
}

}  // namespace cp
