// How the collectives use a node's segment that all its ranks have reserved: how to wait, what
// copies cost, which trees to take, from which size on to copy directly.
#include "coll/agreement.hpp"
#include "coll/known_times.hpp"
#include "coll/memory_use.hpp"
#include "coll/node_plan.hpp"
#include "coll/threshold.hpp"
#include "coll/tree_file.hpp"
#include "shm/os.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace artel::coll {
namespace {

// Whether the ranks together have fewer CPUs than there are ranks.
bool too_many_for_cpus(const std::vector<const peer_description*>& here)
{
    std::uint64_t cpus[16] = {};
    std::uint64_t allowed = 0, more = 0;
    for (const peer_description* c : here) {
        for (std::size_t i = 0; i < 16; ++i) {
            cpus[i] |= c->who.cpus[i];
        }
        // Which ones of these ranks have in common is not known: counted as if there were none.
        more += c->who.more_cpus;
        allowed = c->who.cpus_allowed == 0 ? ~std::uint64_t{0}
                                           : std::max<std::uint64_t>(allowed, c->who.cpus_allowed);
    }
    const int count = std::accumulate(
        std::begin(cpus), std::end(cpus), 0,
        [](int sum, std::uint64_t w) { return sum + std::popcount(w); });
    return here.size() >
           std::min<std::uint64_t>(allowed, static_cast<std::uint64_t>(std::max(count, 1)) + more);
}

}  // namespace

// After all ranks of the communicator have done their part.
void site::use_segment(const node_plan& plan, const segment_offer& offered)
{
    const settings& chosen = party_.chosen;
    memory_.settle();
    counted_ = plan.bytes;
    count_memory(plan.bytes);
    area_at_ = plan.area_of(party_.rank);
    area_bytes_ = plan.shape.area;
    for (const peer_description* c : plan.here) {
        party_.members.push_back(
            {same_namespace_ ? c->who.pid : 0, c->who.start, {c->who.numa, c->who.cache}});
    }
    party_.crowded = too_many_for_cpus(plan.here);
    party_.segment = memory_.data();
    shm::spin_limits limits = party_.crowded ? shm::crowded_limits : shm::roomy_limits;
    if (chosen.spins != 0) {
        limits.spins = chosen.spins;
    }
    waiting_ = std::make_unique<shm::waiter>(limits, progress, alive, this);
    party_.times = offered.times;
    if (offered.measured == 0) {
        measure_segment(plan);
    }
    if (chosen.hand_back != choice::measured) {
        party_.times.hand_back = chosen.hand_back == choice::on;
    }
    choose_trees();
    channel_ = chosen.protocol == protocol_kind::paper ? make_paper_channel(party_, *waiting_)
                                                       : make_lines_channel(party_, *waiting_);
    pieces_at_ = plan.exchange_of(party_.rank) + plan.exchanged.lines;
    exchange_ = std::make_unique<exchange>(party_, *waiting_, memory_.data() + plan.exchange_at(),
                                           nodes() > 1 ? nullptr : reserve_pieces, this);
    settle_direct(offered.direct_from);
}

void site::measure_segment(const node_plan& plan)
{
    const settings& chosen = party_.chosen;
    const std::size_t page = shm::page_size();
    const std::size_t tail = chosen.protocol == protocol_kind::paper
                                 ? page
                                 : chosen.queue_bytes / page * page;
    const measured_segment measured{memory_.data() + plan.shape.head, plan.shape.area, tail};
    if (measure_times(measured, party_.rank, plan.ranks, party_.crowded ? 6 : 16,
                      {chosen.hand_back, chosen.model_message}, *waiting_,
                      party_.times) != shm::status::ok) {
        party_.times = assumed_times;  // a rank died; the first broadcast will report it
    } else if (tail > page) {
        keep_times(plan.ranks, chosen.model_message, party_.times);
    }
}

void site::choose_trees()
{
    if (party_.chosen.shape != tree_kind::automatic) {
        return;
    }
    const notified_ranks notified = notified_ranks_of(party_.localities());
    if (!measured_trees(this_machines_trees().rows, notified.group, party_.crowded, party_.trees)) {
        party_.trees = model_trees(party_.times, notified, party_.crowded, party_.chosen);
    }
}

// `offered`: results measured before among as many ranks, if there are any; the same in all ranks
// of the node.
void site::settle_direct(std::uint64_t offered)
{
    direct_from_ = party_.direct && party_.chosen.protocol == protocol_kind::lines
                       ? party_.chosen.direct_from
                       : 0;
    if (direct_from_ != direct_unknown) {
        return;
    }
    direct_from_ = offered;
    if (offered == direct_unknown) {
        direct_from_ = find_direct_from(*channel_, *exchange_, party_.rank);
        keep_direct_from(static_cast<unsigned>(party_.members.size()), direct_from_);
    }
    channel_->use_direct_from(direct_from_);
}

}  // namespace artel::coll
