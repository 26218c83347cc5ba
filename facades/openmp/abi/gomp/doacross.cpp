// GOMP_loop_doacross_* and GOMP_doacross_*: loops whose iterations wait for others by index.
#include "worksharing/doacross.hpp"

#include "abi/abi.hpp"
#include "loop.hpp"
#include "tasking/task_reduction.hpp"
#include "worksharing/construct.hpp"

#include <cstdarg>
#include <cstdint>

namespace artel::openmp {

namespace {

template <typename Value>
bool start_doacross(unsigned dimensions, const Value* counts, loop_schedule schedule, Value* first,
                    Value* end, std::size_t bytes = 0, void** memory = nullptr) noexcept
{
    static_assert(sizeof(Value) == sizeof(std::uint64_t));
    member& m = this_member();
    if (schedule.kind == schedule_kind::trapezoidal || schedule.kind == schedule_kind::shared) {
        // doacross.cpp must find the piece of an iteration by its index.
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

// Tells the dependences of the doacross loop that the caller is in.
void tell_dependences(const std::uint64_t* index, ompt::dependence_kind kind) noexcept
{
    const workshare_slot* const slot = this_member().position.current;
    if (slot != nullptr && slot->cross != nullptr) {
        ompt::tell_doacross({index, doacross_dimensions(*slot->cross)}, kind);
    }
}

// The arguments of a doacross wait: the first index is a named argument, the others are variable
// ones.
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

}  // namespace

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

}  // namespace artel::openmp
