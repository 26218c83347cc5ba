// What a member has taken of a dynamic or guided loop whose pieces may come in any order
// (nonmonotonic): several pieces at once where they are so short that members would do little else
// than pass the loop's counter to and fro. It begins with one piece, takes more as long as a batch
// is done in no time (loop_batches.cpp), and gives the pieces out one by one. Whoever finds nothing
// left in the counter takes from the others' batches, so however wrong the guess was, no iteration
// waits behind a long one while a member is idle.
//
// Since batches come from one counter and are worked off in order, the smallest iteration that has
// not ended is always one that runs, as without batches: programs whose iterations wait for earlier
// ones go on. But where iterations wait for later ones, all members may be in such, each with the
// other's in its batch, and nobody idle to take it. Such programs are wrong, and hang under libomp,
// whose loops of this kind are stolen from, too. Under libgomp, which hands out pieces one by one,
// they go on; so for gcc's programs there are no batches.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::openmp {

// A batch is a range of units: of chunks. One word holds the range and what loop it belongs to, by
// the last bits of the construct's number; accesses to it are relaxed but where they say why, as
// units are numbers that nobody else gets (see the head of loop.hpp). A word that is found again as
// it was means the same units, which have not been taken: no ABA problem. Only words of members
// that have made an offer in the same loop are looked at; they are at most a ring of constructs
// further (team/worksharing_state.hpp), so the bits cannot mislead.
//
// A member announces a batch before it goes to the counter, by a release that the acquire of
// whoever finds the counter at its end pairs with, and before it takes from others. So nobody
// leaves while units are on their way into a batch: iterations that wait for later ones are met,
// too, as long as there are members for them.
class loop_batch {
public:
    // of a loop; claim() may count one beyond its end.
    static constexpr std::uint64_t most_units = (std::uint64_t{1} << 28) - 2;

    struct range {
        std::uint64_t first = 0;
        std::uint64_t last = 0;  // exclusive
        bool empty() const noexcept { return first >= last; }
    };

    constexpr loop_batch() noexcept = default;

    // By the owner, before it takes anything of the loop: nothing in it yet.
    void begin(std::uint64_t construct) noexcept { put(construct, {}); }

    // By the owner, when it is empty.
    void put(std::uint64_t construct, range units) noexcept
    {
        word_.store(pack(construct, units), std::memory_order_relaxed);
    }

    // By the owner, before it takes units from the counter or from others: until it puts them, or
    // begins anew.
    void announce(std::uint64_t construct) noexcept
    {
        word_.store(pack(construct, coming), std::memory_order_relaxed);
    }

    // By the owner: one unit from the front; false when there is none.
    bool claim(std::uint64_t& unit) noexcept
    {
        // acquire: pairs with the release of steal(): whoever finds nothing knows that a thief has
        // announced what it took.
        const range there = unpack(
            word_.fetch_add(std::uint64_t{1} << bits, std::memory_order_acquire));
        unit = there.first;
        return !there.empty();
    }

    // By the owner: size_of(first) units from the front, or all where there are fewer; empty when
    // there are none.
    template <typename Size>
    range claim_many(Size size_of) noexcept
    {
        std::uint64_t now = word_.load(std::memory_order_acquire);  // acquire, both: as in claim()
        for (;;) {
            const range there = unpack(now);
            if (there.empty()) {
                return {};
            }
            const std::uint64_t size = size_of(there.first);
            const std::uint64_t end = size < there.last - there.first ? there.first + size
                                                                      : there.last;
            if (word_.compare_exchange_weak(now, pack(now >> 2 * bits, {end, there.last}),
                                            std::memory_order_acquire)) {
                return {there.first, end};
            }
        }
    }

    // By anybody in construct `construct`: something is announced.
    bool is_announced(std::uint64_t construct) const noexcept
    {
        return word_.load(std::memory_order_relaxed) == pack(construct, coming);
    }

    // By another member: whether steal() would have found something.
    bool has_units(std::uint64_t construct) const noexcept
    {
        const std::uint64_t now = word_.load(std::memory_order_relaxed);
        return !unpack(now).empty() && now >> 2 * bits == (construct & tags);
    }

    // By another member that is in construct `construct`: the back half, or the only unit; empty
    // when there is none of that loop, or one is only announced.
    range steal(std::uint64_t construct) noexcept
    {
        std::uint64_t now = word_.load(std::memory_order_relaxed);
        for (;;) {
            const range there = unpack(now);
            if (there.empty() || now >> 2 * bits != (construct & tags)) {
                return {};
            }
            const std::uint64_t middle = there.first + (there.last - there.first) / 2;
            // release: pairs with claim(). relaxed on failure: another look.
            if (word_.compare_exchange_weak(now, pack(construct, {there.first, middle}),
                                            std::memory_order_release, std::memory_order_relaxed)) {
                return {middle, there.last};
            }
        }
    }

private:
    static constexpr unsigned bits = 28;
    static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    static constexpr std::uint64_t tags = 0xff;
    static constexpr range coming{mask, 0};

    static constexpr range unpack(std::uint64_t word) noexcept
    {
        return {word >> bits & mask, word & mask};
    }
    static constexpr std::uint64_t pack(std::uint64_t construct, range r) noexcept
    {
        return (construct & tags) << 2 * bits | r.first << bits | r.last;
    }

    std::atomic<std::uint64_t> word_{0};
};

// The loop's counter: units that have been handed out, and who may have some of them in its batch;
// in one word, so that whoever takes a batch says so, and learns of the others, at no further cost.
struct batch_counter {
    // Members of the largest team that has batches: each has a bit. Whoever has not set its own in
    // this loop may have the rest of an older batch in its word, from a loop that was cancelled,
    // and nobody looks there.
    static constexpr unsigned most_offers = 32;
    static constexpr std::uint64_t units(std::uint64_t word) noexcept { return word & 0xffffffff; }
    static constexpr std::uint64_t offers(std::uint64_t word) noexcept { return word >> 32; }
    static constexpr std::uint64_t bit_of(unsigned member) noexcept
    {
        return std::uint64_t{1} << member;
    }
    // What a member adds that has not said so yet.
    static constexpr std::uint64_t offer_of(unsigned member) noexcept
    {
        return bit_of(member) << 32;
    }
};

// The owner's notes on its batches of the loop that it is in.
struct batching {
    loop_batch batch;
    std::uint64_t taken_at = 0;  // when it took the last one, in base::cycles(); 0: none yet
    std::uint64_t seen = 0;      // how far the loop's counter was then
    std::uint64_t pieces = 1;    // how many it takes next
    // of the loop; the next one that has as many is taken for the same, and begins with as large
    // batches.
    std::uint64_t units = 0;
    std::uint64_t most = 1;  // pieces that it took at once in the loop
    bool offers = false;     // its own bit is set
    // it has run the last unit; also in loops with shares (loop_shares.hpp).
    bool ended = false;

    void begin(std::uint64_t construct, std::uint64_t of_units) noexcept
    {
        batch.begin(construct);
        pieces = units == of_units ? most : 1;
        units = of_units;
        most = 1;
        taken_at = 0;
        seen = 0;
        offers = false;
        ended = false;
    }
};

}  // namespace artel::openmp
