// The cancel and cancellation point constructs. Without OMP_CANCELLATION they do nothing.
#pragma once

#include "team/team.hpp"

namespace artel::openmp {

// The numbers are those of the GOMP interface.
enum class cancel_kind : unsigned { region = 1, loop = 2, sections = 4, taskgroup = 8 };

// True: the construct was cancelled, and the caller is to go to its end. Any member.
bool cancelled(const member& m, cancel_kind which) noexcept;

// Cancels the construct that the member is in. True: the caller is to go to the construct's end;
// false: cancellation is not enabled.
bool cancel(member& m, cancel_kind which) noexcept;

}  // namespace artel::openmp
