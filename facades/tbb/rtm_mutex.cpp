// The speculative mutexes. They never speculate, which the interface allows.
#include "abi.hpp"
#include "base/cpu.hpp"
#include "foreign/program_yield.hpp"

#include <utility>

namespace tbb::detail::r1 {
namespace {

enum rtm_state { not_held = 0, held = 2 };
enum rw_state { not_in_mutex = 0, reads = 3, writes = 4 };

// Spins until the condition holds.
template <class Condition>
void spin_until(Condition condition)
{
    for (unsigned i = 0; !condition(); ++i) {
        if (i < 64) {
            artel::base::cpu_relax();
        } else {
            artel::foreign::yield_for_program();
        }
    }
}

// The word: 1 a writer, 2 for each reader.
constexpr std::intptr_t writer = 1;
constexpr std::intptr_t one_reader = 2;

bool try_write(d1::rtm_rw_mutex& m) noexcept
{
    std::intptr_t free = 0;
    // acquire: pairs with the releases in release(). relaxed: not taken.
    return m.word.compare_exchange_strong(free, writer, std::memory_order_acquire,
                                          std::memory_order_relaxed);
}

bool try_read(d1::rtm_rw_mutex& m) noexcept
{
    // relaxed, here and below: the CAS decides.
    std::intptr_t word = m.word.load(std::memory_order_relaxed);
    // acquire: pairs with the releases in release().
    return (word & writer) == 0 &&
           m.word.compare_exchange_strong(word, word + one_reader, std::memory_order_acquire,
                                          std::memory_order_relaxed);
}

}  // namespace

bool try_acquire(d1::rtm_mutex& m, d1::rtm_mutex::scoped_lock& l)
{
    // acquire: pairs with the release in release().
    if (m.locked.exchange(true, std::memory_order_acquire)) {
        return false;
    }
    l.mutex = &m;
    l.state = held;
    return true;
}

void acquire(d1::rtm_mutex& m, d1::rtm_mutex::scoped_lock& l, bool only_speculate)
{
    if (!only_speculate) {
        spin_until([&] { return try_acquire(m, l); });
    }
}

void release(d1::rtm_mutex::scoped_lock& l)
{
    l.state = not_held;
    // release: pairs with try_acquire.
    std::exchange(l.mutex, nullptr)->locked.store(false, std::memory_order_release);
}

bool try_acquire_writer(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l)
{
    if (!try_write(m)) {
        return false;
    }
    l.mutex = &m;
    l.state = writes;
    return true;
}

bool try_acquire_reader(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l)
{
    if (!try_read(m)) {
        return false;
    }
    l.mutex = &m;
    l.state = reads;
    return true;
}

void acquire_writer(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l, bool only_speculate)
{
    if (!only_speculate) {
        spin_until([&] { return try_acquire_writer(m, l); });
    }
}

void acquire_reader(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l, bool only_speculate)
{
    if (!only_speculate) {
        spin_until([&] { return try_acquire_reader(m, l); });
    }
}

void release(d1::rtm_rw_mutex::scoped_lock& l)
{
    const std::intptr_t share = l.state == writes ? writer : one_reader;
    l.state = not_in_mutex;
    // release: pairs with try_write and try_read.
    std::exchange(l.mutex, nullptr)->word.fetch_sub(share, std::memory_order_release);
}

// Whether nobody else has written meanwhile.
bool upgrade(d1::rtm_rw_mutex::scoped_lock& l)
{
    d1::rtm_rw_mutex& m = *l.mutex;
    std::intptr_t alone = one_reader;
    // acquire: pairs with the releases in release(). relaxed: not taken.
    if (m.word.compare_exchange_strong(alone, writer, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
        l.state = writes;
        return true;
    }
    release(l);
    acquire_writer(m, l, false);
    return false;
}

bool downgrade(d1::rtm_rw_mutex::scoped_lock& l)
{
    l.state = reads;
    // release: pairs with try_read.
    l.mutex->word.fetch_add(one_reader - writer, std::memory_order_release);
    return true;
}

}  // namespace tbb::detail::r1
