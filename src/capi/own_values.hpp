// The values that artel::per_light_thread keeps for light threads, and for other OS threads.
#pragma once

#include <artel/per_light_thread.hpp>

namespace artel::detail {

// In the order of their making, newest first.
struct own_values {
    own_value* first = nullptr;

    own_value* find(std::uint64_t key) noexcept;
    void add(own_value& v) noexcept;
    // Destroys values until none is left, though destructors may make more.
    void destroy_all() noexcept;
};

// Those of the calling light thread; nullptr for other threads. Valid until the caller may switch.
own_values* own_values_of_light_thread() noexcept;

}  // namespace artel::detail
