// A communicator after its set-up: its description, the check that its ranks live, and its end.
#include "coll/memory_use.hpp"
#include "coll/page_warnings.hpp"
#include "coll/setup.hpp"
#include "coll/tree_choice.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/utsname.h>
#include <system_error>

namespace artel::coll {

site::~site()
{
    // Printed at the end, when the numbers are known; the first rank of each node prints for it.
    if (party_.chosen.verbose != 0 && party_.rank == 0 && channel_ != nullptr) {
        utsname names{};
        ::uname(&names);
        std::fprintf(stderr,
                     "artel: %s: %llu broadcasts through shared memory among %zu of %zu ranks\n",
                     names.nodename, static_cast<unsigned long long>(broadcasts_),
                     party_.members.size(), ranks_);
    }
    channel_.reset();
    discount_memory(counted_);
    // A rank that died may hold a word that others wait for.
    const bool broken = broken_ || has_lost_somebody();
    if (usable_ && !broken && counted_ != 0 && counted_ <= limit_of(party_.chosen) / 16 &&
        party_.chosen.protocol == protocol_kind::lines) {
        cached_segment kept;
        const shm::ticket& t = memory_.own_ticket();
        kept.name = {{t.token[0], t.token[1]},
                     cache_digest(),
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

shm::status site::broadcast(const artel_message& m, unsigned number, bool complete) noexcept
{
    if (channel_ == nullptr) {
        return shm::status::ok;
    }
    // Whoever expects another number of bytes than come is told. In the paper's protocol nobody
    // says how many will come.
    std::byte instead[2] = {};
    const artel_message other{instead, m.bytes == 1 ? 2U : 1U, nullptr, nullptr};
    const bool tell = !complete && party_.rank == number &&
                      party_.chosen.protocol == protocol_kind::lines;
    ++broadcasts_;
    const shm::status s = channel_->broadcast(tell ? other : m, number);
    lost_somebody_ = lost_somebody_ || s == shm::status::peer_died;
    broken_ = broken_ || s == shm::status::failed;
    return s;
}

// A digest of what two communicators must have in common for one to reuse the other's segment. With
// several nodes more of a segment is reserved.
std::uint64_t site::cache_digest() const
{
    return digest_of(party_.chosen) * 2 + (nodes() > 1 ? 1 : 0);
}

void site::describe()
{
    const settings& s = party_.chosen;
    story_ = std::to_string(ranks_) + " ranks on " + std::to_string(nodes()) +
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
