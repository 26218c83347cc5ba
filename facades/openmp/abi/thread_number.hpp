// Numbers of threads in the process.
#pragma once

#include <cstdint>

namespace artel::openmp::kmp {

// A small number, unique among living threads (for the program: OS threads and personas); the first
// thread that asks, usually the initial one, gets 0. Any thread.
std::int32_t global_number() noexcept;

// Sets the number of the calling thread, which has not asked for one, to a number reserved for
// hidden helpers.
void set_global_number(std::int32_t number) noexcept;

// How many numbers are in use.
std::int32_t known_threads() noexcept;

}  // namespace artel::openmp::kmp
