// Telling a tool of worksharing, masked regions, cancellation and the like. The functions only
// tell; their callers do the work.
#pragma once

#include "ompt/interface/attached.hpp"
#include "regions/told_region.hpp"
#include "worksharing/loop.hpp"

#include <span>

namespace artel::openmp::ompt {

work_kind work_of(schedule_kind kind) noexcept;

// The calling member's implicit task begins or ends its share of a construct; the end repeats the
// kind of the beginning.
void tell_work_begin(caller who, work_kind kind, std::uint64_t count) noexcept;
void tell_work_end(caller who, std::uint64_t count = 0) noexcept;
// A construct in which the caller has nothing to do.
void tell_work_passed(caller who, work_kind kind) noexcept;

// The caller got a piece of a loop, a section.
void tell_chunk(dispatch_kind kind, std::uint64_t start, std::uint64_t iterations) noexcept;
void tell_section(caller who) noexcept;
// The same, for the construct that the member is in, in the program's values; end exclusive.
void tell_piece(caller who, std::uint64_t first, std::uint64_t end) noexcept;

void tell_masked(caller who, endpoint at) noexcept;
void tell_flush(caller who) noexcept;
void tell_error(caller who, int severity, const char* message, std::size_t length) noexcept;
int tell_control(caller who, std::uint64_t command, std::uint64_t modifier,
                 void* argument) noexcept;

// `kind` is one of cancel_flag's constructs.
void tell_cancel(caller who, int kind, bool activated) noexcept;

// The index vector of an ordered construct with doacross dependences.
void tell_doacross(std::span<const std::uint64_t> index, dependence_kind kind) noexcept;

}  // namespace artel::openmp::ompt
