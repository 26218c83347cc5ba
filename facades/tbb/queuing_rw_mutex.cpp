// queuing_rw_mutex is fair: a ticket lock for readers and writers. The one word that the programs'
// headers give it holds the next ticket, the ticket whose turn it is, and the number of readers
// inside. A reader advances the turn as soon as it is inside, a writer when it leaves.
#include "abi.hpp"
#include "base/cpu.hpp"
#include "foreign/program_yield.hpp"

#include <utility>

namespace tbb::detail::r1 {
namespace {

using lock_type = d1::queuing_rw_mutex::scoped_lock;
using word = std::uint64_t;

// next:20 the next ticket, turn:20 the ticket that may enter, readers:20 the readers inside. A
// writer that is inside keeps the turn until it leaves.
constexpr unsigned bits = 20;
constexpr word mask = (word{1} << bits) - 1;
constexpr word one_turn = word{1} << bits;
constexpr word one_reader = word{1} << 2 * bits;

enum held : unsigned char { reads = 1, writes = 2 };

word next_of(word w) noexcept
{
    return w & mask;
}
word turn_of(word w) noexcept
{
    return w >> bits & mask;
}
word readers_of(word w) noexcept
{
    return w >> 2 * bits & mask;
}
word with_next(word w) noexcept
{
    return (w & ~mask) | ((w + 1) & mask);
}
word with_turn(word w) noexcept
{
    return (w & ~(mask << bits)) | ((w + one_turn) & (mask << bits));
}

std::atomic<word>& word_of(d1::queuing_rw_mutex& m) noexcept
{
    return m.line;
}

// Applies `change` to the word atomically; waits as long as `change` refuses. acquire, release:
// pair with the holders before and after.
template <class Change>
word update(std::atomic<word>& at, Change change)
{
    // relaxed, all: the exchange compares. acq_rel, all: see above.
    word w = at.load(std::memory_order_relaxed);
    for (unsigned i = 0;; ++i) {
        const std::pair<bool, word> to = change(w);
        if (to.first && at.compare_exchange_weak(w, to.second, std::memory_order_acq_rel,
                                                 std::memory_order_relaxed)) {
            return w;
        }
        if (!to.first) {
            if (i < 64) {
                artel::base::cpu_relax();
            } else {
                artel::foreign::yield_for_program();
            }
            w = at.load(std::memory_order_relaxed);
        }
    }
}

word take_number(std::atomic<word>& at)
{
    return next_of(update(at, [](word w) { return std::pair(true, with_next(w)); }));
}

void take(d1::queuing_rw_mutex& m, lock_type& l, bool write) noexcept
{
    l.mutex = &m;
    // relaxed: the holder's own.
    l.state.store(write ? writes : reads, std::memory_order_relaxed);
}

void wait_to_write(std::atomic<word>& at, word number)
{
    update(at,
           [number](word w) { return std::pair(turn_of(w) == number && readers_of(w) == 0, w); });
}

}  // namespace

void acquire(d1::queuing_rw_mutex& m, lock_type& l, bool write)
{
    std::atomic<word>& at = word_of(m);
    const word number = take_number(at);
    if (write) {
        wait_to_write(at, number);
    } else {
        update(at, [number](word w) {
            return std::pair(turn_of(w) == number, with_turn(w) + one_reader);
        });
    }
    take(m, l, write);
}

bool try_acquire(d1::queuing_rw_mutex& m, lock_type& l, bool write)
{
    std::atomic<word>& at = word_of(m);
    // relaxed: the exchange compares. acquire: pairs with the releases of holders.
    word w = at.load(std::memory_order_relaxed);
    for (;;) {
        if (next_of(w) != turn_of(w) || (write && readers_of(w) != 0)) {
            return false;
        }
        const word to = write ? with_next(w) : with_turn(with_next(w)) + one_reader;
        // relaxed: not taken.
        if (at.compare_exchange_weak(w, to, std::memory_order_acquire, std::memory_order_relaxed)) {
            take(m, l, write);
            return true;
        }
    }
}

bool is_writer(const lock_type& l)
{
    return l.state.load(std::memory_order_relaxed) == writes;  // relaxed: the holder's own
}

void release(lock_type& l)
{
    std::atomic<word>& at = word_of(*l.mutex);
    const bool wrote = is_writer(l);
    l.mutex = nullptr;
    update(at, [wrote](word w) {
        const word left = wrote ? with_turn(w) : w - one_reader;
        // Without users the word is 0 again, as assertions of the headers expect.
        const bool unused = next_of(left) == turn_of(left) && readers_of(left) == 0;
        return std::pair(true, unused ? 0 : left);
    });
}

// True if nobody else has written meanwhile. That needs an empty queue: waiting writers go first.
bool upgrade_to_writer(lock_type& l)
{
    if (is_writer(l)) {
        return true;
    }
    std::atomic<word>& at = word_of(*l.mutex);
    word number = 0;
    bool first = false;
    update(at, [&](word w) {
        first = next_of(w) == turn_of(w);
        number = next_of(w);
        return std::pair(true, with_next(w) - one_reader);
    });
    wait_to_write(at, number);
    take(*l.mutex, l, true);
    return first;
}

bool downgrade_to_reader(lock_type& l)
{
    if (is_writer(l)) {
        update(word_of(*l.mutex),
               [](word w) { return std::pair(true, with_turn(w) + one_reader); });
        take(*l.mutex, l, false);
    }
    return true;
}

void construct(d1::queuing_rw_mutex&) {}

}  // namespace tbb::detail::r1
