// What loops from one place in the program have cost. A place is known by its body function, which
// the public templates make anew for every lambda (in C: by the program's function); places that
// share an entry of the table take it over from each other, and then know nothing for one loop.
//
// It is a guess in every respect: shared by all loops from the place, at whatever widths and data;
// written without any order; a lost update is as good as a kept one. So whoever uses it must be
// right, if slow, when it is wrong by any factor.
#pragma once

#include "loop/loop.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::loop {

// The cycles that one iteration takes.
class estimate {
public:
    // Times `scale`; 0 when nothing is known.
    // relaxed: a guess.
    std::uint32_t cost() const noexcept { return cost_.load(std::memory_order_relaxed); }

    // `iterations` (not 0) took so many cycles. One call moves the cost to at least half and at
    // most `rise` times what it was: an interruption is forgotten soon, and so is what was learned
    // from other data.
    void learn(std::uint64_t cycles, std::uint64_t iterations, std::uint32_t rise = 4) noexcept;
    // The same for a measurement that is short, so rough: it changes only what is more than twice
    // too high.
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

    // The same for one measurement among others of the same loop, of which the dearest is wanted.
    void learn_if_dearer(std::uint64_t cycles, std::uint64_t iterations) noexcept
    {
        if (cost() == 0 || expects_less(iterations, cycles)) {
            learn(cycles, iterations);
        }
    }

    void forget() noexcept { cost_.store(0, std::memory_order_relaxed); }  // relaxed: a guess

    // Whether so many iterations are expected to take less than `cycles`.
    bool expects_less(std::uint64_t iterations, std::uint64_t cycles) const noexcept
    {
        const std::uint64_t each = cost();
        return each != 0 && iterations < cycles * scale && iterations * each < cycles * scale;
    }

    // How many iterations take about so many cycles, at least 1; 1 when nothing is known.
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
    // The entry of this place, cleared if another one had it.
    static site& of(place_key place) noexcept
    {
        site& entry = all[(place * 0x9e3779b97f4a7c15) >> (64 - bits)];
        // relaxed: see above.
        if (entry.place_.load(std::memory_order_relaxed) != place) [[unlikely]] {
            entry.take_over(place);
        }
        return entry;
    }

    // Over all that a participant has run. Sharing makes iterations dearer, by the lines that go to
    // and fro; so loops that were shared only lower it, and what it costs without others is learned
    // without others.
    estimate average;
    // Over what each participant begins with. Anybody may raise it, only the caller lowers it, once
    // a loop and by less: so where shares differ this is about the dearest one's, and a first piece
    // of that size is too long nowhere.
    estimate first;

    // Whether somebody else took part in the last loop that others could take part in.
    // relaxed: a guess.
    bool was_shared() const noexcept { return shared_.load(std::memory_order_relaxed); }
    void note_shared(bool shared) noexcept { note(shared_, shared); }

    // Whether a loop from here that was expected to be very short has turned out long lately: the
    // guess says less than elsewhere. relaxed: a guess.
    bool varies() const noexcept { return varies_.load(std::memory_order_relaxed); }
    void note_varying(bool so) noexcept { note(varies_, so); }

private:
    void take_over(place_key place) noexcept;
    static void note(std::atomic<bool>& guess, bool so) noexcept
    {
        // relaxed: a guess. All who read it hold the line.
        if (guess.load(std::memory_order_relaxed) != so) {
            guess.store(so, std::memory_order_relaxed);  // relaxed: as above
        }
    }

    static constexpr unsigned bits = 8;
    static std::array<site, 1u << bits> all;

    std::atomic<bool> shared_{false};
    std::atomic<bool> varies_{false};
    std::atomic<place_key> place_{0};
};

}  // namespace artel::loop
