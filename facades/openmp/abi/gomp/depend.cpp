#include "depend.hpp"

namespace artel::openmp {

depend_list dependences_of(void** clause) noexcept
{
    depend_list list;
    const auto word = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(clause[i]); };
    if (word(0) != 0) {
        for (std::size_t i = 0; i < word(0); ++i) {
            list.add({clause[2 + i], i < word(1) ? depend_kind::inout : depend_kind::in});
        }
        return list;
    }
    const std::size_t all = word(1);
    if (all == 0) {
        return list;  // the older layout, empty: iterators without values
    }
    const std::size_t writers = word(2) + word(3);
    const std::size_t direct = writers + word(4);
    const auto objects = [&](bool readers) {
        for (std::size_t i = direct; i < all; ++i) {
            void** const object = static_cast<void**>(clause[5 + i]);
            const auto kind = static_cast<depend_kind>(reinterpret_cast<std::uintptr_t>(object[1]));
            if ((kind == depend_kind::in || kind == depend_kind::inoutset) == readers) {
                list.add({object[0], readers ? kind : depend_kind::inout});
            }
        }
    };
    objects(false);
    for (std::size_t i = 0; i < direct; ++i) {
        list.add({clause[5 + i], i < writers ? depend_kind::inout : depend_kind::in});
    }
    objects(true);
    return list;
}

}  // namespace artel::openmp
