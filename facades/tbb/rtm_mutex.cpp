// The speculative mutexes: critical sections are transactions where the hardware has them. Who has
// taken the lock itself writes its word, which aborts all transactions that have read it.
#include "abi.hpp"
#include "base/cpu.hpp"
#include "foreign/program_yield.hpp"
#include "transaction.hpp"

#include <utility>

namespace tbb::detail::r1 {
namespace {

enum rtm_state { not_held = 0, in_transaction = 1, held = 2 };
enum rw_state {
    not_in_mutex = 0,
    reads_in_transaction = 1,
    writes_in_transaction = 2,
    reads = 3,
    writes = 4
};

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

// As acquire of the lock l by a transaction, in which it has that state. `waits`: until nobody has
// the mutex.
template <class Mutex, class Busy>
bool speculate(Mutex& m, typename Mutex::scoped_lock& l, int state, Busy busy, bool waits)
{
    const auto wait_free = [&] {
        if (waits) {
            spin_until([&] { return !busy(); });
        }
        return waits;
    };
    if (!artel::onetbb::speculate(busy, wait_free)) {
        return false;
    }
    l.mutex = &m;
    l.state = state;
    return true;
}

bool speculate(d1::rtm_mutex& m, d1::rtm_mutex::scoped_lock& l, bool waits)
{
    // relaxed, here and below: in a transaction the hardware orders all.
    return speculate(
        m, l, in_transaction, [&m] { return m.locked.load(std::memory_order_relaxed); }, waits);
}

bool speculate_as_writer(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l, bool waits)
{
    return speculate(
        m, l, writes_in_transaction, [&m] { return m.word.load(std::memory_order_relaxed) != 0; },
        waits);  // relaxed: as above
}

bool speculate_as_reader(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l, bool waits)
{
    // relaxed: as above.
    return speculate(
        m, l, reads_in_transaction,
        [&m] { return (m.word.load(std::memory_order_relaxed) & writer) != 0; }, waits);
}

bool take(d1::rtm_mutex& m, d1::rtm_mutex::scoped_lock& l) noexcept
{
    // acquire: pairs with the release in release().
    if (m.locked.exchange(true, std::memory_order_acquire)) {
        return false;
    }
    l.mutex = &m;
    l.state = held;
    return true;
}

bool take_as_writer(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l) noexcept
{
    if (!try_write(m)) {
        return false;
    }
    l.mutex = &m;
    l.state = writes;
    return true;
}

bool take_as_reader(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l) noexcept
{
    if (!try_read(m)) {
        return false;
    }
    l.mutex = &m;
    l.state = reads;
    return true;
}

}  // namespace

bool try_acquire(d1::rtm_mutex& m, d1::rtm_mutex::scoped_lock& l)
{
    return speculate(m, l, false) || take(m, l);
}

void acquire(d1::rtm_mutex& m, d1::rtm_mutex::scoped_lock& l, bool only_speculate)
{
    if (!speculate(m, l, !only_speculate) && !only_speculate) {
        spin_until([&] { return take(m, l); });
    }
}

void release(d1::rtm_mutex::scoped_lock& l)
{
    if (l.state == in_transaction) {
        l.state = not_held;
        l.mutex = nullptr;
        artel::onetbb::end_transaction();
        return;
    }
    l.state = not_held;
    // release: pairs with try_acquire.
    std::exchange(l.mutex, nullptr)->locked.store(false, std::memory_order_release);
}

bool try_acquire_writer(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l)
{
    return speculate_as_writer(m, l, false) || take_as_writer(m, l);
}

bool try_acquire_reader(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l)
{
    return speculate_as_reader(m, l, false) || take_as_reader(m, l);
}

void acquire_writer(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l, bool only_speculate)
{
    if (!speculate_as_writer(m, l, !only_speculate) && !only_speculate) {
        spin_until([&] { return take_as_writer(m, l); });
    }
}

void acquire_reader(d1::rtm_rw_mutex& m, d1::rtm_rw_mutex::scoped_lock& l, bool only_speculate)
{
    if (!speculate_as_reader(m, l, !only_speculate) && !only_speculate) {
        spin_until([&] { return take_as_reader(m, l); });
    }
}

void release(d1::rtm_rw_mutex::scoped_lock& l)
{
    if (l.state == reads_in_transaction || l.state == writes_in_transaction) {
        l.state = not_in_mutex;
        l.mutex = nullptr;
        artel::onetbb::end_transaction();
        return;
    }
    const std::intptr_t share = l.state == writes ? writer : one_reader;
    l.state = not_in_mutex;
    // release: pairs with try_write and try_read.
    std::exchange(l.mutex, nullptr)->word.fetch_sub(share, std::memory_order_release);
}

// Whether nobody else has written meanwhile.
bool upgrade(d1::rtm_rw_mutex::scoped_lock& l)
{
    d1::rtm_rw_mutex& m = *l.mutex;
    if (l.state == writes_in_transaction) {
        return true;
    }
    if (l.state == reads_in_transaction) {
        // relaxed: as in the transaction's begin. A reader aborts writers, too.
        if (m.word.load(std::memory_order_relaxed) != 0) {
            artel::onetbb::abort_transaction();
        }
        l.state = writes_in_transaction;
        return true;
    }
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
    if (l.state == writes_in_transaction) {
        l.state = reads_in_transaction;
        return true;
    }
    l.state = reads;
    // release: pairs with try_read.
    l.mutex->word.fetch_add(one_reader - writer, std::memory_order_release);
    return true;
}

}  // namespace tbb::detail::r1
