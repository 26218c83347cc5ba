// The part after the first looks, which are inline: spins, yields, and naps that double, between
// which it lets the library make progress.
#include "shm/waiter.hpp"

#include <algorithm>
#include <sched.h>

namespace artel::shm {
namespace {

// some libraries' progress costs more than the time slice that a yield waits for.
constexpr unsigned yields_per_progress = 8;
// a call of an MPI library's progress engine costs as much as some dozens of polls.
constexpr unsigned looks_per_progress = 128;
// messages of the library itself wake no sleeper, so the first naps are short.
constexpr std::uint64_t first_nap_us = 200;
constexpr std::uint64_t longest_nap_us = 2000;
constexpr std::uint64_t between_checks_us = 100000;

}  // namespace

status waiter::wait_longer(awaited_word& word, std::uint32_t target) const noexcept
{
    for (unsigned i = 1; i <= limits_.spins; ++i) {
        base::cpu_relax();
        if (word.reached(target)) {
            return status::ok;
        }
        if (i % looks_per_progress == 0) {
            progress_(context_);
        }
    }
    for (unsigned i = 1; i <= limits_.yields; ++i) {
        if (i % yields_per_progress == 0) {
            progress_(context_);
        }
        ::sched_yield();
        if (word.reached(target)) {
            return status::ok;
        }
    }
    std::uint64_t nap = first_nap_us;
    for (std::uint64_t slept = 0;;) {
        word.sleep(target, nap);
        if (word.reached(target)) {
            return status::ok;
        }
        progress_(context_);
        if (word.reached(target)) {
            return status::ok;
        }
        slept += nap;
        nap = std::min(nap * 2, longest_nap_us);
        if (slept >= between_checks_us) {
            slept = 0;
            // The last words that a rank wrote before it died may be those that we wait for.
            if (alive_(context_) == 0 && !word.reached(target)) {
                return status::peer_died;
            }
        }
    }
}

}  // namespace artel::shm
