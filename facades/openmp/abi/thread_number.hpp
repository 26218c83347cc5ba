// Numbers of threads in the process.
#pragma once

#include <cstdint>

namespace artel::openmp::kmp {

// A small number, unique among living threads (for the program: OS threads and personas); the first
// thread that asks, usually the initial one, gets 0. Any thread.
std::int32_t global_number() noexcept;

// Gives the calling thread, which has not asked for a number, one of those reserved for hidden
// helpers.
void set_global_number(std::int32_t number) noexcept;

// A number for the owner of a lock that belongs to a thread; never 0. The owner is the calling
// thread, whatever task or region it is in. For code that may move between OS threads, such as a
// native light thread, it is the fiber, also inside of regions that the light thread meets. Any
// thread.
std::uint32_t lock_holder() noexcept;

// How many numbers are in use.
std::int32_t known_threads() noexcept;

}  // namespace artel::openmp::kmp
