// The measured cost of loops from one call site. A call site is identified by its body
// function, which the public templates make anew for every lambda (in C: the program's function).
// Call sites that share an entry of the table take it over from each other, and then know nothing
// for one loop.
//
// It is an estimate in every respect: shared by all loops from the call site, at any width and
// data; written without any order; lost updates are harmless. So its users must be right, if slow,
// when it is wrong by any factor.
#pragma once

#include "loop/loop.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::loop {

// The cycles of one iteration.
class estimate {
public:
    // Multiplied by `scale`; 0 when nothing is known. relaxed: an estimate.
    std::uint32_t cost() const noexcept { return cost_.load(std::memory_order_relaxed); }

    // Learns that `iterations` (not 0) took `cycles`. One call changes the cost at most by half
    // downwards and `rise` times upwards: an interruption is forgotten soon, and so is what was
    // learned from other data.
    void learn(std::uint64_t cycles, std::uint64_t iterations, std::uint32_t rise = 4) noexcept;
    // The same for a short, hence rough, measurement: it corrects only an estimate that is more
    // than twice too high.
    void learn_roughly(std::uint64_t cycles, std::uint64_t iterations) noexcept
    {
        if (!expects_less(iterations, 2 * cycles + 1)) {
            learn_at_most(cycles, iterations);
        }
    }
    // The same for a measurement that may be too high.
    void learn_at_most(std::uint64_t cycles, std::uint64_t iterations) noexcept
    {
        learn(cycles, iterations, 1);
    }

    // The same for one measurement of several in one loop, of which the most expensive is wanted.
    void learn_if_dearer(std::uint64_t cycles, std::uint64_t iterations) noexcept
    {
        if (cost() == 0 || expects_less(iterations, cycles)) {
            learn(cycles, iterations);
        }
    }

    void forget() noexcept { cost_.store(0, std::memory_order_relaxed); }  // relaxed: an estimate

    // Whether `iterations` are expected to take less than `cycles`.
    bool expects_less(std::uint64_t iterations, std::uint64_t cycles) const noexcept
    {
        const std::uint64_t each = cost();
        return each != 0 && iterations < cycles * scale && iterations * each < cycles * scale;
    }

    // How many iterations take about `cycles`, at least 1; 1 when nothing is known.
    std::uint32_t worth(std::uint64_t cycles) const noexcept
    {
        const std::uint64_t each = cost();
        return each == 0 || each >= cycles * scale
                   ? 1
                   : static_cast<std::uint32_t>(cycles * scale / each);
    }

    static constexpr std::uint64_t scale = 16;

private:
    std::atomic<std::uint32_t> cost_{0};
};

class site {
public:
    // The entry of this call site, cleared if another one had it.
    static site& of(site_key key) noexcept
    {
        site& entry = all[(key * 0x9e3779b97f4a7c15) >> (64 - bits)];
        // relaxed: see above.
        if (entry.key_.load(std::memory_order_relaxed) != key) [[unlikely]] {
            entry.take_over(key);
        }
        return entry;
    }

    // The average over all that a participant has run. Sharing makes iterations more expensive, by
    // cache lines that move; so shared loops only lower it, and the cost of loops run alone is
    // learned from those.
    estimate average;
    // The cost at the start of each participant. Any participant may raise it, only the caller
    // lowers it, once a loop and by less: so where shares differ this is about the most expensive
    // one's, and a first piece of that size is nowhere too long.
    estimate first;

    // Whether another worker took part in the last loop that was open to others. relaxed: an
    // estimate.
    bool was_shared() const noexcept { return shared_.load(std::memory_order_relaxed); }
    void note_shared(bool shared) noexcept { note(shared_, shared); }

    // Whether a loop from here that was expected to be very short has lately turned out long: the
    // estimate is less reliable than elsewhere. relaxed: an estimate.
    bool varies() const noexcept { return varies_.load(std::memory_order_relaxed); }
    void note_varying(bool so) noexcept { note(varies_, so); }

private:
    void take_over(site_key key) noexcept;
    static void note(std::atomic<bool>& guess, bool so) noexcept
    {
        // relaxed: an estimate. All readers hold the cache line.
        if (guess.load(std::memory_order_relaxed) != so) {
            guess.store(so, std::memory_order_relaxed);  // relaxed: as above
        }
    }

    static constexpr unsigned bits = 8;
    static std::array<site, 1u << bits> all;

    std::atomic<bool> shared_{false};
    std::atomic<bool> varies_{false};
    std::atomic<site_key> key_{0};
};

}  // namespace artel::loop
