// Task teams: a team is complete when all its qthreads and all its subteams are, and only then is
// its founder's result written.
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

// The team of whoever is in no other. It is never complete.
team& default_team() noexcept;

// A team for a task that founds one. May throw std::bad_alloc.
team* found_team(task& founder, team* parent);
void enter(team& t) noexcept;
// One of the team has ended.
void leave(team& t) noexcept;

}  // namespace artel::qthreads
