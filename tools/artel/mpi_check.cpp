// Each process broadcasts from every root in turn and checks what arrives, then looks where its
// pages lie.
#include "artel/mpi_check.hpp"

#include "artel/mpi_timing.hpp"

#include <algorithm>
#include <cstdio>
#include <sched.h>

namespace artel::tool {

namespace {

struct report {
    char story[600];
    int usable, works[most_mpi_ranks], direct;
    placement_report::rank placed[most_mpi_ranks];
};

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

void be_rank(rank_desk& desk, const coll::settings& settings, report& told)
{
    desk.meet();
    const double begin = now();
    const auto site = coll::site::make(desk.bootstrap(), settings);
    const double made = now();
    unsigned cpu = 0, node = 0;
    ::getcpu(&cpu, &node);
    const auto placed = site->placed();
    const double looked = now();
    told.placed[desk.rank] = {static_cast<int>(node), placed.pages, placed.at_home,
                              placed.elsewhere,       made - begin, looked - made};
    told.works[desk.rank] = site->usable() && broadcasts_arrive(*site, desk.rank, desk.size);
    if (desk.rank == 0) {
        std::snprintf(told.story, sizeof told.story, "%s", site->story().c_str());
        told.usable = site->usable();
        told.direct = site->ranks_here().direct;
    }
    desk.meet();
}

}  // namespace

placement_report check_placement(unsigned ranks, const coll::settings& settings, bool unbound)
{
    const shared_report<report> told;
    const bool ended_well = as_ranks(
        ranks, [&](rank_desk& desk) { be_rank(desk, settings, *told); },
        unbound ? rank_binding::unbound : rank_binding::bound);
    placement_report result;
    result.story = told->story;
    result.usable = told->usable != 0;
    result.direct = told->direct != 0;
    result.works = ended_well &&
                   std::all_of(told->works, told->works + ranks, [](int w) { return w != 0; });
    result.ranks.assign(told->placed, told->placed + ranks);
    return result;
}

}  // namespace artel::tool
