// The ring of Alloc, and the steps that a task executes on it.
#pragma once

#include "lab/random.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::lab {

struct alloc_step {
    enum operation_kind : std::uint8_t { grow, walk, shrink };
    operation_kind operation;
    std::uint8_t exponent;  // 1..7

    std::uint64_t as_number() const noexcept { return std::uint64_t{operation} << 8 | exponent; }
};

// Calls f(number, step) for the first `count` steps of the task until it returns false; returns
// whether all were executed.
template <class F>
bool for_each_alloc_step(unsigned task, std::uint64_t count, F f)
{
    constexpr std::uint64_t stream = 1;
    constexpr alloc_step::operation_kind kinds[8]{
        alloc_step::grow, alloc_step::grow, alloc_step::grow,   alloc_step::walk,
        alloc_step::walk, alloc_step::walk, alloc_step::shrink, alloc_step::shrink};
    random_sequence random(stream, task);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto drawn = random.next();
        const alloc_step step{kinds[drawn & 7], static_cast<std::uint8_t>((drawn >> 8) % 7 + 1)};
        if (!f(i, step))
            return false;
    }
    return true;
}

// The checksum that `count` steps of the task must give, computed without malloc and without links
// (alloc_oracle.cpp).
std::uint64_t alloc_oracle(unsigned task, std::uint64_t count);

// Circular list; `begin_` wanders. Blocks are freed by clear() only.
class alloc_ring {
public:
    // False when the heap has no more memory.
    template <class Heap>
    bool execute(const alloc_step& step, Heap& heap) noexcept
    {
        const std::size_t amount = std::size_t{1} << step.exponent;
        switch (step.operation) {
        case alloc_step::grow:
            return insert(static_cast<block*>(heap.allocate(64 * amount)), 64 * amount);
        case alloc_step::walk: walk(amount); return true;
        case alloc_step::shrink:
            if (block* const gone = take_out(amount); gone != nullptr)
                heap.release(gone);
            return true;
        }
        return true;
    }

    template <class Heap>
    void clear(Heap& heap) noexcept
    {
        while (begin_ != nullptr) {
            block* const next = begin_->next == begin_ ? nullptr : begin_->next;
            begin_->previous->next = begin_->next;
            begin_->next->previous = begin_->previous;
            heap.release(begin_);
            begin_ = next;
        }
    }

    std::uint64_t checksum() const noexcept { return checksum_; }

private:
    struct block {
        block* next;
        block* previous;
        std::uint64_t bytes;
        std::uint64_t value;
    };

    bool insert(block* b, std::size_t bytes) noexcept
    {
        if (b == nullptr)
            return false;
        b->bytes = bytes;
        b->value = ++made_;
        if (begin_ == nullptr) {
            b->next = b->previous = begin_ = b;
        } else {
            b->next = begin_;
            b->previous = begin_->previous;
            b->previous->next = b;
            begin_->previous = b;
        }
        return true;
    }

    void walk(std::size_t links) noexcept
    {
        block* b = begin_;
        if (b == nullptr)
            return;
        for (; links > 0; --links) {
            b->value += links;
            b = b->next;
        }
        begin_ = b;
    }

    block* take_out(std::size_t links) noexcept
    {
        block* b = begin_;
        if (b == nullptr)
            return nullptr;
        for (; links > 0; --links)
            b = b->next;
        checksum_ = mix(checksum_ + b->value + b->bytes);
        begin_ = b->next == b ? nullptr : b->next;
        b->previous->next = b->next;
        b->next->previous = b->previous;
        return b;
    }

    block* begin_ = nullptr;
    std::uint64_t made_ = 0, checksum_ = 0;
};

}  // namespace artel::lab
