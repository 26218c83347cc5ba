// qt_allpairs: calls a function for all pairs of elements of two qarrays, on the shepherds that own
// the first array's elements. Segments of the second array are taken one after the other, so that
// both stay in the caches.
#include "qarray.hpp"

#include <algorithm>

namespace artel::qthreads {
namespace {

struct pairing {
    const qarray* first;
    const qarray* second;
    void (*call)(const void*, const void*);
    void (*call_with_output)(const void*, const void*, void*);
    void* const* output;
    std::size_t output_size;
};

void pair_range(void* context, std::size_t, std::size_t from, std::size_t to)
{
    const pairing& p = *static_cast<pairing*>(context);
    const qarray& second = *p.second;
    for (std::size_t j0 = 0; j0 < second.count; j0 += second.segment_size) {
        const std::size_t j1 = std::min(j0 + second.segment_size, second.count);
        for (std::size_t i = from; i < to; ++i) {
            for (std::size_t j = j0; j < j1; ++j) {
                if (p.call != nullptr) {
                    p.call(p.first->at(i), second.at(j));
                } else {
                    void* const out = p.output != nullptr
                                          ? static_cast<char*>(p.output[i]) + j * p.output_size
                                          : nullptr;
                    p.call_with_output(p.first->at(i), second.at(j), out);
                }
            }
        }
    }
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

void qt_allpairs(const qarray* first, const qarray* second, void (*f)(const void*, const void*))
{
    pairing p{first, second, f, nullptr, nullptr, 0};
    on_owners(*first, 0, first->count, pair_range, &p);
}
// output[i] is a row of elements of `size` bytes; without `output` the function gets none.
void qt_allpairs_output(const qarray* first, const qarray* second,
                        void (*f)(const void*, const void*, void*), void** output, std::size_t size)
{
    pairing p{first, second, nullptr, f, output, size};
    on_owners(*first, 0, first->count, pair_range, &p);
}
}
