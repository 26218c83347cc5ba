// What the program knows of a process_crew of its own.
#pragma once

#include "process/control.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <sys/types.h>

namespace artel {

namespace detail {

struct process_crew_state {
    process::shared_view shared{};
    std::size_t control_bytes = 0, arena_bytes = 0;
    unsigned char* arena = nullptr;
    unsigned tries = 0;
    std::uint64_t grain = 0;
    std::uint32_t pass = 0;
    pid_t server = -1;
    // The process that made the crew; a child that it forks has a copy of this object and no crew.
    pid_t program = -1;
    int lifeline = -1;
};

}  // namespace detail

namespace process {

// The pages go back, and read as zero afterwards.
inline void clear(void* memory, std::size_t bytes) noexcept
{
    if (::madvise(memory, bytes, MADV_REMOVE) != 0)
        std::memset(memory, 0, bytes);
}

}  // namespace process

}  // namespace artel
