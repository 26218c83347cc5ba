// Loops that every member cuts by itself: schedule(static) with and without chunk, distribute, and
// both combined.
#include "ompt/entries/work.hpp"
#include "schedule.hpp"
#include "split.hpp"

namespace artel::openmp::kmp {
namespace {

// Computes a member's first piece, the stride to the next one, and whether the member runs the last
// iteration.
template <typename Value>
void cut(range<Value>& r, std::int32_t schedule, std::uint64_t number, std::uint64_t parts,
         std::uint64_t chunk, bool& last, std::make_signed_t<Value>& stride) noexcept
{
    using Signed = std::make_signed_t<Value>;
    const std::uint64_t count = r.count();
    const bool everything = count == 0;  // all 2^64 values; the caller has handled empty loops
    if (parts == 1) {
        last = true;
        stride = static_cast<Signed>(count * r.wide_step());
        return;
    }
    if (schedule == static_chunked || schedule == static_simd) {
        chunk = std::max<std::uint64_t>(chunk, 1);
        const std::uint64_t most = everything ? UINT64_MAX : count;
        if (schedule == static_simd) {
            const std::uint64_t even = (most - 1) / parts + 1;
            chunk = (even + chunk - 1) / chunk * chunk;
        }
        chunk = std::min(chunk, most);
        const std::uint64_t chunks = (most - 1) / chunk + 1;
        last = number == (chunks - 1) % parts;
        if (number >= chunks) {
            stride = static_cast<Signed>(count * r.wide_step());
            r.clear();
            return;
        }
        // A member with one chunk steps just beyond the end, where a longer step may overflow.
        // Those with more need the whole step, as in stock runtimes.
        stride = static_cast<Signed>(
            (number + parts >= chunks ? most - number * chunk : chunk * parts) * r.wide_step());
        const Value first = r.at(number * chunk);
        // Where there are several pieces the compiler's code cuts them at the loop's end; an only
        // or last one is cut here.
        const Value end = r.at(std::min((number + 1) * chunk, most) - 1);
        r.lower = first;
        r.upper = end;
        return;
    }
    const share mine = even_share(everything ? UINT64_MAX : count, number, parts);
    stride = static_cast<Signed>(count);
    if (mine.size == 0) {
        last = false;
        r.clear();
        return;
    }
    last = mine.first + mine.size == (everything ? UINT64_MAX : count);
    const Value first = r.at(mine.first);
    if (!last) {
        r.upper = r.at(mine.first + mine.size - 1);
    }
    r.lower = first;
}

template <typename Value>
void init(std::int32_t schedule, std::int32_t* last, Value* lower, Value* upper,
          std::make_signed_t<Value>* stride, std::make_signed_t<Value> step,
          std::make_signed_t<Value> chunk) noexcept
{
    range<Value> r{*lower, *upper, step};
    if (r.empty()) {
        if (last != nullptr) {
            *last = 0;
        }
        *stride = step;
        return;
    }
    const member& m = this_member();
    std::int32_t number = plain(schedule).number;
    std::uint64_t part = m.number;
    std::uint64_t parts = m.in->size;
    if (number == distribute_chunked || number == distribute_even) {
        number -= distribute_chunked - static_chunked;
        part = m.current->icvs.team_number;
        parts = m.current->icvs.teams;
    }
    bool is_last = false;
    cut(r, number, part, parts, chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0, is_last,
        *stride);
    if (last != nullptr) {
        *last = is_last;
    }
    *lower = r.lower;
    *upper = r.upper;
}

// distribute parallel for: the member's share of the team's even share.
template <typename Value>
void dist_init(std::int32_t schedule, std::int32_t* last, Value* lower, Value* upper,
               Value* team_upper, std::make_signed_t<Value>* stride, std::make_signed_t<Value> step,
               std::make_signed_t<Value> chunk) noexcept
{
    range<Value> r{*lower, *upper, step};
    if (r.empty()) {
        *last = 0;
        *team_upper = *upper;
        *stride = step;
        return;
    }
    const member& m = this_member();
    bool of_team = false;
    bool of_member = false;
    cut(r, static_even, m.current->icvs.team_number, m.current->icvs.teams, 0, of_team, *stride);
    *team_upper = r.upper;
    if (!r.empty()) {
        cut(r, plain(schedule).number, m.number, m.in->size,
            chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0, of_member, *stride);
    }
    *last = of_team && of_member;
    *lower = r.lower;
    *upper = r.upper;
}

// The kind of a construct whose iterations the members cut by themselves, from the compiler's
// flags.
ompt::work_kind told_kind(const ident* place) noexcept
{
    constexpr std::int32_t sections = 0x400;
    constexpr std::int32_t distribute = 0x800;
    const std::int32_t flags = place != nullptr ? place->flags : 0;
    return (flags & sections) != 0     ? ompt::work_kind::sections
           : (flags & distribute) != 0 ? ompt::work_kind::distribute
                                       : ompt::work_kind::loop_static;
}

// Tells the tool that the caller's share of a construct begins, with its first piece. cut() changes
// the loop's bounds to the share's.
template <typename Value, typename Cut>
void told_share(ompt::caller who, const ident* place, const Value* lower, const Value* upper,
                std::make_signed_t<Value> step, Cut cut) noexcept
{
    const range<Value> whole{*lower, *upper, step};
    cut();
    const ompt::work_kind kind = told_kind(place);
    ompt::tell_work_begin(who, kind, whole.empty() ? 0 : whole.count());
    range<Value> piece = whole;
    piece.lower = *lower;
    piece.upper = *upper;
    if (whole.empty() || piece.empty()) {
        return;
    }
    if (kind == ompt::work_kind::sections) {
        ompt::tell_section(who);
    } else {
        ompt::tell_chunk(kind == ompt::work_kind::distribute ? ompt::dispatch_kind::distribute_chunk
                                                             : ompt::dispatch_kind::loop_chunk,
                         range<Value>::extend(*lower), piece.count());
    }
}

}  // namespace

#define ARTEL_KMP_STATIC(suffix, Value, Signed)                                                    \
    ARTEL_KMP void __kmpc_for_static_init_##suffix(                                                \
        const ident* place, std::int32_t, std::int32_t schedule, std::int32_t* last, Value* lower, \
        Value* upper, Signed* stride, Signed step, Signed chunk)                                   \
    {                                                                                              \
        const auto cut_share = [=] {                                                               \
            init<Value>(schedule, last, lower, upper, stride, step, chunk);                        \
        };                                                                                         \
        ARTEL_OMPT_EITHER(told_share(who, place, lower, upper, step, cut_share), cut_share());     \
    }                                                                                              \
    ARTEL_KMP void __kmpc_dist_for_static_init_##suffix(                                           \
        const ident* place, std::int32_t, std::int32_t schedule, std::int32_t* last, Value* lower, \
        Value* upper, Value* team_upper, Signed* stride, Signed step, Signed chunk)                \
    {                                                                                              \
        const auto cut_share = [=] {                                                               \
            dist_init<Value>(schedule, last, lower, upper, team_upper, stride, step, chunk);       \
        };                                                                                         \
        ARTEL_OMPT_EITHER(told_share(who, place, lower, upper, step, cut_share), cut_share());     \
    }                                                                                              \
    ARTEL_KMP void __kmpc_team_static_init_##suffix(                                               \
        const ident*, std::int32_t, std::int32_t* last, Value* lower, Value* upper,                \
        Signed* stride, Signed step, Signed chunk)                                                 \
    {                                                                                              \
        init<Value>(distribute_chunked, last, lower, upper, stride, step, chunk);                  \
    }

ARTEL_KMP_STATIC(4, std::int32_t, std::int32_t)
ARTEL_KMP_STATIC(4u, std::uint32_t, std::int32_t)
ARTEL_KMP_STATIC(8, std::int64_t, std::int64_t)
ARTEL_KMP_STATIC(8u, std::uint64_t, std::int64_t)

ARTEL_KMP void __kmpc_for_static_fini(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_work_end(who), void());
}

}  // namespace artel::openmp::kmp
