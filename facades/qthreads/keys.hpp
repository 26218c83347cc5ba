// What a qthread keeps under keys (keys.cpp): by the key's number, with the key that it was set
// for, so that a number that is used again does not bring back what another key had.
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::qthreads {

struct specific {
    std::uintptr_t key = 0;
    void* value = nullptr;
};

struct specifics {
    specific* values = nullptr;  // on the heap
    std::size_t count = 0;
};

// Calls the destructors of what is set, and frees it.
void end_specifics(specifics& s) noexcept;

}  // namespace artel::qthreads
