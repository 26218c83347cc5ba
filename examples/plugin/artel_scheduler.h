// A scheduler plug-in: the parallel_for, par_do, worker_id and num_workers that another library
// asks its scheduler for, on Artel. Link with artel::artel.
#pragma once

#include <artel/isolation.hpp>
#include <artel/parallel_for.hpp>
#include <artel/parallel_invoke.hpp>
#include <artel/width_scope.hpp>
#include <artel/workers.hpp>
#include <cstddef>
#include <optional>
#include <utility>

namespace scheduler {

// How many work at a time: for cut-offs and numbers of pieces.
inline std::size_t num_workers()
{
    return artel::concurrency();
}

// For arrays with an element per worker: worker_id() is below max_workers(), and nobody else's
// between two calls of what follows.
inline std::size_t worker_id()
{
    return artel::worker_index();
}

inline std::size_t max_workers()
{
    return artel::worker_index_bound();
}

// `granularity`: at least so many iterations at a time; 0: as many as measured costs suggest.
// `conservative`: the caller holds a lock, so its thread runs nothing else while it waits.
template <class F>
void parallel_for(std::size_t start, std::size_t end, F&& f, std::size_t granularity = 0,
                  bool conservative = false)
{
    std::optional<artel::isolation> alone;
    if (conservative) {
        alone.emplace();
    }
    artel::parallel_for(start, end, f,
                        artel::automatic{.grain = static_cast<std::int64_t>(granularity)});
}

template <class Left, class Right>
void par_do(Left&& left, Right&& right, bool conservative = false)
{
    std::optional<artel::isolation> alone;
    if (conservative) {
        alone.emplace();
    }
    artel::parallel_invoke(std::forward<Left>(left), std::forward<Right>(right));
}

// Calls f with at most `workers` at work on what it starts.
template <class F>
void with_workers(unsigned workers, F&& f)
{
    const artel::width_scope scope(workers);
    f();
}

}  // namespace scheduler
