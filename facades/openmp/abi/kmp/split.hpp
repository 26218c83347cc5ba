// Iteration spaces of the __kmpc_ interface: from a first to a last value, both included, by a step
// that is not 0. All arithmetic is unsigned and modulo 2^64, so that any loop of 32 or 64 bits
// fits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace artel::openmp::kmp {

template <typename Value>
struct range {
    using wide = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;

    Value lower;
    Value upper;
    std::make_signed_t<Value> step;

    bool empty() const noexcept { return step > 0 ? upper < lower : lower < upper; }

    // Extends a value to 64 bits, with or without sign as its type demands.
    static std::uint64_t extend(Value v) noexcept
    {
        return static_cast<std::uint64_t>(static_cast<wide>(v));
    }
    std::uint64_t wide_step() const noexcept
    {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(step));
    }

    // The number of iterations; 0 also for a loop over all 2^64 values.
    std::uint64_t count() const noexcept
    {
        if (empty()) {
            return 0;
        }
        const std::uint64_t distance = step > 0 ? extend(upper) - extend(lower)
                                                : extend(lower) - extend(upper);
        const std::uint64_t stride = step > 0 ? wide_step() : 0 - wide_step();
        return (stride == 1 ? distance : distance / stride) + 1;
    }

    // The value of iteration `index`.
    Value at(std::uint64_t index) const noexcept
    {
        return static_cast<Value>(extend(lower) + index * wide_step());
    }

    // Makes the range empty, whatever its bounds were.
    void clear() noexcept
    {
        lower = step > 0 ? 1 : 0;
        upper = step > 0 ? 0 : 1;
    }
};

// Share `number` of `parts` of `count` iterations. Sizes differ by at most one, the larger ones
// come first: as in gcc's code for schedule(static), so that loops of both compilers give a member
// the same iterations.
struct share {
    std::uint64_t first;
    std::uint64_t size;
};
inline share even_share(std::uint64_t count, std::uint64_t number, std::uint64_t parts) noexcept
{
    const std::uint64_t size = count / parts;
    const std::uint64_t rest = count % parts;
    return {number * size + std::min(number, rest), size + (number < rest ? 1 : 0)};
}

}  // namespace artel::openmp::kmp
