// Numbers of threads in the process.
#pragma once

#include <cstdint>

namespace artel::openmp::kmp {

// A small number that no other living thread (as the program sees it: an OS thread or a persona)
// has; the thread that asks first, which is usually the initial one, gets 0. Any thread.
std::int32_t global_number() noexcept;

// Makes it the calling thread's, which has asked for none; of those kept for hidden helpers.
void set_global_number(std::int32_t number) noexcept;

// How many have been given out and not come back.
std::int32_t known_threads() noexcept;

}  // namespace artel::openmp::kmp
