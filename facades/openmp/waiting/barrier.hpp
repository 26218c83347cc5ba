// The team barrier: an arrival counter, and a wait queue for all members but the last.
#pragma once

#include "arrival_counter.hpp"
#include "wait_queue.hpp"

#include <cstdint>

namespace artel::openmp {

class team_barrier {
public:
    void configure(unsigned members, unsigned groups);

    // Counts the member in; true for the last one, which then must release().
    bool arrive(unsigned number) noexcept { return arrivals_.arrive(number); }

    unsigned arrived() const noexcept { return arrivals_.arrived(); }

    // The current phase, whose end to wait for; read it before arrive().
    std::uint64_t phase() const noexcept { return queue_.word(); }
    void release() noexcept { queue_.open(queue_.word() + 1); }

    // Where members that have arrived wait for the next phase.
    wait_queue& queue() noexcept { return queue_; }

private:
    arrival_counter arrivals_;
    wait_queue queue_;
};

}  // namespace artel::openmp
