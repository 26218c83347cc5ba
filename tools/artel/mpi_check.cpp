#include "artel/mpi_check.hpp"

#include "artel/command.hpp"
#include "coll/setup.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::tool {

namespace {

constexpr unsigned most_ranks = 64;
constexpr std::size_t most_bytes = 4096;  // that a rank tells the others

// Stands in for MPI: what the ranks tell each other, and their reports.
struct board {
    std::atomic<unsigned> arrived;
    char told[most_ranks][most_bytes];
    char story[600];
    int usable, works[most_ranks], direct;
    placement_report::rank placed[most_ranks];
};

struct desk {
    board* all;
    unsigned rank, size, rounds;
};

// Everybody is here. acq_rel and acquire: what was written to the board before is seen after.
void meet(desk& d)
{
    d.all->arrived.fetch_add(1, std::memory_order_acq_rel);  // acq_rel: see above
    ++d.rounds;
    // acquire: see above.
    while (d.all->arrived.load(std::memory_order_acquire) < d.rounds * d.size)
        ::sched_yield();
}

int gather(void* context, const void* own, void* all, int bytes_each)
{
    auto& d = *static_cast<desk*>(context);
    const auto bytes = static_cast<std::size_t>(bytes_each);
    if (bytes > most_bytes)
        return 1;
    std::memcpy(d.all->told[d.rank], own, bytes);
    meet(d);
    for (unsigned r = 0; r < d.size; ++r)
        std::memcpy(static_cast<char*>(all) + r * bytes, d.all->told[r], bytes);
    meet(d);
    return 0;
}

int nothing(void*)
{
    return 0;
}

// Rank r of n sits on the CPU at the same share of the list of CPUs, which is in the order of nodes.
void take_seat(unsigned rank, unsigned size)
{
    auto cpus = topology::this_machine().cpus;
    std::stable_sort(cpus.begin(), cpus.end(), [](const auto& a, const auto& b) { return a.numa < b.numa; });
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(cpus[rank * cpus.size() / size].os_index, &mask);
    if (cpus.size() > 1)
        ::sched_setaffinity(0, sizeof mask, &mask);
}

bool broadcasts_arrive(coll::site& site, unsigned rank, unsigned size)
{
    std::vector<unsigned char> bytes(300000);
    for (unsigned root = 0; root < size; ++root) {
        for (const std::size_t n : {std::size_t{8}, std::size_t{5000}, bytes.size()}) {
            for (std::size_t i = 0; rank == root && i < n; ++i)
                bytes[i] = static_cast<unsigned char>(i + root);
            const artel_message m{bytes.data(), n, nullptr, nullptr};
            if (site.broadcast(m, root) != shm::status::ok)
                return false;
            for (std::size_t i = 0; i < n; ++i)
                if (bytes[i] != static_cast<unsigned char>(i + root))
                    return false;
        }
    }
    return true;
}

int be_rank(desk d, const coll::settings& settings)
{
    take_seat(d.rank, d.size);
    const auto site = coll::site::make({static_cast<int>(d.rank), static_cast<int>(d.size), &d, gather, nothing}, settings);
    unsigned cpu = 0, node = 0;
    ::getcpu(&cpu, &node);
    const auto& placed = site->placed();
    d.all->placed[d.rank] = {static_cast<int>(node), placed.pages, placed.at_home, placed.elsewhere};
    d.all->works[d.rank] = site->usable() && broadcasts_arrive(*site, d.rank, d.size);
    if (d.rank == 0) {
        std::snprintf(d.all->story, sizeof d.all->story, "%s", site->story().c_str());
        d.all->usable = site->usable();
        d.all->direct = site->ranks_here().direct;
    }
    meet(d);
    return 0;
}

}  // namespace

placement_report check_placement(unsigned ranks, const coll::settings& settings)
{
    if (ranks < 2 || ranks > most_ranks)
        throw command_error(usage, fmt::format("-n {}: 2 to {} ranks", ranks, most_ranks));
    void* const at = ::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        throw command_error(failure, "no memory");
    auto& all = *static_cast<board*>(at);
    topology::this_machine();  // read once, before the fork
    std::vector<pid_t> children;
    for (unsigned r = 0; r < ranks; ++r) {
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(be_rank({&all, r, ranks, 0}, settings));
        children.push_back(child);
    }
    bool ended_well = true;
    for (const pid_t child : children) {
        int status = 0;
        ended_well = ::waitpid(child, &status, 0) == child && status == 0 && ended_well;
    }
    placement_report report;
    report.story = all.story;
    report.usable = all.usable != 0;
    report.direct = all.direct != 0;
    report.works = ended_well && std::all_of(all.works, all.works + ranks, [](int w) { return w != 0; });
    report.ranks.assign(all.placed, all.placed + ranks);
    ::munmap(at, sizeof(board));
    return report;
}

}  // namespace artel::tool
