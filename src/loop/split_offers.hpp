// Shared by lazy splitting and heartbeats: a participant keeps its units to itself and has at most
// one offer out, in its slot. A thief takes an offer whole and becomes a participant that does the
// same. A participant that has run its units takes its own offer back, if it is still there.
#pragma once

#include "loop/descriptor.hpp"

namespace artel::loop {

// Offers the back half of `mine` if the last offer was taken and there are at least two pieces of
// `least` units, and calls for a thief. Returns whether it made an offer.
bool offer_half(descriptor& d, unsigned own, unit_range& mine, std::uint32_t least) noexcept;

// More units when the own ones have been run: the own offer, or another's, for which this waits a
// moment while others are at work. Empty: there are none, the own slot has been given up, and the
// participant must leave.
unit_range more_units(descriptor& d, unsigned own) noexcept;

}  // namespace artel::loop
