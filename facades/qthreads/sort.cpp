// The sorts: qthreads sort pieces, which are merged in pairs.
#include "loop.hpp"

#include <algorithm>
#include <cmath>

namespace artel::qthreads {
namespace {

constexpr std::size_t worth_a_qthread = 4096;

template <class T>
struct order {
    bool operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            // NaNs come last, so that this is a strict weak order.
            return std::isnan(b) ? !std::isnan(a) : a < b;
        } else {
            return a < b;
        }
    }
};

template <class T>
void sort(T* array, std::size_t length)
{
    std::size_t pieces = 1;
    while (pieces < usual_pieces() && length / (2 * pieces) >= worth_a_qthread) {
        pieces *= 2;
    }
    struct context {
        T* array;
        std::size_t length;
        std::size_t pieces;  // now
        T* begin(std::size_t i) const { return array + length * i / pieces; }
    } c{array, length, pieces};
    run_pieces(
        0, pieces, pieces,
        [](void* argument, std::size_t, std::size_t from, std::size_t to) {
            const auto& in = *static_cast<context*>(argument);
            for (std::size_t i = from; i < to; ++i) {
                std::sort(in.begin(i), in.begin(i + 1), order<T>());
            }
        },
        &c);
    for (; c.pieces > 1; c.pieces /= 2) {
        run_pieces(
            0, c.pieces / 2, c.pieces / 2,
            [](void* argument, std::size_t, std::size_t from, std::size_t to) {
                const auto& in = *static_cast<context*>(argument);
                for (std::size_t i = from; i < to; ++i) {
                    std::inplace_merge(in.begin(2 * i), in.begin(2 * i + 1), in.begin(2 * i + 2),
                                       order<T>());
                }
            },
            &c);
    }
}

}  // namespace
}  // namespace artel::qthreads

extern "C" {

void qt_qsort(double* array, std::size_t length)
{
    artel::qthreads::sort(array, length);
}
void qutil_qsort(double* array, std::size_t length)
{
    artel::qthreads::sort(array, length);
}
void qutil_mergesort(double* array, std::size_t length)
{
    artel::qthreads::sort(array, length);
}
void qutil_aligned_qsort(std::uint64_t* array, std::size_t length)
{
    artel::qthreads::sort(array, length);
}
}
