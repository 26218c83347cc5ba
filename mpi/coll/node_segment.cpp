// The segment of one node: one that its ranks have shared before, or a new one made by the node's
// leader. All ranks put their own parts of it on their NUMA nodes.
#include "coll/known_times.hpp"
#include "coll/memory_use.hpp"
#include "coll/node_plan.hpp"
#include "coll/page_warnings.hpp"
#include "coll/sizing.hpp"
#include "coll/threshold.hpp"
#include "shm/os.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>

namespace artel::coll {
namespace {

// Tries to copy the neighbour's number out of its memory, as a direct message would.
bool can_copy_from(const peer_description& other)
{
    std::uint64_t value = 0;
    return shm::copy_from_process(other.who.pid, &value, other.probe_at, sizeof value) == 0 &&
           value == other.probe_value;
}

// Called by the first rank, for all.
void tell_of_pages(const std::vector<peer_description>& peers,
                   const std::vector<setup_result>& results)
{
    page_facts facts;
    facts.ranks = peers.size();
    for (std::size_t r = 0; r < peers.size(); ++r) {
        facts.astray += results[r].astray;
        facts.with_strays += results[r].astray != 0 ? 1 : 0;
        facts.first_unbound = facts.unbound == 0 ? r : facts.first_unbound;
        facts.unbound += peers[r].who.nodes_allowed > 1 ? 1 : 0;
    }
    tell(facts);
}

// The reason why the set-up fails, the same in all ranks; "" if it does not. The rank that could
// not do its part says so.
std::string first_failure(std::vector<setup_result>& results, int own_rank)
{
    for (std::size_t r = 0; r < results.size(); ++r) {
        setup_result& v = results[r];
        if (v.error != 0) {
            v.reason[sizeof v.reason - 1] = '\0';
            std::string why = "no shared memory for collectives, the MPI library's own are used: " +
                              std::string(v.reason) + " (rank " + std::to_string(r) + " of " +
                              std::to_string(results.size()) + ")";
            if (static_cast<int>(r) == own_rank) {
                say_once(why);
            }
            return why;
        }
    }
    return "";
}

}  // namespace

// Makes and fills the segment; returns "" or the reason of the failure. Every rank makes all
// exchanges, even after a failure.
std::string site::make_segment(const bootstrap& b, const std::vector<peer_description>& peers,
                               cached_segments_holder& cached)
{
    const node_plan plan = plan_node(peers);
    const peer_description& own = *plan.here[party_.rank];
    setup_result mine;
    segment_offer offered;
    reused_ = take_cached_segment(peers, cached);
    if (!reused_) {
        segment_offer own_offer;
        if (party_.rank == 0 && plan.ranks > 1) {
            own_offer = create_segment(plan, mine);
        }
        std::vector<segment_offer> offers(peers.size());
        if (!gather(b, own_offer, offers)) {
            return "the library's allgather failed";
        }
        offered = offers[static_cast<std::size_t>(lowest_[own_node_])];
        if (plan.ranks > 1 && mine.error == 0) {
            try {
                attach_segment(plan, offered.memory);
                mine.astray = reserve_own_parts(plan, home_of_pages(own));
            } catch (const std::system_error& e) {
                mine.fail(e);
            }
        }
    } else if (plan.ranks > 1) {
        clean_own_parts(plan);
        offered.measured = 1;
        offered.times = party_.times;
        offered.direct_from = direct_from_;
    }
    mine.direct = plan.ranks == 1 || (same_namespace_ &&
                                      can_copy_from(*plan.here[(party_.rank + 1) % plan.ranks]))
                      ? 1
                      : 0;
    std::vector<setup_result> results(peers.size());
    if (!gather(b, mine, results)) {
        return "the library's allgather failed";
    }
    if (const std::string why = first_failure(results, b.rank); !why.empty()) {
        return why;
    }
    if (b.rank == 0) {
        tell_of_pages(peers, results);
    }
    if (plan.ranks > 1) {
        party_.direct = std::all_of(plan.ranks_here.begin(), plan.ranks_here.end(),
                                    [&](std::size_t r) { return results[r].direct != 0; });
        use_segment(plan, offered);
    }
    return "";
}

site::node_plan site::plan_node(const std::vector<peer_description>& peers)
{
    node_plan plan;
    for (std::size_t r = 0; r < peers.size(); ++r) {
        if (node_of_[r] == own_node_) {
            plan.here.push_back(&peers[r]);
            plan.ranks_here.push_back(r);
        }
    }
    const settings& chosen = party_.chosen;
    plan.ranks = static_cast<unsigned>(plan.here.size());
    plan.shape = chosen.protocol == protocol_kind::paper ? paper_shape(chosen)
                                                         : lines_shape(chosen);
    plan.exchanged = exchange_shape::of(chosen);
    plan.bytes = segment_bytes(chosen, plan.ranks);
    same_namespace_ = std::all_of(
        plan.here.begin(), plan.here.end(), [&](const peer_description* c) {
            return c->who.pid_namespace == plan.here[0]->who.pid_namespace;
        });
    const peer_description& own = *plan.here[party_.rank];
    numa_ = own.who.numa;
    check_pages_ = chosen.check_pages != 0 && chosen.place != place_choice::off &&
                   own.who.nodes > 1;
    return plan;
}

// Takes the segment that the ranks of this node have shared before, if the ranks of every node have
// one.
bool site::take_cached_segment(const std::vector<peer_description>& peers,
                               cached_segments_holder& cached)
{
    if (party_.chosen.protocol != protocol_kind::lines) {
        return false;
    }
    std::vector<std::vector<const segment_name*>> offered(nodes());
    for (std::size_t r = 0; r < peers.size(); ++r) {
        offered[node_of_[r]].push_back(peers[r].cached);
    }
    const std::uint64_t digest = cache_digest();
    const segment_name* wanted = nullptr;
    for (std::size_t node = 0; node < offered.size(); ++node) {
        if (offered[node].size() < 2) {
            continue;
        }
        const std::size_t found = common_segment(offered[node], digest);
        if (found == most_cached_segments) {
            return false;
        }
        wanted = node == own_node_ ? &offered[node][0][found] : wanted;
    }
    if (wanted != nullptr) {
        const auto at = std::find_if(
            cached.all.begin(), cached.all.end(), [&](const cached_segment& s) {
                return std::equal(s.name.token, s.name.token + 2, wanted->token) &&
                       s.name.rank == party_.rank;
            });
        memory_ = std::move(at->memory);
        party_.times = at->times;
        direct_from_ = at->direct_from;
        cached.all.erase(at);
    }
    return true;
}

// Called by the leader of the node.
segment_offer site::create_segment(const node_plan& plan, setup_result& mine)
{
    const settings& chosen = party_.chosen;
    segment_offer own;
    try {
        if (plan.bytes > shm::memory_left() / 2) {
            throw std::system_error(ENOMEM, std::generic_category(), "this job's memory limit");
        }
        const bool named = !same_namespace_;
        const auto sort = chosen.sort == memory_sort::memfd ? shm::memory::sort::memfd
                                                            : shm::memory::sort::directory;
        memory_ = shm::memory::create(sort, chosen.directory, named, plan.bytes);
        own.memory = memory_.own_ticket();
        own.measured = find_times(plan.ranks, chosen.model_message, own.times) ? 1 : 0;
        own.direct_from = known_direct_from(plan.ranks);
    } catch (const std::system_error& e) {
        mine.fail(e);
        own.memory.error = mine.error;
    }
    return own;
}

void site::attach_segment(const node_plan& plan, const shm::ticket& ticket)
{
    if (ticket.error != 0) {
        throw std::system_error(ticket.error, std::generic_category(), "making the shared memory");
    }
    if (memory_in_use() + plan.bytes > limit_of(party_.chosen)) {
        throw std::system_error(ENOMEM, std::generic_category(), "ARTEL_MPI_LIMIT");
    }
    if (party_.rank != 0) {
        memory_ = shm::memory::attach(ticket);
    }
}

// Has the kernel put the pages of this rank's parts on the NUMA node `home`; returns how many are
// elsewhere nevertheless.
std::uint32_t site::reserve_own_parts(const node_plan& plan, int home)
{
    const settings& chosen = party_.chosen;
    const std::size_t at = plan.area_of(party_.rank);
    if (chosen.advise_random != 0) {
        memory_.advise_random(true);
    }
    if (chosen.place == place_choice::off) {
        if (party_.rank == 0) {
            memory_.reserve(0, plan.exchange_at(), -1, chosen.huge != 0);
        }
    } else if (chosen.reserve == 0) {
        std::memset(memory_.data() + at, 0, plan.shape.area);
    } else {
        memory_.reserve(at, plan.shape.area, home, chosen.huge != 0);
        if (party_.rank == 0) {
            memory_.reserve(0, plan.shape.head, numa_, false);
        }
    }
    // With several nodes everything is reserved at once: later, the ranks of one node could not
    // tell those of the others that memory is lacking.
    const std::size_t exchange_at = plan.exchange_of(party_.rank);
    const std::size_t exchange_bytes = nodes() > 1 ? plan.exchanged.bytes() : plan.exchanged.lines;
    memory_.reserve(exchange_at, exchange_bytes, home, false);
    if (chosen.advise_random != 0) {
        memory_.advise_random(false);
    }
    if (!check_pages_) {
        return 0;
    }
    // Before any other process has mapped them: pages that two processes have mapped are not moved.
    const std::size_t
        astray = memory_.bring_home(at, plan.shape.area, numa_, chosen.huge != 0).elsewhere +
                 memory_.bring_home(exchange_at, exchange_bytes, numa_, false).elsewhere;
    return static_cast<std::uint32_t>(astray);
}

// Cleans a segment that another communicator had. No rank uses it any more, since all have offered
// it; and none uses it again before the last exchange.
void site::clean_own_parts(const node_plan& plan)
{
    std::memset(memory_.data() + plan.area_of(party_.rank), 0, plan.shape.words);
    std::memset(memory_.data() + plan.exchange_of(party_.rank), 0, plan.exchanged.lines);
}

int site::home_of_pages(const peer_description& own) const
{
    return party_.chosen.place == place_choice::wrong && own.who.nodes > 1
               ? (numa_ + 1) % static_cast<int>(own.who.nodes)
               : numa_;
}

}  // namespace artel::coll
