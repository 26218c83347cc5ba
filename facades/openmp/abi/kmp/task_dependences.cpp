// Translates lists of dependences from the compilers' form to that of tasking and that of tools.
#include "task.hpp"

namespace artel::openmp::kmp {
namespace {

depend_kind kind_of(std::uint8_t flags) noexcept
{
    switch (flags & 0x7f) {
    case 1: return depend_kind::in;
    case 2: return depend_kind::out;
    case 4: return depend_kind::mutexinoutset;
    case 8: return depend_kind::inoutset;
    default: return depend_kind::inout;  // also several at once
    }
}

}  // namespace

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

// A null address of the first array is no dependence, as in libomp.
depend_list dependences_of(std::int32_t count, const depend_item* items, std::int32_t more,
                           const depend_item* more_items) noexcept
{
    constexpr std::uint8_t all_memory = 0x80;
    depend_list list;
    const auto add = [&](std::int32_t n, const depend_item* from, bool skips) {
        for (std::int32_t i = 0; i < n; ++i) {
            const bool everything = (from[i].flags & all_memory) != 0 ||
                                    from[i].address == UINTPTR_MAX;
            if (everything || !skips || from[i].address != 0) {
                list.add(
                    {reinterpret_cast<void*>(from[i].address), kind_of(from[i].flags), everything});
            }
        }
    };
    add(count, items, true);
    add(more, more_items, false);
    return list;
}

}  // namespace artel::openmp::kmp
