// A reference to an arena for the length of a block. A thread that gives an arena a task needs one:
// the task may be the last one that keeps the arena, and end before a worker was requested.
#pragma once

#include "arena.hpp"

namespace artel::onetbb {

class kept_arena {
public:
    explicit kept_arena(arena& a) noexcept : arena_(a) { a.refer(); }
    ~kept_arena() { arena_.drop(); }
    kept_arena(const kept_arena&) = delete;
    kept_arena& operator=(const kept_arena&) = delete;

private:
    arena& arena_;
};

}  // namespace artel::onetbb
