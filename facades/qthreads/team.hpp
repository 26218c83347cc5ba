// Task teams. A team is complete when all of its qthreads and subteams are; only then is the result
// of its founder written.
#pragma once

#include "task.hpp"

#include <atomic>

namespace artel::qthreads {

struct team {
    unsigned id = 1;
    team* parent = nullptr;             // of a subteam; nullptr otherwise
    std::atomic<std::size_t> alive{1};  // qthreads and subteams
    std::uint64_t value = 0;            // the founder's
    void* result = nullptr;
    unsigned flags = 0;
};

// The team of qthreads that are in no other. It is never complete.
team& default_team() noexcept;

// Makes a team with its first member. May throw std::bad_alloc.
team* found_team(task& founder, team* parent);
void enter(team& t) noexcept;
// Called when a member of the team has ended.
void leave(team& t) noexcept;

}  // namespace artel::qthreads
