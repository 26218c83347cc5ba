// Translates lists of dependences from the compilers' form to that of tasking and that of tools.
#include "task.hpp"

namespace artel::openmp::kmp {

std::vector<ompt::dependence> told_dependences(std::int32_t count, const depend_item* items,
                                               std::int32_t more, const depend_item* more_items)
{
    std::vector<ompt::dependence> list;
    const auto add = [&](std::int32_t n, const depend_item* from) {
        for (std::int32_t i = 0; i < n; ++i) {
            ompt::dependence d{{from[i].address}, ompt::dependence_kind::inout};
            switch (from[i].flags) {
            case 1: d.kind = ompt::dependence_kind::in; break;
            case 2: d.kind = ompt::dependence_kind::out; break;
            case 4: d.kind = ompt::dependence_kind::mutexinoutset; break;
            case 8: d.kind = ompt::dependence_kind::inoutset; break;
            default: break;
            }
            if ((from[i].flags & 0x80) != 0 || from[i].address == UINTPTR_MAX) {
                d.kind = ompt::dependence_kind::out_all_memory;
            }
            list.push_back(d);
        }
    };
    add(count, items);
    add(more, more_items);
    return list;
}

// Writers first.
depend_list dependences_of(std::int32_t count, const depend_item* items, std::int32_t more,
                           const depend_item* more_items) noexcept
{
    constexpr std::uint8_t in = 1;
    constexpr std::uint8_t inoutset = 8;
    constexpr std::uint8_t all_memory = 0x80;
    depend_list list;
    const auto add = [&](std::int32_t n, const depend_item* from, bool readers) {
        for (std::int32_t i = 0; i < n; ++i) {
            const bool everything = (from[i].flags & all_memory) != 0 ||
                                    from[i].address == UINTPTR_MAX;
            const bool reads = !everything && (from[i].flags == in || from[i].flags == inoutset);
            if (reads == readers) {
                const auto kind = !reads                ? depend_kind::inout
                                  : from[i].flags == in ? depend_kind::in
                                                        : depend_kind::inoutset;
                list.add({reinterpret_cast<void*>(from[i].address), kind, everything});
            }
        }
    };
    for (const bool readers : {false, true}) {
        add(count, items, readers);
        add(more, more_items, readers);
    }
    return list;
}

}  // namespace artel::openmp::kmp
