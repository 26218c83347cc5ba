// GOMP_loop_*: each loop function exists for long and, as GOMP_loop_ull_*, for unsigned long long;
// the macros below write both. The nonmonotonic names are the same functions: pieces are handed out
// in order and one by one, as in libgomp, which is allowed, and on which programs may rely
// (loop_batch.hpp).
#include "loop.hpp"
#include "abi/abi.hpp"
#include "ompt/entries/mutex.hpp"
#include "ompt/entries/sync.hpp"
#include "ompt/entries/work.hpp"
#include "tasking/task_reduction.hpp"
#include "worksharing/construct.hpp"

#include <cstdint>

namespace artel::openmp {

namespace {

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

// GOMP_loop_start and its kin: any schedule by number, scratch memory shared by the members, and
// task reductions. Without `first` the compiler hands out the iterations itself.
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

// Ordered regions: a member keeps its turn until its piece is done, so leaving one does nothing.
ARTEL_GOMP void GOMP_ordered_start()
{
    ARTEL_OMPT_EITHER(tell_ordered(who), await_turn(this_member()));
}

ARTEL_GOMP void GOMP_ordered_end()
{
    ARTEL_OMPT_EITHER(tell_ordered_end(who), void());
}

}  // namespace artel::openmp
