// ABT_pool_user_def is the address of either the older struct ABT_pool_def or an object of ours,
// whose first word is no access that a pool can have.
#pragma once

#include "pool.hpp"

namespace artel::argobots {

struct pool_definition {
    static constexpr std::uint32_t mark = 0x41425450;
    const std::uint32_t first_word = mark;
    pool_parts parts;
};

// The functions of a definition of either form.
pool_parts parts_of(ABT_pool_user_def def) noexcept;

}  // namespace artel::argobots
