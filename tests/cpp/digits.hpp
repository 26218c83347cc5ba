// A value for reductions through the C interface whose result tells the order of evaluation.
#pragma once

#include <atomic>
#include <cstdint>

namespace test {

// A sequence of digits as a number in base 3, modulo 2^64, and 3 to the power of their number. To
// join two of them is associative but not commutative.
struct digits {
    std::uint64_t number;
    std::uint64_t power;
};
inline constexpr digits no_digits{0, 1};

inline void append(digits& d, std::int64_t i)
{
    d = {d.number * 3 + static_cast<std::uint64_t>(i % 3), d.power * 3};
}
inline void append_range(void* calls, std::int64_t begin, std::int64_t end, void* value)
{
    if (calls != nullptr) {
        ++*static_cast<std::atomic<int>*>(calls);
    }
    for (; begin < end; ++begin) {
        append(*static_cast<digits*>(value), begin);
    }
}
inline void join_digits(void*, void* left, const void* right)
{
    auto& l = *static_cast<digits*>(left);
    const auto& r = *static_cast<const digits*>(right);
    l = {l.number * r.power + r.number, l.power * r.power};
}
inline digits expected(std::int64_t begin, std::int64_t end)
{
    digits d = no_digits;
    append_range(nullptr, begin, end, &d);
    return d;
}
inline bool operator==(const digits& a, const digits& b)
{
    return a.number == b.number && a.power == b.power;
}

}  // namespace test
