// The values of a qthread by key (keys.cpp). Each value is stored with the key for which it was
// set, so that a reused place does not bring back the value of another key.
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

// Calls the destructors of all values, and frees the table.
void end_specifics(specifics& s) noexcept;

}  // namespace artel::qthreads
