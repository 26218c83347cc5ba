// Parallel partition of a sequence, in place.
//
// Each participant holds a block from the left end and one from the right end, notes which elements
// are on the wrong side, and swaps them in pairs until one of the two has none left; then it takes
// the next block from that end. Noting them needs no branch that depends on the elements: the
// processor would mispredict half of such branches. When all blocks are taken each participant has
// at most one unfinished block. These are moved to the middle, and one thread partitions them and
// what is beyond the last whole block, a small part of the whole.
#pragma once

#include <algorithm>
#include <artel/parallel_for.hpp>
#include <artel/workers.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

namespace artel::detail {

// `Block`: elements in a block.
template <std::ptrdiff_t Block, class It, class Belongs>
class block_partition {
public:
    static constexpr unsigned most_participants = 64;

    // `left_side`(element): whether it belongs there; any number of threads at a time.
    block_partition(It first, It last, Belongs& left_side) noexcept
        : first_(first), last_(last), left_side_(left_side), blocks_((last - first) / Block)
    {}

    // Where the right side begins. `participants`: at least one.
    It run(unsigned participants)
    {
        if (participants == 1) {
            take_part(open_[0]);
        } else {
            parallel_for(0u, participants, [this](unsigned i) { take_part(open_[i]); }, simple{});
        }
        return finish(participants);
    }

private:
    static constexpr std::ptrdiff_t none = -1;

    // The numbers, counted from the sequence's left end, of a participant's unfinished blocks.
    struct open_blocks {
        std::ptrdiff_t left = none;
        std::ptrdiff_t right = none;
    };

    // The elements of a block that are on the wrong side.
    struct wrong_elements {
        std::uint16_t at[Block];
        std::ptrdiff_t next = 0;
        std::ptrdiff_t count = 0;
        std::ptrdiff_t left() const noexcept { return count - next; }
    };

    // The next block of an end; `none` when all blocks are taken. One counter for both ends, so
    // that they never meet in a block.
    std::ptrdiff_t take(std::atomic<std::ptrdiff_t>& taken_here) noexcept
    {
        // relaxed (two): they only decide which participant gets which block; the loop's end
        // publishes.
        return taken_.fetch_add(1, std::memory_order_relaxed) < blocks_
                   ? taken_here.fetch_add(1, std::memory_order_relaxed)
                   : none;
    }

    // Takes left and right blocks until there are none left on one side.
    void take_part(open_blocks& mine)
    {
        wrong_elements left;
        wrong_elements right;
        for (;;) {
            if (mine.left == none) {
                mine.left = take(lefts_);
                if (mine.left == none) {
                    return;
                }
                note_wrong<false>(left, first_ + mine.left * Block);
            }
            if (mine.right == none) {
                mine.right = take(rights_);
                if (mine.right == none) {
                    return;
                }
                mine.right = blocks_ - 1 - mine.right;
                note_wrong<true>(right, first_ + mine.right * Block);
            }
            exchange(left, first_ + mine.left * Block, right, first_ + mine.right * Block);
            mine.left = left.left() != 0 ? mine.left : none;
            mine.right = right.left() != 0 ? mine.right : none;
        }
    }

    template <bool Belongs_left>
    void note_wrong(wrong_elements& wrong, It block)
    {
        wrong.next = 0;
        wrong.count = 0;
        for (std::ptrdiff_t i = 0; i < Block; ++i) {
            wrong.at[wrong.count] = static_cast<std::uint16_t>(i);
            wrong.count += static_cast<bool>(left_side_(block[i])) == Belongs_left ? 1 : 0;
        }
    }

    void exchange(wrong_elements& left, It left_block, wrong_elements& right, It right_block)
    {
        for (std::ptrdiff_t n = std::min(left.left(), right.left()); n > 0; --n) {
            std::iter_swap(left_block + left.at[left.next++], right_block + right.at[right.next++]);
        }
    }

    // By one thread, at the end. Unfinished left blocks are swapped with the last finished ones on
    // that side, right ones with the first on theirs; then all unfinished elements are contiguous.
    It finish(unsigned participants)
    {
        std::ptrdiff_t lefts = lefts_.load(std::memory_order_relaxed);    // relaxed (two): the
        std::ptrdiff_t rights = rights_.load(std::memory_order_relaxed);  // loop has ended
        std::ptrdiff_t left_open[most_participants];
        std::ptrdiff_t right_open[most_participants];
        std::size_t left_count = 0;
        std::size_t right_count = 0;
        for (unsigned i = 0; i < participants; ++i) {
            if (open_[i].left != none) {
                left_open[left_count++] = open_[i].left;
            }
            if (open_[i].right != none) {
                right_open[right_count++] = open_[i].right;
            }
        }
        // The one nearest to the middle first: it may be in its place already.
        std::sort(left_open, left_open + left_count, std::greater<>());
        std::sort(right_open, right_open + right_count);
        for (std::size_t i = 0; i < left_count; ++i) {
            swap_blocks(left_open[i], --lefts);
        }
        for (std::size_t i = 0; i < right_count; ++i) {
            swap_blocks(right_open[i], blocks_ - rights--);
        }
        const It stretch_end = first_ + (blocks_ - rights) * Block;
        const It middle = std::partition(first_ + lefts * Block, stretch_end, std::ref(left_side_));
        // What is beyond the last whole block.
        return merge_tail(middle, first_ + blocks_ * Block);
    }

    void swap_blocks(std::ptrdiff_t a, std::ptrdiff_t b)
    {
        if (a != b) {
            std::swap_ranges(first_ + a * Block, first_ + (a + 1) * Block, first_ + b * Block);
        }
    }

    // [first, middle) and [middle, tail) are partitioned, [tail, last) is not.
    It merge_tail(It middle, It tail)
    {
        for (; tail != last_; ++tail) {
            if (left_side_(*tail)) {
                std::iter_swap(middle, tail);
                ++middle;
            }
        }
        return middle;
    }

    const It first_;
    const It last_;
    Belongs& left_side_;
    const std::ptrdiff_t blocks_;
    alignas(64) std::atomic<std::ptrdiff_t> taken_{0};
    std::atomic<std::ptrdiff_t> lefts_{0};
    std::atomic<std::ptrdiff_t> rights_{0};
    open_blocks open_[most_participants];
};

// As std::partition: moves the elements for which `belongs` is true to the front; returns where the
// others begin.
template <class It, class Belongs>
It partition_by_all(It first, It last, Belongs belongs)
{
    // Elements that one thread partitions in about the time that others need to begin to help.
    constexpr std::ptrdiff_t worth_help = std::ptrdiff_t{1} << 17;
    constexpr std::ptrdiff_t small_block = 256;
    constexpr std::ptrdiff_t large_block = 2048;
    using by_all = block_partition<large_block, It, Belongs>;
    const unsigned most = std::min(num_threads(), by_all::most_participants);
    if (last - first < worth_help || most == 1) {
        return block_partition<small_block, It, Belongs>(first, last, belongs).run(1);
    }
    const std::ptrdiff_t useful = (last - first) / (8 * large_block);
    return by_all(first, last, belongs)
        .run(static_cast<unsigned>(std::min<std::ptrdiff_t>(most, useful)));
}

}  // namespace artel::detail
