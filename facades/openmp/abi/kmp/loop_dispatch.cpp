// Loops whose pieces the runtime hands out. Values of 32 bits are extended to 64, in which the
// shared layer computes, with the loop's exclusive end modulo 2^64. A loop over all 2^64 values,
// which has no such end, loses its last iteration; no compiler emits one.
#include "ompt/entries/mutex.hpp"
#include "ompt/entries/work.hpp"
#include "schedule.hpp"
#include "split.hpp"
#include "worksharing/construct.hpp"

namespace artel::openmp::kmp {
namespace {

template <typename Value>
void init(std::int32_t schedule, Value lower, Value upper, std::make_signed_t<Value> step,
          std::make_signed_t<Value> chunk) noexcept
{
    using limits = range<Value>;
    member& m = this_member();
    const limits r{lower, upper, step};
    const std::uint64_t count = r.empty() ? 0 : std::max<std::uint64_t>(r.count(), 1);
    const std::uint64_t first = limits::extend(lower);
    const loop_bounds loop{first, first + count * r.wide_step(), r.wide_step(), count};
    const schedule_words words = plain(schedule);
    leave(m);  // the last loop may have been left early, by cancellation
    start_loop(m, loop, dispatched(m, words, chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0),
               words.ordered);
    m.position.solo_step = r.wide_step();
}

template <typename Value>
std::int32_t next(std::int32_t* last, Value* lower, Value* upper,
                  std::make_signed_t<Value>* stride) noexcept
{
    member& m = this_member();
    const worksharing_position& p = m.position;
    const workshare_slot* const slot = p.current;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    const bool found = slot != nullptr && p.ordered ? next_ordered_piece(m, first, end)
                                                    : next_dynamic_piece(m, first, end);
    // A cancelled loop hands out nothing more; others may have cancelled a later one. relaxed:
    // sooner or later; see cancel.cpp.
    if (!found || (slot != nullptr && m.in->worksharing.cancelled_construct.load(
                                          std::memory_order_relaxed) == p.met)) {
        leave(m);
        return 0;
    }
    const std::uint64_t step = slot != nullptr ? p.loop.increment : p.solo_step;
    *lower = static_cast<Value>(first);
    *upper = static_cast<Value>(end - step);
    if (stride != nullptr) {
        *stride = static_cast<std::make_signed_t<Value>>(step);
    }
    if (last != nullptr) {
        *last = end == (slot != nullptr ? p.loop.end : p.solo_end);
    }
    return 1;
}

// distribute parallel for: the loop is the team's even share.
template <typename Value>
void dist_init(std::int32_t schedule, std::int32_t* last, Value lower, Value upper,
               std::make_signed_t<Value> step, std::make_signed_t<Value> chunk) noexcept
{
    const icv_set& icvs = this_member().current->icvs;
    range<Value> r{lower, upper, step};
    bool of_team = false;
    if (!r.empty()) {
        const std::uint64_t count = std::max<std::uint64_t>(r.count(), 1);
        const share mine = even_share(count, icvs.team_number, icvs.teams);
        if (mine.size == 0) {
            r.clear();
        } else {
            r.upper = r.at(mine.first + mine.size - 1);
            r.lower = r.at(mine.first);
            of_team = mine.first + mine.size == count;
        }
    }
    if (last != nullptr) {
        *last = of_team;
    }
    init<Value>(schedule, r.lower, r.upper, step, chunk);
}

// Tells the tool that the loop begins.
template <typename Value>
void tell_loop(ompt::caller who, std::int32_t schedule, Value lower, Value upper,
               std::make_signed_t<Value> step) noexcept
{
    const range<Value> r{lower, upper, step};
    const member& m = this_member();
    const schedule_kind kind = dispatched(m, plain(schedule), 0).kind;
    // A team of one takes the loop as a whole.
    const bool whole = m.in->size == 1 && kind == schedule_kind::guided;
    ompt::tell_work_begin(who, ompt::work_of(whole ? schedule_kind::static_ : kind),
                          r.empty() ? 0 : r.count());
}

// Tells the tool of the caller's piece, or of the loop's end when there is none.
template <typename Value>
std::int32_t told_next(ompt::caller who, std::int32_t found, const Value* lower,
                       const Value* upper) noexcept
{
    if (found == 0) {
        ompt::tell_work_end(who);
        return 0;
    }
    const worksharing_position& p = this_member().position;
    const auto step = static_cast<std::make_signed_t<Value>>(p.current != nullptr ? p.loop.increment
                                                                                  : p.solo_step);
    const range<Value> piece{*lower, *upper, step};
    ompt::tell_chunk(ompt::dispatch_kind::loop_chunk, range<Value>::extend(*lower), piece.count());
    return found;
}

}  // namespace

#define ARTEL_KMP_DISPATCH(suffix, Value, Signed)                                                 \
    ARTEL_KMP void __kmpc_dispatch_init_##suffix(const ident*, std::int32_t,                      \
                                                 std::int32_t schedule, Value lower, Value upper, \
                                                 Signed step, Signed chunk)                       \
    {                                                                                             \
        init<Value>(schedule, lower, upper, step, chunk);                                         \
        ARTEL_OMPT_TELL(tell_loop(who, schedule, lower, upper, step));                            \
    }                                                                                             \
    ARTEL_KMP void __kmpc_dist_dispatch_init_##suffix(                                            \
        const ident*, std::int32_t, std::int32_t schedule, std::int32_t* last, Value lower,       \
        Value upper, Signed step, Signed chunk)                                                   \
    {                                                                                             \
        dist_init<Value>(schedule, last, lower, upper, step, chunk);                              \
        ARTEL_OMPT_TELL(tell_loop(who, schedule, lower, upper, step));                            \
    }                                                                                             \
    ARTEL_KMP std::int32_t __kmpc_dispatch_next_##suffix(const ident*, std::int32_t,              \
                                                         std::int32_t* last, Value* lower,        \
                                                         Value* upper, Signed* stride)            \
    {                                                                                             \
        ARTEL_OMPT_EITHER(told_next(who, next<Value>(last, lower, upper, stride), lower, upper),  \
                          next<Value>(last, lower, upper, stride));                               \
    }                                                                                             \
    /* The end of an ordered iteration: the member keeps its turn until its piece is done. */     \
    ARTEL_KMP void __kmpc_dispatch_fini_##suffix(const ident*, std::int32_t) {}

ARTEL_KMP_DISPATCH(4, std::int32_t, std::int32_t)
ARTEL_KMP_DISPATCH(4u, std::uint32_t, std::int32_t)
ARTEL_KMP_DISPATCH(8, std::int64_t, std::int64_t)
ARTEL_KMP_DISPATCH(8u, std::uint64_t, std::int64_t)

// After the loop, also one that was left early; a member that has run out of pieces has already
// left the construct.
ARTEL_KMP void __kmpc_dispatch_deinit(const ident*, std::int32_t)
{
    leave(this_member());
    ARTEL_OMPT_TELL(tell_work_end(who));  // tells only of a loop that was left early
}

ARTEL_KMP void __kmpc_ordered(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_ordered(who), await_turn(this_member()));
}

ARTEL_KMP void __kmpc_end_ordered(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_ordered_end(who), void());
}

// Sections by number; compilers use loops instead.
ARTEL_KMP std::int32_t __kmpc_sections_init(const ident*, std::int32_t)
{
    member& m = this_member();
    leave(m);
    start_sections(m, INT32_MAX);
    return 0;
}

ARTEL_KMP std::int32_t __kmpc_next_section(const ident*, std::int32_t, std::int32_t count)
{
    const auto next = static_cast<std::int32_t>(next_section(this_member()));
    return next == 0 ? count : std::min(next - 1, count);
}

ARTEL_KMP void __kmpc_end_sections(const ident*, std::int32_t)
{
    leave(this_member());
}

}  // namespace artel::openmp::kmp
