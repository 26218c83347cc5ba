// Results at the limits of types, at odd addresses, and in the place of either operand; and that
// there is no loop where the standard has no operation. An error would be a wrong number in a
// program's result.
#include "coll/kernels.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace {

using namespace artel::coll;

template <typename T>
std::vector<T> merged(scalar type, op_kind op, const std::vector<T>& a, const std::vector<T>& b)
{
    std::vector<T> out(a.size());
    const merge_function f = find_kernel(type, op);
    EXPECT_NE(f, nullptr);
    EXPECT_EQ(f(nullptr, a.data(), b.data(), out.data(), a.size()), 0);
    // The result in the place of either operand is the same.
    std::vector<T> left = a, right = b;
    f(nullptr, left.data(), b.data(), left.data(), a.size());
    f(nullptr, a.data(), right.data(), right.data(), a.size());
    EXPECT_EQ(left, out);
    EXPECT_EQ(right, out);
    return out;
}

TEST(Kernels, SignsAndWrapAround)
{
    using i8 = std::int8_t;
    EXPECT_EQ(merged<i8>(scalar::i8, op_kind::sum, {127, -128, 5}, {1, -1, -7}),
              (std::vector<i8>{-128, 127, -2}));
    EXPECT_EQ(merged<i8>(scalar::i8, op_kind::max, {-1, 3}, {1, -3}), (std::vector<i8>{1, 3}));
    EXPECT_EQ(merged<std::uint8_t>(scalar::u8, op_kind::max, {255, 3}, {1, 4}),
              (std::vector<std::uint8_t>{255, 4}));
    EXPECT_EQ(merged<std::uint16_t>(scalar::u16, op_kind::prod, {65535}, {65535}),
              (std::vector<std::uint16_t>{1}));
    EXPECT_EQ(merged<std::uint64_t>(scalar::u64, op_kind::min, {~0ULL, 7}, {1, 8}),
              (std::vector<std::uint64_t>{1, 7}));
    EXPECT_EQ(
        merged<std::int32_t>(scalar::i32, op_kind::min, {std::numeric_limits<int>::min()}, {1}),
        (std::vector<std::int32_t>{std::numeric_limits<int>::min()}));
}

TEST(Kernels, BitsAndLogic)
{
    using u32 = std::uint32_t;
    const std::vector<u32> a{0, 6, 0, 4}, b{0, 3, 5, 0};
    EXPECT_EQ(merged<u32>(scalar::u32, op_kind::band, a, b), (std::vector<u32>{0, 2, 0, 0}));
    EXPECT_EQ(merged<u32>(scalar::u32, op_kind::bor, a, b), (std::vector<u32>{0, 7, 5, 4}));
    EXPECT_EQ(merged<u32>(scalar::u32, op_kind::bxor, a, b), (std::vector<u32>{0, 5, 5, 4}));
    EXPECT_EQ(merged<u32>(scalar::u32, op_kind::land, a, b), (std::vector<u32>{0, 1, 0, 0}));
    EXPECT_EQ(merged<u32>(scalar::u32, op_kind::lor, a, b), (std::vector<u32>{0, 1, 1, 1}));
    EXPECT_EQ(merged<u32>(scalar::u32, op_kind::lxor, a, b), (std::vector<u32>{0, 0, 1, 1}));
}

TEST(Kernels, LengthsAndOddAddresses)
{
    for (const std::size_t count : {1U, 2U, 3U, 7U, 8U, 33U, 1000U}) {
        std::vector<unsigned char> room(3 * (count * sizeof(double) + 1));
        unsigned char* const a = room.data() + 1;
        unsigned char* const b = a + count * sizeof(double) + 1;
        unsigned char* const out = b + count * sizeof(double);
        for (std::size_t i = 0; i < count; ++i) {
            const double x = 0.5 * static_cast<double>(i), y = 2;
            std::memcpy(a + i * sizeof x, &x, sizeof x);
            std::memcpy(b + i * sizeof y, &y, sizeof y);
        }
        find_kernel(scalar::f64, op_kind::prod)(nullptr, a, b, out, count);
        for (std::size_t i = 0; i < count; ++i) {
            double got = 0;
            std::memcpy(&got, out + i * sizeof got, sizeof got);
            EXPECT_EQ(got, static_cast<double>(i));
        }
    }
}

struct __attribute__((packed)) place {
    double value;
    std::int32_t at;
    bool operator==(const place& o) const { return value == o.value && at == o.at; }
};

TEST(Kernels, PairsTakeTheLowerPlaceOfEquals)
{
    const place a[] = {{1, 5}, {2, 5}, {3, 9}}, b[] = {{2, 1}, {1, 1}, {3, 4}};
    place out[3];
    find_kernel(artel::coll::pair::f64, op_kind::minloc)(nullptr, a, b, out, 3);
    EXPECT_TRUE(out[0] == a[0] && out[1] == b[1] && out[2] == b[2]);
    find_kernel(artel::coll::pair::f64, op_kind::maxloc)(nullptr, a, b, out, 3);
    EXPECT_TRUE(out[0] == b[0] && out[1] == a[1] && out[2] == b[2]);
}

TEST(Kernels, NoneForWhatMakesNoSense)
{
    EXPECT_EQ(find_kernel(scalar::f64, op_kind::band), nullptr);
    EXPECT_EQ(find_kernel(scalar::f32, op_kind::lor), nullptr);
    EXPECT_EQ(find_kernel(scalar::i32, op_kind::minloc), nullptr);
    EXPECT_EQ(find_kernel(artel::coll::pair::i32, op_kind::sum), nullptr);
    EXPECT_EQ(find_kernel(scalar::none, op_kind::sum), nullptr);
}

}  // namespace
