// The pseudo-random sequence of one task. It is seeded by the task's number alone, so that task n
// executes the same operations as a thread and as a process, on every machine. The generator is
// splitmix64: one addition and a mix per number, which costs little beside the operations that it
// chooses. rand_r, which the paper's programs used, gives 15 to 31 bits and differs between C
// libraries.
#pragma once

#include <cstdint>

namespace artel::lab {

// A strong mix of 64 bits; also the step of running checksums.
constexpr std::uint64_t mix(std::uint64_t z) noexcept
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

class random_sequence {
public:
    // `stream` differs between workloads: task 3 of Alloc and task 3 of Exchanges draw different
    // numbers.
    constexpr random_sequence(std::uint64_t stream, std::uint64_t task) noexcept
        : state_(mix(stream) ^ mix(task + 1))
    {}

    constexpr std::uint64_t next() noexcept { return mix(state_ += 0x9e3779b97f4a7c15u); }

    // In [0, 1), with 53 random bits.
    constexpr double next_fraction() noexcept
    {
        return static_cast<double>(next() >> 11) * 0x1p-53;
    }

private:
    std::uint64_t state_;
};

}  // namespace artel::lab
