// What lazy splitting and heartbeats share: a participant keeps its units to itself and has at most
// one offer out, in its slot. A thief takes an offer whole and becomes a participant that does the
// same. When a participant has run what it kept, it takes its own offer back, if it is still there.
#pragma once

#include "loop/descriptor.hpp"

namespace artel::loop {

// Offers the back half of `mine` if the last offer was taken and there are at least two pieces of
// `least` units. Calls for somebody who may take it. Returns whether there was something to offer
// again.
bool offer_half(descriptor& d, unsigned own, unit_range& mine, std::uint32_t least) noexcept;

// More units when the own ones have been run: the own offer, or that of somebody else, for which
// this waits a moment while others are at work. Empty: there are none, and the participant is to
// leave. Gives up the own slot then.
unit_range more_units(descriptor& d, unsigned own) noexcept;

}  // namespace artel::loop
