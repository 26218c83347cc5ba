// The pending signals of a persona or a bound fiber: taken, once each, by its carrier or by their
// sender. signals.hpp says which threads leave signals and when carriers look for them; it also
// declares the functions for programs that wait for signals.
#pragma once

#include "base/os/signals.hpp"
#include "fiber/signals.hpp"

#include <bit>

namespace artel::fiber {

// The lowest signal of a set, which is not empty.
inline int first_of(base::os::signal_set set) noexcept
{
    return std::countr_zero(set) + 1;
}

// Takes a pending signal; false when another thread has.
bool take_signal(signal_state& s, int signal) noexcept;

// Takes it and sends it on to the calling kernel thread.
void send_on(signal_state& s, int signal) noexcept;

// Called by the receiver's carrier: the same for all that the receiver does not block.
void send_deliverable_on(signal_state& s) noexcept;

// Takes back those that were sent to the kernel thread although that blocks them, since the fiber
// leaves that thread.
void take_back(signal_state& s) noexcept;

}  // namespace artel::fiber
