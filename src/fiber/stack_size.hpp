// How large the stacks of plain fibers are: base::options().stack_size usable bytes, or as many as
// somebody has asked for before the first one was given out, if these are more; rounded up to
// pages. For interfaces whose own environment says so. Thread-safe; never blocks.
#pragma once

#include <cstddef>

namespace artel::fiber {

// Since all stacks are equal, whoever comes after the first one gets false when they are smaller;
// so does who asks for more than 1 GiB, with which there would soon be no address left.
bool ask_for_stacks(std::size_t bytes) noexcept;
std::size_t stack_size() noexcept;

}  // namespace artel::fiber
