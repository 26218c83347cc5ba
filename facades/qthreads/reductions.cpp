// Reductions of arrays: qt_TYPE_OPERATION and, with constant arrays and mult for prod,
// qutil_TYPE_OPERATION.
#include "loop.hpp"
#include "sched/feb_table.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace artel::qthreads {
namespace {

// Integers wrap around, signed ones, too.
template <class T>
using wraps = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

struct sum {
    template <class T>
    static T of(T a, T b)
    {
        return static_cast<T>(static_cast<wraps<T>>(a) + static_cast<wraps<T>>(b));
    }
};
struct product {
    template <class T>
    static T of(T a, T b)
    {
        return static_cast<T>(static_cast<wraps<T>>(a) * static_cast<wraps<T>>(b));
    }
};
struct maximum {
    template <class T>
    static T of(T a, T b)
    {
        return std::max(a, b);
    }
};
struct minimum {
    template <class T>
    static T of(T a, T b)
    {
        return std::min(a, b);
    }
};

// `wait`: for each element to be full.
template <class T, class Operation>
T reduce(const T* array, std::size_t length, bool wait)
{
    static_assert(sizeof(T) == sizeof(sched::feb::word));
    if (length == 0) {
        return T{};
    }
    struct context {
        const T* array;
        bool wait;
        struct alignas(128) part {
            T value;
        };
        std::vector<part> parts;
    } c{array, wait, std::vector<typename context::part>(std::min(usual_pieces(), length))};
    run_pieces(
        0, length, c.parts.size(),
        [](void* argument, std::size_t number, std::size_t from, std::size_t to) {
            auto& in = *static_cast<context*>(argument);
            T value{};
            for (std::size_t i = from; i < to; ++i) {
                if (in.wait) {
                    sched::feb::read_ff(reinterpret_cast<const sched::feb::word*>(in.array + i));
                }
                value = i == from ? in.array[i] : Operation::of(value, in.array[i]);
            }
            in.parts[number].value = value;
        },
        &c);
    T value = c.parts[0].value;
    for (std::size_t i = 1; i < c.parts.size(); ++i) {
        value = Operation::of(value, c.parts[i].value);
    }
    return value;
}

}  // namespace
}  // namespace artel::qthreads

#define ARTEL_REDUCTION(name, type, operation)                    \
    type name(const type* array, std::size_t length, int wait)    \
    {                                                             \
        using namespace artel::qthreads;                          \
        return reduce<type, operation>(array, length, wait != 0); \
    }
#define ARTEL_REDUCTIONS(word, type)                    \
    ARTEL_REDUCTION(qt_##word##_sum, type, sum)         \
    ARTEL_REDUCTION(qt_##word##_prod, type, product)    \
    ARTEL_REDUCTION(qt_##word##_max, type, maximum)     \
    ARTEL_REDUCTION(qt_##word##_min, type, minimum)     \
    ARTEL_REDUCTION(qutil_##word##_sum, type, sum)      \
    ARTEL_REDUCTION(qutil_##word##_mult, type, product) \
    ARTEL_REDUCTION(qutil_##word##_max, type, maximum)  \
    ARTEL_REDUCTION(qutil_##word##_min, type, minimum)

extern "C" {

ARTEL_REDUCTIONS(double, double)
ARTEL_REDUCTIONS(int, std::int64_t)
ARTEL_REDUCTIONS(uint, std::uint64_t)
}
