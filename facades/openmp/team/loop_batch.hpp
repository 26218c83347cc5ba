// The pieces that a member has taken of a dynamic or guided loop in which pieces may come in any
// order (nonmonotonic): several at once where they are so short that handing them out singly would
// cost more than running them. A member begins with one piece, takes more as long as a batch takes
// almost no time (loop_batches.cpp), and runs the pieces one by one. Members that find the counter
// exhausted steal from the batches of others, so even after a wrong guess no iteration waits behind
// a long one while a member is idle.
//
// Batches come from one counter and are run in order, so the smallest unfinished iteration is
// always running, as without batches: programs whose iterations wait for earlier ones continue. But
// where iterations wait for later ones, every member may be in a waiting iteration with the awaited
// ones in another's batch, and no member is idle to steal them. Such programs are wrong, and hang
// under libomp too, whose loops of this kind are stolen from. Under libgomp, which hands out pieces
// one by one, they continue; so gcc's programs get no batches.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::openmp {

// A batch is a range of units (chunks). One word holds the range and the last bits of the
// construct's number; accesses are relaxed except where they say why, because units are plain
// numbers that nobody else gets (see the head of loop.hpp). A word found unchanged means the same
// units, still untaken: no ABA problem. Thieves look only at words of members that have set their
// offer bit in the same loop. Loops with batches are in the ring only (worksharing_state.hpp), so
// such members are, with their words, at most a ring of constructs ahead, and the bits of the
// number are unambiguous.
//
// A member announces a batch before it takes units from the counter or from others; the release
// with which it takes them pairs with the acquire of a member that finds the counter exhausted. So
// nobody leaves the loop while units are on their way into a batch: iterations that wait for later
// ones, too, find members to run those, as long as there are enough.
class loop_batch {
public:
    // most units of a loop; claim() may count one beyond its end.
    static constexpr std::uint64_t most_units = (std::uint64_t{1} << 28) - 2;

    struct range {
        std::uint64_t first = 0;
        std::uint64_t last = 0;  // exclusive
        bool empty() const noexcept { return first >= last; }
    };

    constexpr loop_batch() noexcept = default;

    // By the owner, when it enters the loop: an empty batch.
    void begin(std::uint64_t construct) noexcept { put(construct, {}); }

    // By the owner, when it is empty.
    void put(std::uint64_t construct, range units) noexcept
    {
        word_.store(pack(construct, units), std::memory_order_relaxed);
    }

    // By the owner, before it takes units from the counter or from others; holds until put() or
    // begin().
    void announce(std::uint64_t construct) noexcept
    {
        word_.store(pack(construct, coming), std::memory_order_relaxed);
    }

    // By the owner: one unit from the front; false when there is none.
    bool claim(std::uint64_t& unit) noexcept
    {
        // acquire: pairs with the release of steal(): an owner that finds its batch empty sees that
        // the thief has announced what it took.
        const range there = unpack(
            word_.fetch_add(std::uint64_t{1} << bits, std::memory_order_acquire));
        unit = there.first;
        return !there.empty();
    }

    // By the owner: size_of(first) units from the front, or all if there are fewer; empty if there
    // are none.
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

    // By any member in construct `construct`: whether a batch is announced.
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

    // By another member in construct `construct`: takes the back half, or the only unit. Empty if
    // there are no units of that loop, or a batch is only announced.
    range steal(std::uint64_t construct) noexcept
    {
        std::uint64_t now = word_.load(std::memory_order_relaxed);
        for (;;) {
            const range there = unpack(now);
            if (there.empty() || now >> 2 * bits != (construct & tags)) {
                return {};
            }
            const std::uint64_t middle = there.first + (there.last - there.first) / 2;
            // release: pairs with claim(). relaxed on failure: it tries again.
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

// The loop's counter: units handed out, and an offer bit for each member that may have some in its
// batch. Both are in one word, so that the operation that takes a batch also sets the bit, and
// reads those of others, at no further cost.
struct batch_counter {
    // The largest team that uses batches: a bit for each member. A member that has not set its bit
    // in this loop may have the rest of an older, cancelled loop in its word, and nobody looks
    // there.
    static constexpr unsigned most_offers = 32;
    static constexpr std::uint64_t units(std::uint64_t word) noexcept { return word & 0xffffffff; }
    static constexpr std::uint64_t offers(std::uint64_t word) noexcept { return word >> 32; }
    static constexpr std::uint64_t bit_of(unsigned member) noexcept
    {
        return std::uint64_t{1} << member;
    }
    // Added to the word by a member's first batch.
    static constexpr std::uint64_t offer_of(unsigned member) noexcept
    {
        return bit_of(member) << 32;
    }
};

// The owner's state of batching in the current loop.
struct batching {
    loop_batch batch;
    std::uint64_t taken_at = 0;  // when it took the last batch, in base::cycles(); 0: none yet
    std::uint64_t seen = 0;      // the loop's counter at that time
    std::uint64_t pieces = 1;    // size of the next batch
    // units of the loop; the next loop with the same number is assumed to be the same, and begins
    // with the same batch size.
    std::uint64_t units = 0;
    std::uint64_t most = 1;  // largest batch in the loop
    bool offers = false;     // its offer bit is set
    // The owner has run the last unit. Also used by loops with shares (loop_shares.hpp).
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
