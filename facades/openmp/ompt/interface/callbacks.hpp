// The callbacks that the tool has set, and calling them. A tool may set and take back callbacks at
// any time, from any thread.
#pragma once

#include "abi.hpp"
#include "attached.hpp"

#include <atomic>

namespace artel::openmp::ompt {

using callback_table = std::atomic<any_function>[most_events];
extern callback_table callbacks;

// nullptr when the tool has set none.
template <event Which>
typename callback<Which>::type callback_of() noexcept
{
    // acquire: pairs with the release in ompt_set_callback, so that the callback sees what the tool
    // has prepared.
    return reinterpret_cast<typename callback<Which>::type>(
        callbacks[static_cast<int>(Which)].load(std::memory_order_acquire));
}

// Calls the tool's callback, if there is one.
template <event Which, typename... Arguments>
void tell(Arguments... arguments) noexcept
{
    if (const auto function = callback_of<Which>(); function != nullptr) {
        function(arguments...);
    }
}

}  // namespace artel::openmp::ompt
