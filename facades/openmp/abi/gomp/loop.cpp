// GOMP_loop_*: each loop function exists for long and, as GOMP_loop_ull_*, for unsigned long long;
// the macros below write both. The names with nonmonotonic are the same functions: pieces are
// handed out in order and one by one, which is allowed, and what libgomp does: programs may have
// come to rely on it (loop_batch.hpp).
#include "loop.hpp"
#include "abi/abi.hpp"
#include "ompt/entries/mutex.hpp"
#include "ompt/entries/sync.hpp"
#include "ompt/entries/work.hpp"
#include "tasking/task_reduction.hpp"
#include "worksharing/construct.hpp"
#include "worksharing/doacross.hpp"

#include <cstdarg>
#include <cstdint>

namespace artel::openmp {

namespace {

// long, unsigned long long and what we compute with are the same 64 bits: pieces are written where
// the caller wants them.
template <typename Value>
std::uint64_t& bits(Value* value) noexcept
{
    static_assert(sizeof(Value) == sizeof(std::uint64_t));
    return *reinterpret_cast<std::uint64_t*>(value);
}

template <typename Value>
bool next(Value* first, Value* end) noexcept
{
    return next_piece(this_member(), bits(first), bits(end));
}

template <typename Value>
bool next_dynamic(Value* first, Value* end) noexcept
{
    return next_dynamic_piece(this_member(), bits(first), bits(end));
}

template <typename Value>
bool next_ordered(Value* first, Value* end) noexcept
{
    return next_ordered_piece(this_member(), bits(first), bits(end));
}

template <typename Value>
bool start(const loop_bounds& loop, loop_schedule schedule, bool ordered, Value* first,
           Value* end) noexcept
{
    return begin_loop(this_member(), loop, schedule, ordered, bits(first), bits(end));
}

// GOMP_loop_start and its kin: any schedule as a number, memory for the members in common, and
// reductions of tasks. Without `first` the compiler hands out the iterations itself.
template <typename Value>
bool start_general(const loop_bounds& loop, long schedule, Value chunk, bool ordered, Value* first,
                   Value* end, std::uintptr_t* reductions, void** memory) noexcept
{
    member& m = this_member();
    if (reductions != nullptr) {
        start_workshare_reductions(m, reductions);
    }
    const std::size_t bytes = memory != nullptr ? reinterpret_cast<std::uintptr_t>(*memory) : 0;
    void* const shared = start_loop(m, loop, schedule_from(m, schedule, chunk), ordered, bytes);
    if (memory != nullptr) {
        *memory = shared;
    }
    if (first == nullptr) {
        return true;
    }
    return ordered ? next_ordered(first, end) : next(first, end);
}

template <typename Value>
bool start_doacross(unsigned dimensions, const Value* counts, loop_schedule schedule, Value* first,
                    Value* end, std::size_t bytes = 0, void** memory = nullptr) noexcept
{
    static_assert(sizeof(Value) == sizeof(std::uint64_t));
    member& m = this_member();
    if (schedule.kind == schedule_kind::trapezoidal || schedule.kind == schedule_kind::shared) {
        // whose pieces doacross.cpp can tell by their indices.
        schedule.kind = schedule_kind::dynamic;
    }
    const auto* wide = reinterpret_cast<const std::uint64_t*>(counts);
    const loop_bounds loop{0, wide[0], 1, wide[0]};
    struct dims {
        unsigned count;
        const std::uint64_t* sizes;
        unsigned team;
    } dimensions_of{dimensions, wide, m.in->size};
    const auto complete = [](workshare_slot& slot, void* argument) {
        const auto& d = *static_cast<dims*>(argument);
        slot.cross = d.team > 1 ? make_doacross(slot, d.count, d.sizes, d.team) : nullptr;
    };
    void* const shared = start_loop(m, loop, schedule, false, bytes, complete, &dimensions_of);
    if (memory != nullptr) {
        *memory = shared;
    }
    return first == nullptr || next(first, end);
}

template <typename Value>
bool start_doacross_general(unsigned dimensions, const Value* counts, long schedule, Value chunk,
                            Value* first, Value* end, std::uintptr_t* reductions,
                            void** memory) noexcept
{
    if (reductions != nullptr) {
        start_workshare_reductions(this_member(), reductions);
    }
    const std::size_t bytes = memory != nullptr ? reinterpret_cast<std::uintptr_t>(*memory) : 0;
    return start_doacross(dimensions, counts, schedule_from(this_member(), schedule, chunk), first,
                          end, bytes, memory);
}

// Of the doacross loop that the caller is in.
void tell_dependences(const std::uint64_t* index, ompt::dependence_kind kind) noexcept
{
    const workshare_slot* const slot = this_member().position.current;
    if (slot != nullptr && slot->cross != nullptr) {
        ompt::tell_doacross({index, doacross_dimensions(*slot->cross)}, kind);
    }
}

// The arguments of a doacross wait: the first index by name, as many more as the loop has
// dimensions.
constexpr unsigned most_dimensions_in_registers = 16;

template <typename Value>
void wait_for(Value first, std::va_list more) noexcept
{
    member& m = this_member();
    const workshare_slot* slot = m.position.current;
    if (slot == nullptr || slot->cross == nullptr) {
        return;
    }
    const unsigned dimensions = doacross_dimensions(*slot->cross);
    std::uint64_t few[most_dimensions_in_registers];
    std::uint64_t* index = dimensions <= most_dimensions_in_registers
                               ? few
                               : static_cast<std::uint64_t*>(__builtin_alloca(dimensions * 8));
    index[0] = static_cast<std::uint64_t>(first);
    for (unsigned i = 1; i < dimensions; ++i) {
        index[i] = static_cast<std::uint64_t>(va_arg(more, Value));
    }
    if (ompt::attached()) [[unlikely]] {
        tell_dependences(index, ompt::dependence_kind::sink);
    }
    wait_doacross(m, index);
}

// For the tool: a piece was found or not.
template <typename Value>
bool told_piece(ompt::caller who, bool found, Value* first, Value* end) noexcept
{
    if (found && first != nullptr) {
        ompt::tell_piece(who, bits(first), bits(end));
    }
    return found;
}

// A loop begins for the tool; `start` does the rest and says whether a piece was found.
template <typename Value, typename Start>
bool told_start(ompt::caller who, ompt::work_kind kind, std::uint64_t count, std::uint64_t step,
                Value* first, Value* end, Start start) noexcept
{
    ompt::tell_work_begin(who, kind, count);
    this_member().position.solo_step = step;
    return told_piece(who, start(), first, end);
}

}  // namespace

#define ARTEL_LOOP_START(name, kind, ordered)                                                      \
    ARTEL_GOMP bool GOMP_loop_##name##_start(long first, long end, long by, long chunk, long* at,  \
                                             long* to)                                             \
    {                                                                                              \
        const loop_bounds loop = bounds(first, end, by);                                           \
        const auto begin = [&] { return start(loop, schedule_of(kind, chunk), ordered, at, to); }; \
        ARTEL_OMPT_EITHER(                                                                         \
            told_start(who, work_of(kind), loop.count, loop.increment, at, to, begin), begin());   \
    }                                                                                              \
    ARTEL_GOMP bool GOMP_loop_ull_##name##_start(bool up, ull first, ull end, ull by, ull chunk,   \
                                                 ull* at, ull* to)                                 \
    {                                                                                              \
        const loop_bounds loop = bounds(up, first, end, by);                                       \
        const auto begin = [&] { return start(loop, schedule_of(kind, chunk), ordered, at, to); }; \
        ARTEL_OMPT_EITHER(                                                                         \
            told_start(who, work_of(kind), loop.count, loop.increment, at, to, begin), begin());   \
    }

#define ARTEL_LOOP_START_RUNTIME(name, ordered)                                                 \
    ARTEL_GOMP bool GOMP_loop_##name##_start(long first, long end, long by, long* at, long* to) \
    {                                                                                           \
        const loop_bounds loop = bounds(first, end, by);                                        \
        const loop_schedule schedule = runtime_schedule(this_member());                         \
        const auto begin = [&] { return start(loop, schedule, ordered, at, to); };              \
        ARTEL_OMPT_EITHER(                                                                      \
            told_start(who, work_of(schedule.kind), loop.count, loop.increment, at, to, begin), \
            begin());                                                                           \
    }                                                                                           \
    ARTEL_GOMP bool GOMP_loop_ull_##name##_start(bool up, ull first, ull end, ull by, ull* at,  \
                                                 ull* to)                                       \
    {                                                                                           \
        const loop_bounds loop = bounds(up, first, end, by);                                    \
        const loop_schedule schedule = runtime_schedule(this_member());                         \
        const auto begin = [&] { return start(loop, schedule, ordered, at, to); };              \
        ARTEL_OMPT_EITHER(                                                                      \
            told_start(who, work_of(schedule.kind), loop.count, loop.increment, at, to, begin), \
            begin());                                                                           \
    }

#define ARTEL_LOOP_NEXT(name, next_function)                                                      \
    ARTEL_GOMP bool GOMP_loop_##name##_next(long* at, long* to)                                   \
    {                                                                                             \
        ARTEL_OMPT_EITHER(told_piece(who, next_function(at, to), at, to), next_function(at, to)); \
    }                                                                                             \
    ARTEL_GOMP bool GOMP_loop_ull_##name##_next(ull* at, ull* to)                                 \
    {                                                                                             \
        ARTEL_OMPT_EITHER(told_piece(who, next_function(at, to), at, to), next_function(at, to)); \
    }

ARTEL_LOOP_START(static, schedule_kind::static_, false)
ARTEL_LOOP_START(dynamic, schedule_kind::dynamic, false)
ARTEL_LOOP_START(guided, schedule_kind::guided, false)
ARTEL_LOOP_START(nonmonotonic_dynamic, schedule_kind::dynamic, false)
ARTEL_LOOP_START(nonmonotonic_guided, schedule_kind::guided, false)
ARTEL_LOOP_START(ordered_static, schedule_kind::static_, true)
ARTEL_LOOP_START(ordered_dynamic, schedule_kind::dynamic, true)
ARTEL_LOOP_START(ordered_guided, schedule_kind::guided, true)
ARTEL_LOOP_START_RUNTIME(runtime, false)
ARTEL_LOOP_START_RUNTIME(nonmonotonic_runtime, false)
ARTEL_LOOP_START_RUNTIME(maybe_nonmonotonic_runtime, false)
ARTEL_LOOP_START_RUNTIME(ordered_runtime, true)

ARTEL_LOOP_NEXT(static, next)
ARTEL_LOOP_NEXT(dynamic, next_dynamic)
ARTEL_LOOP_NEXT(guided, next)
ARTEL_LOOP_NEXT(nonmonotonic_dynamic, next_dynamic)
ARTEL_LOOP_NEXT(nonmonotonic_guided, next)
ARTEL_LOOP_NEXT(runtime, next_dynamic)
ARTEL_LOOP_NEXT(nonmonotonic_runtime, next_dynamic)
ARTEL_LOOP_NEXT(maybe_nonmonotonic_runtime, next_dynamic)
ARTEL_LOOP_NEXT(ordered_static, next_ordered)
ARTEL_LOOP_NEXT(ordered_dynamic, next_ordered)
ARTEL_LOOP_NEXT(ordered_guided, next_ordered)
ARTEL_LOOP_NEXT(ordered_runtime, next_ordered)

#define ARTEL_LOOP_START_GENERAL(name, ordered)                                                   \
    ARTEL_GOMP bool GOMP_loop_##name(long first, long end, long by, long schedule, long chunk,    \
                                     long* at, long* to, std::uintptr_t* reductions,              \
                                     void** memory)                                               \
    {                                                                                             \
        const loop_bounds loop = bounds(first, end, by);                                          \
        const auto begin = [&] {                                                                  \
            return start_general(loop, schedule, chunk, ordered, at, to, reductions, memory);     \
        };                                                                                        \
        ARTEL_OMPT_EITHER(                                                                        \
            told_start(who, work_of(schedule_from(this_member(), schedule, chunk).kind),          \
                       loop.count, loop.increment, at, to, begin),                                \
            begin());                                                                             \
    }                                                                                             \
    ARTEL_GOMP bool GOMP_loop_ull_##name(bool up, ull first, ull end, ull by, long schedule,      \
                                         ull chunk, ull* at, ull* to, std::uintptr_t* reductions, \
                                         void** memory)                                           \
    {                                                                                             \
        const loop_bounds loop = bounds(up, first, end, by);                                      \
        const auto begin = [&] {                                                                  \
            return start_general(loop, schedule, chunk, ordered, at, to, reductions, memory);     \
        };                                                                                        \
        ARTEL_OMPT_EITHER(                                                                        \
            told_start(who, work_of(schedule_from(this_member(), schedule, chunk).kind),          \
                       loop.count, loop.increment, at, to, begin),                                \
            begin());                                                                             \
    }

ARTEL_LOOP_START_GENERAL(start, false)
ARTEL_LOOP_START_GENERAL(ordered_start, true)

#define ARTEL_DOACROSS_START(name, Value)                                                          \
    ARTEL_GOMP bool GOMP_##name##_static_start(unsigned dimensions, Value* counts, Value chunk,    \
                                               Value* at, Value* to)                               \
    {                                                                                              \
        const loop_schedule schedule = schedule_of(schedule_kind::static_, chunk);                 \
        ARTEL_OMPT_TELL(                                                                           \
            told_start(who, work_of(schedule.kind), static_cast<std::uint64_t>(counts[0]), 1, at,  \
                       to, [&] { return start_doacross(dimensions, counts, schedule, at, to); })); \
        return start_doacross(dimensions, counts, schedule, at, to);                               \
    }                                                                                              \
    ARTEL_GOMP bool GOMP_##name##_dynamic_start(unsigned dimensions, Value* counts, Value chunk,   \
                                                Value* at, Value* to)                              \
    {                                                                                              \
        const loop_schedule schedule = schedule_of(schedule_kind::dynamic, chunk);                 \
        ARTEL_OMPT_TELL(                                                                           \
            told_start(who, work_of(schedule.kind), static_cast<std::uint64_t>(counts[0]), 1, at,  \
                       to, [&] { return start_doacross(dimensions, counts, schedule, at, to); })); \
        return start_doacross(dimensions, counts, schedule, at, to);                               \
    }                                                                                              \
    ARTEL_GOMP bool GOMP_##name##_guided_start(unsigned dimensions, Value* counts, Value chunk,    \
                                               Value* at, Value* to)                               \
    {                                                                                              \
        const loop_schedule schedule = schedule_of(schedule_kind::guided, chunk);                  \
        ARTEL_OMPT_TELL(                                                                           \
            told_start(who, work_of(schedule.kind), static_cast<std::uint64_t>(counts[0]), 1, at,  \
                       to, [&] { return start_doacross(dimensions, counts, schedule, at, to); })); \
        return start_doacross(dimensions, counts, schedule, at, to);                               \
    }                                                                                              \
    ARTEL_GOMP bool GOMP_##name##_runtime_start(unsigned dimensions, Value* counts, Value* at,     \
                                                Value* to)                                         \
    {                                                                                              \
        const loop_schedule schedule = runtime_schedule(this_member());                            \
        ARTEL_OMPT_TELL(                                                                           \
            told_start(who, work_of(schedule.kind), static_cast<std::uint64_t>(counts[0]), 1, at,  \
                       to, [&] { return start_doacross(dimensions, counts, schedule, at, to); })); \
        return start_doacross(dimensions, counts, schedule, at, to);                               \
    }                                                                                              \
    ARTEL_GOMP bool GOMP_##name##_start(unsigned dimensions, Value* counts, long schedule,         \
                                        Value chunk, Value* at, Value* to,                         \
                                        std::uintptr_t* reductions, void** memory)                 \
    {                                                                                              \
        ARTEL_OMPT_EITHER(                                                                         \
            told_start(who, work_of(schedule_from(this_member(), schedule, chunk).kind),           \
                       static_cast<std::uint64_t>(counts[0]), 1, at, to,                           \
                       [&] {                                                                       \
                           return start_doacross_general(dimensions, counts, schedule, chunk, at,  \
                                                         to, reductions, memory);                  \
                       }),                                                                         \
            start_doacross_general(dimensions, counts, schedule, chunk, at, to, reductions,        \
                                   memory));                                                       \
    }

ARTEL_DOACROSS_START(loop_doacross, long)
ARTEL_DOACROSS_START(loop_ull_doacross, ull)

ARTEL_GOMP void GOMP_doacross_post(long* index)
{
    if (ompt::attached()) [[unlikely]] {
        tell_dependences(reinterpret_cast<const std::uint64_t*>(index),
                         ompt::dependence_kind::source);
    }
    post_doacross(this_member(), reinterpret_cast<const std::uint64_t*>(index));
}

ARTEL_GOMP void GOMP_doacross_ull_post(ull* index)
{
    if (ompt::attached()) [[unlikely]] {
        tell_dependences(reinterpret_cast<const std::uint64_t*>(index),
                         ompt::dependence_kind::source);
    }
    post_doacross(this_member(), reinterpret_cast<const std::uint64_t*>(index));
}

ARTEL_GOMP void GOMP_doacross_wait(long first, ...)
{
    std::va_list more;
    va_start(more, first);
    wait_for(first, more);
    va_end(more);
}

ARTEL_GOMP void GOMP_doacross_ull_wait(ull first, ...)
{
    std::va_list more;
    va_start(more, first);
    wait_for(first, more);
    va_end(more);
}

ARTEL_GOMP void GOMP_loop_end_nowait()
{
    ARTEL_OMPT_EITHER((leave(this_member()), tell_work_end(who)), leave(this_member()));
}

ARTEL_GOMP void GOMP_loop_end()
{
    member& m = this_member();
    leave(m);
    ARTEL_OMPT_TELL((tell_work_end(who), tell_barrier(who, sync_kind::barrier_implicit_workshare)));
    barrier(m);
}

ARTEL_GOMP bool GOMP_loop_end_cancel()
{
    member& m = this_member();
    leave(m);
    ARTEL_OMPT_TELL(
        (tell_work_end(who), tell_barrier_cancel(who, sync_kind::barrier_implicit_workshare)));
    return barrier_cancel(m);
}

// Ordered regions: a member stays in its turn until it is done with its piece, so leaving one does
// nothing.
ARTEL_GOMP void GOMP_ordered_start()
{
    ARTEL_OMPT_EITHER(tell_ordered(who), await_turn(this_member()));
}

ARTEL_GOMP void GOMP_ordered_end()
{
    ARTEL_OMPT_EITHER(tell_ordered_end(who), void());
}

}  // namespace artel::openmp
