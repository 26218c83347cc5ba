// NUMA restrictions of workers.
#pragma once

#include "sched/worker.hpp"

#include <span>

namespace artel::sched {

// A restriction to the workers of some NUMA nodes (OS indices, owned by the caller).
class node_set {
public:
    node_set() noexcept = default;  // everywhere
    explicit node_set(std::span<const unsigned> nodes) noexcept;

    // Whether any worker is excluded. Also false when none of the nodes exists or has a worker:
    // such a restriction is ignored.
    bool restricts() const noexcept { return !nodes_.empty(); }

    // For a guest, whose OS thread moves freely: whether it is on an allowed node now.
    bool allows(const worker& w) const noexcept;

    // An allowed own worker, another one each time; nullptr when there is none or no thread can be
    // created.
    worker* pick(crew& c) const noexcept;

private:
    std::span<const unsigned> nodes_{};
};

}  // namespace artel::sched
