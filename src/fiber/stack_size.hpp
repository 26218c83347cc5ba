// The size of the stacks of plain fibers: base::options().stack_size usable bytes, or the largest
// size that was asked for before the first stack was handed out, if that is more; rounded up to
// pages. For interfaces whose own environment sets a size. Thread-safe; never blocks.
#pragma once

#include <cstddef>

namespace artel::fiber {

// All stacks are equal, so a request after the first stack was handed out returns false if that is
// smaller; so does one for more than 1 GiB, which would soon use up the address space.
bool ask_for_stacks(std::size_t bytes) noexcept;
std::size_t stack_size() noexcept;

}  // namespace artel::fiber
