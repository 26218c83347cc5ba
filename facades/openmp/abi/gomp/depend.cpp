// gcc writes a clause in one of two forms: the older has dependences of type out and in only, the
// newer counts each type, and lists depend objects last.
#include "depend.hpp"

#include <cstdint>

namespace artel::openmp {

depend_list dependences_of(void** clause) noexcept
{
    depend_list list;
    const auto word = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(clause[i]); };
    // omp_all_memory, which gcc knows since 13, is a null pointer that is written.
    const auto add = [&](void* address, depend_kind kind) {
        const bool writes = kind == depend_kind::out || kind == depend_kind::inout;
        list.add({address, kind, writes && address == nullptr});
    };
    if (word(0) != 0) {
        for (std::size_t i = 0; i < word(0); ++i) {
            add(clause[2 + i], i < word(1) ? depend_kind::inout : depend_kind::in);
        }
        return list;
    }
    const std::size_t all = word(1);
    if (all == 0) {
        return list;  // the older layout, empty: iterators without values
    }
    const std::size_t writers = word(2);
    const std::size_t exclusive = writers + word(3);
    const std::size_t direct = exclusive + word(4);
    for (std::size_t i = 0; i < all; ++i) {
        void* const item = clause[5 + i];
        if (i < direct) {
            add(item, i < writers     ? depend_kind::inout
                      : i < exclusive ? depend_kind::mutexinoutset
                                      : depend_kind::in);
        } else {
            void** const object = static_cast<void**>(item);
            add(object[0], static_cast<depend_kind>(reinterpret_cast<std::uintptr_t>(object[1])));
        }
    }
    return list;
}

}  // namespace artel::openmp
