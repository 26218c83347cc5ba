// The steps of Exchanges that a task draws, and what they compute on an array, however it is
// stored.
#pragma once

#include "lab/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::lab {

struct exchange_step {
    enum operation_kind : std::uint8_t { grow, shrink, swap };
    operation_kind operation;
    std::uint32_t amount;  // grow, shrink: elements, 1..W
    std::uint64_t seed;    // grow: of the new elements

    std::uint64_t as_number() const noexcept { return std::uint64_t{operation} << 32 | amount; }
};

class exchange_sequence {
public:
    exchange_sequence(unsigned task, unsigned width) noexcept : random_(stream, task), width_(width)
    {}

    exchange_step next() noexcept
    {
        constexpr exchange_step::operation_kind kinds[8]{
            exchange_step::grow,   exchange_step::grow,   exchange_step::grow,
            exchange_step::shrink, exchange_step::shrink, exchange_step::shrink,
            exchange_step::swap,   exchange_step::swap};
        const auto drawn = random_.next();
        return {kinds[drawn & 7], static_cast<std::uint32_t>((drawn >> 8) % width_ + 1),
                mix(drawn)};
    }

private:
    static constexpr std::uint64_t stream = 2;
    random_sequence random_;
    unsigned width_;
};

void fill_with_fractions(double* elements, std::size_t count, std::uint64_t seed) noexcept;

// The sum of `count` elements with the least rounding error that the order of additions can give:
// the two smallest are replaced by their sum until one is left. `scratch` is only there to be
// reused. `count` is not 0.
double most_precise_sum(const double* elements, std::size_t count, std::vector<double>& scratch);

// Over the bits of all elements, in order.
std::uint64_t checksum_of(const double* elements, std::size_t count) noexcept;

// The result that a run must have: for each task the checksum of its array (0 if it holds none),
// given how many operations each executed. A task whose last operation was an exchange cut short by
// the stop holds no array. Computed by one thread, with arrays in vectors and pipes in queues.
// Empty if the counts are impossible.
struct task_progress {
    std::uint64_t steps;
    bool holds_array;
};
std::vector<std::uint64_t> exchange_oracle(const std::vector<task_progress>& progress,
                                           unsigned width);

}  // namespace artel::lab
