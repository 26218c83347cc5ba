// All trees and the present choice are measured in turns, so that changes in the machine's speed
// affect all alike.
#include "artel/mpi_tune.hpp"

#include "artel/command.hpp"
#include "artel/mpi_timing.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace artel::tool {

namespace {

constexpr std::array<std::uint64_t, 10> sizes{8,     64,     512,     4096,    16384,
                                              65536, 262144, 1 << 20, 4 << 20, 16 << 20};
constexpr unsigned forms = coll::tree_forms.size();
constexpr unsigned ways = forms + 1;  // the last: what is in force
constexpr unsigned least_rounds = 15, most_rounds = 1000;
constexpr double no_slower = 1.03;

struct report {
    timing_board timing;
    bool more, works[most_mpi_ranks];
    coll::tree_table in_force;
    unsigned group;
    unsigned rounds[sizes.size()];
    double middle[sizes.size()][ways];
    char story[600];
};

// The mean of the middle half. On a machine that is now fast, now slow, a median jumps between the
// two.
double middle_of(std::vector<double>& values)
{
    std::sort(values.begin(), values.end());
    const auto quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
    const auto from = values.begin() + quarter, to = values.end() - quarter;
    return std::accumulate(from, to, 0.0) / static_cast<double>(to - from);
}

coll::tree_table only(unsigned form)
{
    coll::tree_table table;
    table.of.fill(static_cast<std::uint8_t>(form));
    return table;
}

// Measures all ways in turns, each time beginning with another one, until the time is over.
void measure_size(std::size_t index, rank_desk& desk, coll::site& site, double seconds,
                  std::vector<unsigned char>& bytes, report& told, bool& good)
{
    stopwatch watch(desk, site, told.timing);
    const artel_message m{bytes.data(), sizes[index], nullptr, nullptr};
    const coll::tree_table in_force = site.trees();
    std::array<std::vector<double>, ways> spent;
    const double begin = now();
    unsigned round = 0;
    for (bool more = true; more && good; ++round) {
        for (unsigned i = 0; i < ways; ++i) {
            const unsigned way = (i + round) % ways;
            site.use_trees(way == forms ? in_force : only(way));
            bytes[sizes[index] - 1] = static_cast<unsigned char>(desk.rank == 0 ? i + 1 : 0);
            const double time = watch.broadcast(m, 0, good);
            good = good && bytes[sizes[index] - 1] == i + 1;
            // In the first round the caches are cold.
            if (round > 0)
                spent[way].push_back(time);
        }
        if (desk.rank == 0)
            told.more = round < most_rounds && (round < least_rounds || now() - begin < seconds);
        // A rank that alone finds something wrong still has to meet the others.
        good = site.all()->barrier() == shm::status::ok && good;
        more = told.more;
    }
    site.use_trees(in_force);
    for (unsigned way = 0; desk.rank == 0 && way < ways; ++way) {
        if (!spent[way].empty())
            told.middle[index][way] = middle_of(spent[way]);
        told.rounds[index] = static_cast<unsigned>(spent[way].size());
    }
}

}  // namespace

unsigned tree_times::best() const
{
    return static_cast<unsigned>(std::min_element(middle.begin(), middle.end()) - middle.begin());
}

unsigned tree_times::wanted() const
{
    return middle[0] <= no_slower * middle[best()] ? 0 : best();
}

tree_report measure_trees(unsigned ranks, double seconds,
                          const std::function<void(std::uint64_t bytes)>& tell)
{
    auto settings = coll::settings_of_environment();
    settings.shape = coll::tree_kind::automatic;
    const shared_report<report> told;
    const bool ended_well = as_ranks(ranks, [&](rank_desk& desk) {
        const auto site = coll::site::make(desk.bootstrap(), settings);
        if (desk.rank == 0) {
            std::snprintf(told->story, sizeof told->story, "%s", site->story().c_str());
            told->group = coll::largest_group(site->ranks_here().localities());
            told->in_force = site->trees();
        }
        bool good = site->usable();
        std::vector<unsigned char> bytes(sizes.back());
        for (std::size_t i = 0; i < sizes.size() && site->usable(); ++i) {
            if (desk.rank == 0)
                tell(sizes[i]);
            // Large messages are measured as often as small ones take time.
            measure_size(i, desk, *site, seconds / sizes.size(), bytes, *told, good);
        }
        told->works[desk.rank] = good;
    });
    if (!ended_well || !std::all_of(told->works, told->works + ranks, [](bool w) { return w; }))
        throw command_error(failure,
                            fmt::format("{} ranks: {}", ranks,
                                        told->story[0] != '\0' ? told->story : "a rank has ended"));
    tree_report result{ranks, told->group, too_many_ranks(ranks), words_of(told->in_force), {}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        tree_times row;
        row.bytes = sizes[i];
        row.rounds = told->rounds[i];
        row.middle.assign(told->middle[i], told->middle[i] + forms);
        row.in_force = told->middle[i][forms];
        row.chosen = told->in_force.tree_for(sizes[i]);
        result.sizes.push_back(std::move(row));
    }
    return result;
}

}  // namespace artel::tool
