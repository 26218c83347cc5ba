// One template, instantiated for each type and the operations that it has. Elements may lie at any
// address, and integers wrap around.
#include "coll/kernels.hpp"

#include <cstring>
#include <type_traits>

namespace artel::coll {
namespace {

// An element in a program's buffer: of any alignment, and declared with any type.
template <typename T>
struct loose {
    typedef T type __attribute__((aligned(1), may_alias));
};

template <typename T, op_kind op>
constexpr T combine(T a, T b) noexcept
{
    // Sums and products wrap around as in hardware: unsigned, and wide enough that nothing is
    // promoted to a signed int.
    using wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
    if constexpr (op == op_kind::sum) {
        if constexpr (std::is_floating_point_v<T>) {
            return a + b;
        } else {
            return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
        }
    } else if constexpr (op == op_kind::prod) {
        if constexpr (std::is_floating_point_v<T>) {
            return a * b;
        } else {
            return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
        }
    } else if constexpr (op == op_kind::max) {
        return a > b ? a : b;
    } else if constexpr (op == op_kind::min) {
        return a < b ? a : b;
    } else if constexpr (op == op_kind::band) {
        return static_cast<T>(a & b);
    } else if constexpr (op == op_kind::bor) {
        return static_cast<T>(a | b);
    } else if constexpr (op == op_kind::bxor) {
        return static_cast<T>(a ^ b);
    } else if constexpr (op == op_kind::land) {
        return static_cast<T>(a != 0 && b != 0);
    } else if constexpr (op == op_kind::lor) {
        return static_cast<T>(a != 0 || b != 0);
    } else {
        return static_cast<T>((a != 0) != (b != 0));
    }
}

template <typename T, op_kind op>
int merge(const artel_operation*, const void* a, const void* b, void* out, std::size_t elements)
{
    const auto* const left = static_cast<const typename loose<T>::type*>(a);
    const auto* const right = static_cast<const typename loose<T>::type*>(b);
    auto* const result = static_cast<typename loose<T>::type*>(out);
    // `out` is one of the others or overlaps neither, so elements do not depend on each other.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < elements; ++i) {
        result[i] = combine<T, op>(left[i], right[i]);
    }
    return 0;
}

template <typename T, bool least>
int merge_pairs(const artel_operation*, const void* a, const void* b, void* out,
                std::size_t elements)
{
    constexpr std::size_t size = sizeof(T) + sizeof(std::int32_t);
    const auto* left = static_cast<const unsigned char*>(a);
    const auto* right = static_cast<const unsigned char*>(b);
    auto* result = static_cast<unsigned char*>(out);
    for (std::size_t i = 0; i < elements; ++i, left += size, right += size, result += size) {
        T x, y;
        std::int32_t at, bt;
        std::memcpy(&x, left, sizeof x);
        std::memcpy(&y, right, sizeof y);
        std::memcpy(&at, left + sizeof x, sizeof at);
        std::memcpy(&bt, right + sizeof y, sizeof bt);
        // Of equal values, the one with the lower location.
        const bool first = (least ? x < y : x > y) || (x == y && at <= bt);
        std::memmove(result, first ? left : right, size);
    }
    return 0;
}

template <typename T>
constexpr merge_function scalar_kernel(op_kind op) noexcept
{
    switch (op) {
    case op_kind::sum: return merge<T, op_kind::sum>;
    case op_kind::prod: return merge<T, op_kind::prod>;
    case op_kind::max: return merge<T, op_kind::max>;
    case op_kind::min: return merge<T, op_kind::min>;
    default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (op) {
        case op_kind::band: return merge<T, op_kind::band>;
        case op_kind::bor: return merge<T, op_kind::bor>;
        case op_kind::bxor: return merge<T, op_kind::bxor>;
        case op_kind::land: return merge<T, op_kind::land>;
        case op_kind::lor: return merge<T, op_kind::lor>;
        case op_kind::lxor: return merge<T, op_kind::lxor>;
        default: break;
        }
    }
    return nullptr;
}

template <typename T>
constexpr merge_function pair_kernel(op_kind op) noexcept
{
    return op == op_kind::minloc   ? merge_pairs<T, true>
           : op == op_kind::maxloc ? merge_pairs<T, false>
                                   : nullptr;
}

}  // namespace

merge_function find_kernel(scalar type, op_kind op) noexcept
{
    switch (type) {
    case scalar::i8: return scalar_kernel<std::int8_t>(op);
    case scalar::u8: return scalar_kernel<std::uint8_t>(op);
    case scalar::i16: return scalar_kernel<std::int16_t>(op);
    case scalar::u16: return scalar_kernel<std::uint16_t>(op);
    case scalar::i32: return scalar_kernel<std::int32_t>(op);
    case scalar::u32: return scalar_kernel<std::uint32_t>(op);
    case scalar::i64: return scalar_kernel<std::int64_t>(op);
    case scalar::u64: return scalar_kernel<std::uint64_t>(op);
    case scalar::f32: return scalar_kernel<float>(op);
    case scalar::f64: return scalar_kernel<double>(op);
    case scalar::none: break;
    }
    return nullptr;
}

merge_function find_kernel(pair type, op_kind op) noexcept
{
    switch (type) {
    case pair::i32: return pair_kernel<std::int32_t>(op);
    case pair::f32: return pair_kernel<float>(op);
    case pair::f64: return pair_kernel<double>(op);
    case pair::i64: return pair_kernel<std::int64_t>(op);
    case pair::i16: return pair_kernel<std::int16_t>(op);
    case pair::none: break;
    }
    return nullptr;
}

}  // namespace artel::coll
