// Configurations of schedulers and of pools: values with a number and a type. The handles of both
// are of this type.
#pragma once

#include "abt.h"

#include <cstdint>

namespace artel::argobots {

// The types of values, which have the same numbers in both.
enum class value_type : int { integer = 0, real = 1, pointer = 2 };

struct config_value {
    int index;
    value_type type;
    union {
        int i;
        double d;
        void* p;
    };
    config_value* next;
};

struct config {
    config_value* first = nullptr;

    const config_value* find(int index) const noexcept;
    // Returns an error code. nullptr removes the value.
    int set(int index, value_type type, const void* value) noexcept;
    void clear() noexcept;
    // The value if it is an int, `otherwise` without one.
    int integer(int index, int otherwise) const noexcept;
};

inline constexpr int event_frequency_index = -4;
inline constexpr int automatic_index = -3;
inline constexpr int pool_automatic_index = -2;

}  // namespace artel::argobots
