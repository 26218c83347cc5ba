// The handler before a fork sets all numbers of threads to one and waits for the active calls, for
// a bounded time.
#include "fork.hpp"

#include "base/os/keep_errno.hpp"
#include "call.hpp"
#include "callers.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace artel::openblas {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::seconds longest{10};
constexpr long between_looks_ns = 50'000;
constexpr unsigned looks_until_asked = 200;  // until the next check for abandonment

void wait_for_end(call& each, call_word seen, clock::time_point until) noexcept
{
    for (unsigned looks = 1; clock::now() < until; ++looks) {
        // acquire: what the call has done has been done.
        const call_word now = call_word(each.word.load(std::memory_order_acquire)).unmarked();
        // A call that was beginning has begun.
        if (now.at() != seen.at() || (!seen.is_beginning() && now != seen)) {
            return;
        }
        if (!now.is_beginning()) {
            seen = now;
            if (looks % looks_until_asked == 0 && is_left(each, now).left) {
                return;
            }
        }
        const timespec pause{0, between_looks_ns};
        ::nanosleep(&pause, nullptr);
    }
}

void before() noexcept
{
    // Otherwise the handler of another library has waited already, or no call uses what a fork
    // ends.
    if (!one_thread_for_all(true) || !any_has_threads()) {
        return;
    }
    const base::os::keep_errno keep;
    // Pairs with the exchange in begin_call(): a call that is not seen here reads the number after
    // it was set to one above.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const clock::time_point until = clock::now() + longest;
    const pid_t here = ::gettid();
    for (call& each : all_calls()) {
        // acquire: pairs with the release in begin_again().
        const call_word word = call_word(each.word.load(std::memory_order_acquire)).unmarked();
        // relaxed: a thread knows its own.
        const bool own = each.thread.load(std::memory_order_relaxed) == here;
        if (word.is_beginning() || (word.counted() && !own)) {
            wait_for_end(each, word, until);
        }
    }
}

void after() noexcept
{
    one_thread_for_all(false);
}

}  // namespace

bool wait_before_forks() noexcept
{
    return ::pthread_atfork(before, after, after) == 0;
}

}  // namespace artel::openblas
