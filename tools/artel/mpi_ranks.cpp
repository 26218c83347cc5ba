// Ranks are forked processes that meet and exchange data in anonymous shared memory. The parent
// notes there that one has ended badly, so that the others do not wait for it.
#include "artel/mpi_ranks.hpp"

#include "artel/command.hpp"
#include "base/os/process.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::tool {

namespace {

constexpr std::size_t most_bytes = 4096;  // that a rank sends to the others

int nothing(void*)
{
    return 0;
}

// Rank r of n is bound to the CPU at the same share of the list of CPUs, which is in the order of
// nodes.
void bind_rank(unsigned rank, unsigned size)
{
    auto cpus = topology::this_machine().cpus;
    std::stable_sort(cpus.begin(), cpus.end(),
                     [](const auto& a, const auto& b) { return a.numa < b.numa; });
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(cpus[rank * cpus.size() / size].os_index, &mask);
    if (cpus.size() > 1)
        ::sched_setaffinity(0, sizeof mask, &mask);
}

}  // namespace

// Takes the place of MPI: through it the ranks exchange data.
struct rank_board {
    std::atomic<unsigned> arrived;
    std::atomic<unsigned> lost;  // ranks that have ended badly
    char told[most_mpi_ranks][most_bytes];
};

// acq_rel and acquire: what ranks wrote to the board before they met is visible to all afterwards.
void rank_desk::meet()
{
    all_.arrived.fetch_add(1, std::memory_order_acq_rel);  // acq_rel: see above
    ++rounds_;
    // acquire: see above.
    while (all_.arrived.load(std::memory_order_acquire) < rounds_ * size) {
        // relaxed: seen sooner or later, and nothing depends on when.
        if (all_.lost.load(std::memory_order_relaxed) != 0)
            ::_exit(failure);
        ::sched_yield();
    }
}

int rank_desk::gather(void* desk, const void* own, void* all, int bytes_each)
{
    auto& d = *static_cast<rank_desk*>(desk);
    const auto bytes = static_cast<std::size_t>(bytes_each);
    if (bytes > most_bytes)
        return 1;
    std::memcpy(d.all_.told[d.rank], own, bytes);
    d.meet();
    for (unsigned r = 0; r < d.size; ++r)
        std::memcpy(static_cast<char*>(all) + r * bytes, d.all_.told[r], bytes);
    d.meet();
    return 0;
}

coll::bootstrap rank_desk::bootstrap()
{
    return {static_cast<int>(rank), static_cast<int>(size), this, gather, nothing};
}

bool as_ranks(unsigned ranks, const std::function<void(rank_desk&)>& body, rank_binding where)
{
    if (ranks < 2 || ranks > most_mpi_ranks)
        throw command_error(usage, fmt::format("-n {}: 2 to {} ranks", ranks, most_mpi_ranks));
    const shared_report<rank_board> board;
    topology::this_machine();  // read once, before the fork
    std::vector<pid_t> children;
    const pid_t parent = ::getpid();
    bool ended_well = true;
    std::string problem;
    for (unsigned r = 0; r < ranks && problem.empty(); ++r) {
        const pid_t child = ::fork();
        if (child == 0) {
            if (!base::os::die_with_parent(parent))
                ::_exit(failure);
            if (where == rank_binding::bound)
                bind_rank(r, ranks);
            rank_desk desk(*board, r, ranks);
            body(desk);
            ::_exit(success);
        }
        if (child < 0)
            problem = fmt::format("no process for rank {}: {}", r, std::strerror(errno));
        else
            children.push_back(child);
    }
    if (!problem.empty())
        board->lost.fetch_add(1, std::memory_order_relaxed);  // relaxed: see meet()
    while (!children.empty()) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        if (ended < 0 && errno == EINTR)
            continue;
        if (ended < 0)
            throw command_error(failure, fmt::format("waiting: {}", std::strerror(errno)));
        const auto at = std::find(children.begin(), children.end(), ended);
        if (at == children.end())
            continue;
        children.erase(at);
        if (status != 0) {
            ended_well = false;
            board->lost.fetch_add(1, std::memory_order_relaxed);  // relaxed: see meet()
        }
    }
    if (!problem.empty())
        throw command_error(failure, problem);
    return ended_well;
}

bool too_many_ranks(unsigned ranks)
{
    return ranks > topology::this_machine().cpus.size();
}

void* map_shared(std::size_t bytes)
{
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                            0);
    if (at == MAP_FAILED)
        throw command_error(failure, "no memory");
    return at;
}

void unmap_shared(void* at, std::size_t bytes)
{
    ::munmap(at, bytes);
}

}  // namespace artel::tool
