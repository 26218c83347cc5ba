// Translates the arguments of the GOMP loop interface to loop_bounds and loop_schedule; shared by
// the loop and the combined parallel entries.
#pragma once

#include "abi/abi.hpp"
#include "ompt/entries/work.hpp"
#include "worksharing/loop.hpp"

#include <concepts>

namespace artel::openmp {

inline loop_bounds bounds(long first, long end, long by) noexcept
{
    const auto f = static_cast<std::uint64_t>(first);
    const auto e = static_cast<std::uint64_t>(end);
    const auto b = static_cast<std::uint64_t>(by);
    return {f, e, b, iteration_count(f, e, b, by > 0, true)};
}

inline loop_bounds bounds(bool up, ull first, ull end, ull by) noexcept
{
    return {first, end, by, iteration_count(first, end, by, up, false)};
}

template <std::integral Value>
loop_schedule schedule_of(schedule_kind kind, Value chunk) noexcept
{
    return {kind, chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0};
}

// The schedule number that compilers pass: 1 static, 2 dynamic, 3 guided; 0 and 4
// schedule(runtime), 4 being nonmonotonic. Bit 31: monotonic.
template <std::integral Value>
loop_schedule schedule_from(const member& m, long number, Value chunk) noexcept
{
    switch (number & 7) {
    case 1: return schedule_of(schedule_kind::static_, chunk);
    case 2: return schedule_of(schedule_kind::dynamic, chunk);
    case 3: return schedule_of(schedule_kind::guided, chunk);
    default: return runtime_schedule(m);
    }
}

// long, unsigned long long and our own type are the same 64 bits, so pieces are written directly to
// the caller's variables.
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

// Tells the tool of a piece, if one was found.
template <typename Value>
bool told_piece(ompt::caller who, bool found, Value* first, Value* end) noexcept
{
    if (found && first != nullptr) {
        ompt::tell_piece(who, bits(first), bits(end));
    }
    return found;
}

// Tells the tool that a loop begins; start() does the rest and returns whether a piece was found.
template <typename Value, typename Start>
bool told_start(ompt::caller who, ompt::work_kind kind, std::uint64_t count, std::uint64_t step,
                Value* first, Value* end, Start start) noexcept
{
    ompt::tell_work_begin(who, kind, count);
    this_member().position.solo_step = step;
    return told_piece(who, start(), first, end);
}

}  // namespace artel::openmp
