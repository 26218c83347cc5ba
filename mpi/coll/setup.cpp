#include "coll/setup.hpp"

#include "coll/agreement.hpp"
#include "coll/device.hpp"
#include "coll/page_warnings.hpp"
#include "coll/sizing.hpp"
#include "coll/threshold.hpp"
#include "coll/tree_file.hpp"
#include "shm/os.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>

namespace artel::coll {

// What every rank tells all others first.
struct peer_description {
    shm::identity who;
    settings chosen;
    std::uint64_t probe_at = 0;  // address of a number for others to copy, and the number
    std::uint64_t probe_value = 0;
    std::uint32_t version = 0;
    std::uint32_t can_fence = 0;
    // Of its machine, and of what this process's communicators use.
    std::uint64_t memory_per_core = 0, usual_limit = 0, in_use = 0;
    segment_name cached[most_cached_segments];
};

namespace {

constexpr std::uint32_t interface_version = 11;

// What every rank tells at the end.
struct setup_result {
    std::int32_t error = 0;    // errno
    std::uint32_t direct = 0;  // could copy out of a neighbour's memory
    std::uint32_t astray = 0;  // pages of its own that lie on another NUMA node, and stay there
    char reason[120] = {};
};

// What the leader of a node tells its ranks about the memory that it made, and what it has measured
// already among as many of them.
struct offer {
    shm::ticket memory;
    std::uint32_t measured = 0;
    model_times times = assumed_times;
    std::uint64_t direct_from = direct_unknown;
};

// Shared memory that the communicators of this process use, by all ranks of their nodes. relaxed,
// all accesses: a sum for a limit.
std::atomic<std::uint64_t> bytes_in_use{0};

std::uint64_t probe_value() noexcept
{
    static const std::uint64_t value = 0x417274656c000000ULL ^
                                       static_cast<std::uint64_t>(::getpid()) *
                                           0x9e3779b97f4a7c15ULL;
    return value;
}

const std::uint64_t& probe() noexcept
{
    static const std::uint64_t value = probe_value();
    return value;
}

void set_reason(setup_result& v, int error, const std::string& what)
{
    v.error = error;
    std::snprintf(v.reason, sizeof v.reason, "%s", what.c_str());
}

std::uint64_t usual_limit() noexcept
{
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
    return pages * shm::page_size() / 16;
}

std::uint64_t limit_of(const settings& s)
{
    return s.memory_limit != 0 ? s.memory_limit : usual_limit();
}

// Whether the ranks have fewer CPUs, together, than they are.
bool too_many_for_cpus(const std::vector<const peer_description*>& here)
{
    std::uint64_t cpus[16] = {};
    std::uint64_t allowed = 0;
    for (const peer_description* c : here) {
        for (std::size_t i = 0; i < 16; ++i) {
            cpus[i] |= c->who.cpus[i];
        }
        allowed = c->who.cpus_allowed == 0 ? ~std::uint64_t{0}
                                           : std::max<std::uint64_t>(allowed, c->who.cpus_allowed);
    }
    const int count = std::accumulate(
        std::begin(cpus), std::end(cpus), 0,
        [](int sum, std::uint64_t w) { return sum + std::popcount(w); });
    return here.size() >
           std::min<std::uint64_t>(allowed, static_cast<std::uint64_t>(std::max(count, 1)));
}

bool gather(const bootstrap& b, const auto& own, auto& all)
{
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(own)>>);
    return b.allgather(b.context, &own, all.data(), static_cast<int>(sizeof own)) == 0;
}

// Copies the neighbour's number out of its memory, as a direct message would.
bool can_copy_from(const peer_description& other)
{
    std::uint64_t value = 0;
    return shm::copy_from_process(other.who.pid, &value, other.probe_at, sizeof value) == 0 &&
           value == other.probe_value;
}

// By the first rank, for all.
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

}  // namespace

// What was offered and not chosen, whatever the set-up came to; the last to be kept was the first
// to be taken.
site::cached_segments_holder::~cached_segments_holder()
{
    for (; !all.empty(); all.pop_back()) {
        cache_segment(std::move(all.back()));
    }
}

std::unique_ptr<site> site::make(const bootstrap& b, const settings& own) noexcept
{
    // Allocation failures end up here only in this rank, and could not be agreed on; they end the
    // process, as in MPI libraries.
    std::unique_ptr<site> result(new site);
    site& s = *result;
    s.bootstrap_ = b;
    s.ranks_ = static_cast<std::size_t>(b.size);
    look_for_devices();
    peer_description mine;
    mine.who = shm::own_identity();
    mine.chosen = own;
    mine.probe_at = reinterpret_cast<std::uintptr_t>(&probe());
    mine.probe_value = probe_value();
    mine.version = interface_version;
    mine.memory_per_core = memory_per_core();
    mine.usual_limit = usual_limit();
    mine.in_use = bytes_in_use.load(std::memory_order_relaxed);  // relaxed: see there
    mine.can_fence = shm::register_for_heavy_fence() ? 1 : 0;
    cached_segments_holder cached{take_cached_segments(mine.who.numa)};
    for (std::size_t i = 0; i < cached.all.size(); ++i) {
        mine.cached[i] = cached.all[i].name;
    }
    std::vector<peer_description> peers(static_cast<std::size_t>(b.size));
    if (!gather(b, mine, peers)) {
        s.story_ = "the library's allgather failed";
        return result;
    }
    // From here on everything follows from the peers, alike in all ranks.
    for (const peer_description& c : peers) {
        if (c.version != interface_version) {
            s.story_ = "the ranks have different versions of this library";
            return result;
        }
        if (c.chosen.enabled == 0) {
            s.story_ = "switched off";
            return result;
        }
    }
    s.find_nodes(peers, b.rank);
    if (s.nodes() == peers.size()) {
        s.story_ = "no two ranks share a node";
        return result;
    }
    s.party_.chosen = peers[0].chosen;
    if (b.rank == 0) {
        std::vector<const settings*> all;
        for (const peer_description& c : peers) {
            all.push_back(&c.chosen);
        }
        tell_difference(all);
    }
    s.settle_sizes(peers);
    s.story_ = s.make_segment(b, peers, cached);
    s.usable_ = s.story_.empty();
    if (s.usable_) {
        s.describe(peers);
    } else {
        s.memory_ = shm::memory();
    }
    return result;
}

site::~site()
{
    // At the end, when the numbers are known; the first rank of each node speaks for it.
    if (party_.chosen.verbose != 0 && party_.rank == 0 && channel_ != nullptr) {
        utsname names{};
        ::uname(&names);
        std::fprintf(stderr,
                     "artel: %s: %llu broadcasts through shared memory among %zu of %zu ranks\n",
                     names.nodename, static_cast<unsigned long long>(broadcasts_),
                     party_.members.size(), ranks_);
    }
    channel_.reset();
    // relaxed: see bytes_in_use.
    bytes_in_use.fetch_sub(counted_, std::memory_order_relaxed);
    // A rank that died may hold a word that others wait for.
    const bool broken = broken_ || (exchange_ != nullptr && exchange_->has_lost_somebody());
    if (usable_ && !broken && counted_ != 0 && counted_ <= limit_of(party_.chosen) / 16 &&
        party_.chosen.protocol == protocol_kind::lines) {
        cached_segment kept;
        const shm::ticket& t = memory_.own_ticket();
        kept.name = {{t.token[0], t.token[1]},
                     spare_digest(),
                     party_.rank,
                     static_cast<std::uint32_t>(party_.members.size())};
        kept.numa = numa_;
        kept.times = party_.times;
        kept.direct_from = party_.chosen.direct_from == direct_unknown ? direct_from_
                                                                       : direct_unknown;
        kept.memory = std::move(memory_);
        cache_segment(std::move(kept));
    }
}

// What two communicators must have in common for one to use the other's segment: over several nodes
// more of it is reserved.
std::uint64_t site::spare_digest() const
{
    return digest_of(party_.chosen) * 2 + (nodes() > 1 ? 1 : 0);
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
    const std::uint64_t digest = spare_digest();
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

void site::find_nodes(const std::vector<peer_description>& peers, int rank)
{
    for (const peer_description& c : peers) {
        const auto first = std::find_if(peers.begin(), peers.end(), [&](const peer_description& o) {
            return std::equal(o.who.host, o.who.host + 2, c.who.host);
        });
        const auto lowest = static_cast<int>(first - peers.begin());
        auto at = std::find(lowest_.begin(), lowest_.end(), lowest);
        if (at == lowest_.end()) {
            lowest_.push_back(lowest);
            at = lowest_.end() - 1;
        }
        const auto node = static_cast<unsigned>(at - lowest_.begin());
        number_.push_back(
            static_cast<unsigned>(std::count(node_of_.begin(), node_of_.end(), node)));
        node_of_.push_back(node);
    }
    own_node_ = node_of_[static_cast<std::size_t>(rank)];
    party_.rank = number_[static_cast<std::size_t>(rank)];
}

// How large queues are, the same for all nodes: as rank 0 has it, cut to what every rank may use.
void site::settle_sizes(const std::vector<peer_description>& peers)
{
    settings& chosen = party_.chosen;
    apply_rule(chosen, peers[0].memory_per_core);
    std::vector<node_room> rooms(nodes(), {0, ~std::uint64_t{0}});
    for (std::size_t r = 0; r < peers.size(); ++r) {
        const peer_description& p = peers[r];
        const std::uint64_t limit = chosen.memory_limit != 0 ? chosen.memory_limit : p.usual_limit;
        node_room& room = rooms[node_of_[r]];
        ++room.ranks;
        room.bytes = std::min(room.bytes, limit > p.in_use ? limit - p.in_use : 0);
    }
    // Where even the smallest does not fit, making the segment says so.
    fit(chosen, rooms, cut_);
}

// Makes and fills the segment; "" or why that failed. The exchanges happen in every rank, whatever
// happens in between.
std::string site::make_segment(const bootstrap& b, const std::vector<peer_description>& peers,
                               cached_segments_holder& cached)
{
    std::vector<const peer_description*> here;
    std::vector<std::size_t> ranks_here;
    for (std::size_t r = 0; r < peers.size(); ++r) {
        if (node_of_[r] == own_node_) {
            here.push_back(&peers[r]);
            ranks_here.push_back(r);
        }
    }
    const settings& chosen = party_.chosen;
    const auto ranks = static_cast<unsigned>(here.size());
    const segment_shape shape = chosen.protocol == protocol_kind::paper ? paper_shape(chosen, ranks)
                                                                        : lines_shape(chosen);
    // The broadcast's part, then what the other collectives exchange.
    const exchange_shape exchanged = exchange_shape::of(chosen);
    const std::size_t exchange_at = shape.head + ranks * shape.area;
    const std::size_t bytes = segment_bytes(chosen, ranks);
    same_namespace_ = std::all_of(here.begin(), here.end(), [&](const peer_description* c) {
        return c->who.pid_namespace == here[0]->who.pid_namespace;
    });

    setup_result mine;
    offer own_offer;
    numa_ = here[party_.rank]->who.numa;
    check_pages_ = chosen.check_pages != 0 && chosen.place != place_choice::off &&
                   here[party_.rank]->who.nodes > 1;
    reused_ = take_cached_segment(peers, cached);
    if (party_.rank == 0 && ranks > 1 && !reused_) {
        try {
            if (bytes > shm::memory_left() / 2) {
                throw std::system_error(ENOMEM, std::generic_category(), "this job's memory limit");
            }
            const bool named = !same_namespace_;
            const auto sort = chosen.sort == memory_sort::memfd ? shm::memory::sort::memfd
                                                                : shm::memory::sort::directory;
            memory_ = shm::memory::create(sort, chosen.directory, named, bytes);
            own_offer.memory = memory_.own_ticket();
            own_offer.measured = find_times(ranks, chosen.model_message, own_offer.times) ? 1 : 0;
            own_offer.direct_from = known_direct_from(ranks);
        } catch (const std::system_error& e) {
            own_offer.memory.error = e.code().value() == 0 ? EIO : e.code().value();
            set_reason(mine, own_offer.memory.error, e.what());
        }
    }
    offer offered;
    if (!reused_) {
        std::vector<offer> offers(peers.size());
        if (!gather(b, own_offer, offers)) {
            return "the library's allgather failed";
        }
        offered = offers[static_cast<std::size_t>(lowest_[own_node_])];
    }
    const shm::ticket& ticket = offered.memory;
    if (reused_ && ranks > 1) {
        // Nobody uses it any more, or it would not have been offered; and nobody uses it yet,
        // before the last exchange.
        std::memset(memory_.data() + shape.head + party_.rank * shape.area, 0, shape.words);
        std::memset(memory_.data() + exchange_at + party_.rank * exchanged.bytes(), 0,
                    exchanged.lines);
        offered.measured = 1;
        offered.times = party_.times;
        offered.direct_from = direct_from_;
    }
    if (ranks > 1 && mine.error == 0 && !reused_) {
        try {
            if (ticket.error != 0) {
                throw std::system_error(ticket.error, std::generic_category(),
                                        "making the shared memory");
            }
            // relaxed: see bytes_in_use.
            if (bytes_in_use.load(std::memory_order_relaxed) + bytes > limit_of(chosen)) {
                throw std::system_error(ENOMEM, std::generic_category(), "ARTEL_MPI_LIMIT");
            }
            if (party_.rank != 0) {
                memory_ = shm::memory::attach(ticket);
            }
            if (chosen.advise_random != 0) {
                memory_.advise_random(true);
            }
            const std::size_t at = shape.head + party_.rank * shape.area;
            const int home = home_of_pages(*here[party_.rank]);
            if (chosen.place == place_choice::off) {
                if (party_.rank == 0) {
                    memory_.reserve(0, exchange_at, -1, chosen.huge != 0);
                }
            } else if (chosen.reserve == 0) {
                std::memset(memory_.data() + at, 0, shape.area);
            } else {
                memory_.reserve(at, shape.area, home, chosen.huge != 0);
                if (party_.rank == 0) {
                    memory_.reserve(0, shape.head, numa_, false);
                }
            }
            // With several nodes all is reserved at once, because later those of one node could not
            // tell the others that there is no room.
            const std::size_t exchange_own = exchange_at + party_.rank * exchanged.bytes();
            const std::size_t exchange_bytes = nodes() > 1 ? exchanged.bytes() : exchanged.lines;
            memory_.reserve(exchange_own, exchange_bytes, home, false);
            if (chosen.advise_random != 0) {
                memory_.advise_random(false);
            }
            // Before anybody else has mapped them: what two processes have mapped is not moved.
            if (check_pages_) {
                const std::size_t
                    astray = memory_.bring_home(at, shape.area, numa_, chosen.huge != 0).elsewhere +
                             memory_.bring_home(exchange_own, exchange_bytes, numa_, false)
                                 .elsewhere;
                mine.astray = static_cast<std::uint32_t>(astray);
            }
        } catch (const std::system_error& e) {
            set_reason(mine, e.code().value() == 0 ? EIO : e.code().value(), e.what());
        }
    }
    mine.direct = ranks == 1 || (same_namespace_ && can_copy_from(*here[(party_.rank + 1) % ranks]))
                      ? 1
                      : 0;
    std::vector<setup_result> results(peers.size());
    if (!gather(b, mine, results)) {
        return "the library's allgather failed";
    }
    for (std::size_t r = 0; r < results.size(); ++r) {
        setup_result& v = results[r];
        if (v.error != 0) {
            v.reason[sizeof v.reason - 1] = '\0';
            std::string why = "no shared memory for collectives, the MPI library's own are used: " +
                              std::string(v.reason) + " (rank " + std::to_string(r) + " of " +
                              std::to_string(peers.size()) + ")";
            if (static_cast<int>(r) == b.rank) {
                say_once(why);
            }
            return why;
        }
    }
    if (b.rank == 0) {
        tell_of_pages(peers, results);
    }
    if (ranks == 1) {
        return "";
    }
    memory_.settle();
    counted_ = bytes;
    area_at_ = shape.head + party_.rank * shape.area;
    area_bytes_ = shape.area;
    bytes_in_use.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: see there
    for (const peer_description* c : here) {
        party_.members.push_back(
            {same_namespace_ ? c->who.pid : 0, c->who.start, {c->who.numa, c->who.cache}});
    }
    party_.direct = std::all_of(ranks_here.begin(), ranks_here.end(),
                                [&](std::size_t r) { return results[r].direct != 0; });
    party_.crowded = too_many_for_cpus(here);
    party_.segment = memory_.data();
    shm::patience patience = party_.crowded ? shm::crowded_patience : shm::roomy_patience;
    if (chosen.spins != 0) {
        patience.spins = chosen.spins;
    }
    waiting_ = std::make_unique<shm::waiter>(patience, progress, alive, this);
    party_.times = offered.times;
    if (offered.measured == 0) {
        const std::size_t tail = chosen.protocol == protocol_kind::paper
                                     ? shm::page_size()
                                     : chosen.queue_bytes / shm::page_size() * shm::page_size();
        const measured_segment measured{memory_.data() + shape.head, shape.area, tail};
        if (measure_times(measured, party_.rank, ranks, party_.crowded ? 6 : 16,
                          {chosen.hand_back, chosen.model_message}, *waiting_,
                          party_.times) != shm::status::ok) {
            party_.times = assumed_times;  // somebody died; the first broadcast will say so
        } else if (tail > shm::page_size()) {
            keep_times(ranks, chosen.model_message, party_.times);
        }
    }
    if (chosen.hand_back != choice::measured) {
        party_.times.hand_back = chosen.hand_back == choice::on;
    }
    choose_trees();
    channel_ = chosen.protocol == protocol_kind::paper ? make_paper_channel(party_, *waiting_)
                                                       : make_lines_channel(party_, *waiting_);
    pieces_at_ = exchange_at + party_.rank * exchanged.bytes() + exchanged.lines;
    exchange_ = std::make_unique<exchange>(party_, *waiting_, memory_.data() + exchange_at,
                                           nodes() > 1 ? nullptr : reserve_pieces, this);
    settle_direct(offered.direct_from);
    return "";
}

int site::home_of_pages(const peer_description& own) const
{
    return party_.chosen.place == place_choice::wrong && own.who.nodes > 1
               ? (numa_ + 1) % static_cast<int>(own.who.nodes)
               : numa_;
}

void site::choose_trees()
{
    if (party_.chosen.shape != tree_kind::automatic) {
        return;
    }
    const unsigned group = largest_group(party_.seats());
    if (!measured_trees(this_machines_trees().rows, group, party_.crowded, party_.trees)) {
        party_.trees = model_trees(party_.times, group, party_.crowded, party_.chosen);
    }
}

// `offered` is what was measured before among as many ranks, if anything was; the same in all ranks
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

void site::describe(const std::vector<peer_description>& peers)
{
    const settings& s = party_.chosen;
    story_ = std::to_string(peers.size()) + " ranks on " + std::to_string(nodes()) +
             (nodes() == 1 ? " node" : " nodes");
    if (channel_ != nullptr) {
        story_ += ", " + std::to_string(party_.members.size()) + " here; " +
                  std::to_string(memory_.size() >> 10) + " KiB of " +
                  (s.sort == memory_sort::memfd ? std::string("memfd") : std::string(s.directory)) +
                  (reused_ ? ", kept from an earlier communicator" : "") +
                  (cut_ ? ", cut to ARTEL_MPI_LIMIT: queues of " +
                              std::to_string(s.queue_bytes >> 10) + " KiB"
                        : "");
        if (s.verbose != 0) {
            const shm::placement p = placed();
            story_ += ", " + std::to_string(p.at_home) + " of this rank's " +
                      std::to_string(p.pages) + " pages on its NUMA node";
        }
        story_ += std::string("; tree ") + name_of(s.shape) +
                  (s.shape == tree_kind::automatic ? ": " + words_of(party_.trees) : "") +
                  "; direct copies " +
                  (direct_from_ != 0 ? "from " + std::to_string(direct_from_) + " bytes on"
                                     : std::string("not used")) +
                  (s.direct_from == direct_unknown && party_.direct ? ", as measured" : "") +
                  (party_.crowded ? "; more ranks than CPUs" : "");
    }
}

shm::placement site::placed() const
{
    return channel_ == nullptr ? shm::placement{} : memory_.where(area_at_, area_bytes_, numa_);
}

int site::progress(void* self)
{
    const bootstrap& b = static_cast<site*>(self)->bootstrap_;
    return b.progress(b.context);
}

int site::reserve_pieces(void* self)
{
    site& s = *static_cast<site*>(self);
    try {
        s.memory_.reserve_late(s.pieces_at_, exchange_shape::of(s.party_.chosen).pieces,
                               s.party_.chosen.place == place_choice::off ? -1 : s.numa_,
                               s.party_.chosen.huge != 0);
        if (s.check_pages_) {
            page_facts facts;
            facts.astray = s.memory_
                               .bring_home(s.pieces_at_, exchange_shape::of(s.party_.chosen).pieces,
                                           s.numa_, s.party_.chosen.huge != 0)
                               .elsewhere;
            facts.with_strays = facts.ranks = 1;
            tell(facts);
        }
    } catch (const std::system_error& e) {
        say_once("large reductions and allgathers are left to the MPI library: " +
                 std::string(e.what()));
        return e.code().value() == 0 ? EIO : e.code().value();
    }
    return 0;
}

int site::alive(void* self)
{
    const site& s = *static_cast<site*>(self);
    return std::all_of(s.party_.members.begin(), s.party_.members.end(), [](const member& m) {
        return m.pid == 0 || !shm::has_ended(m.pid, m.start);
    });
}

}  // namespace artel::coll
