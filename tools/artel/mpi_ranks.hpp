// Processes of this tool that stand in for the ranks of an MPI job, so that the shared-memory
// collectives can be tried without any MPI.
#pragma once

#include "coll/setup.hpp"

#include <functional>

namespace artel::tool {

inline constexpr unsigned most_mpi_ranks = 64;

struct rank_board;

// One rank's place: who it is, and how it meets the others.
class rank_desk {
public:
    rank_desk(rank_board& all, unsigned own_rank, unsigned ranks)
        : rank(own_rank), size(ranks), all_(all)
    {}

    // Waits until all ranks have called it. Ends the process when another rank has failed, for
    // which it would wait for ever.
    void meet();
    // The functions that a set-up needs.
    coll::bootstrap bootstrap();

    const unsigned rank, size;

private:
    static int gather(void* desk, const void* own, void* all, int bytes_each);

    rank_board& all_;
    unsigned rounds_ = 0;
};

enum class rank_binding { bound, unbound };

// Forks so many processes and runs `body` in each; they are spread over the CPUs in the order of
// NUMA nodes, unless they are to run where the system puts them. Returns whether all succeeded;
// when one fails, or this process is killed, all of them end. They report through memory of
// shared_report. Throws command_error if `ranks` is not from 2 to most_mpi_ranks, or the system
// does not allow so many processes.
bool as_ranks(unsigned ranks, const std::function<void(rank_desk&)>& body,
              rank_binding where = rank_binding::bound);

// Whether there are more ranks than CPUs.
bool too_many_ranks(unsigned ranks);

// Zeroed memory that forked processes share with us. T is plain data.
void* map_shared(std::size_t bytes);
void unmap_shared(void* at, std::size_t bytes);
template <typename T>
class shared_report {
public:
    shared_report() : at_(static_cast<T*>(map_shared(sizeof(T)))) {}
    ~shared_report() { unmap_shared(at_, sizeof(T)); }
    shared_report(const shared_report&) = delete;
    shared_report& operator=(const shared_report&) = delete;
    T* operator->() const noexcept { return at_; }
    T& operator*() const noexcept { return *at_; }

private:
    T* at_;
};

}  // namespace artel::tool
