// Sets a communicator up: finds the ranks that share a node, makes the segment of each node, and
// makes the ranks agree on the result.
//
// All ranks of the communicator call it together, at the same call of the same collective. They
// communicate by an allgather that the caller provides. Either all ranks get what they need, or all
// fall back to the MPI library, for the whole life of the communicator: every step that can fail is
// followed by an exchange of the outcomes. One rank then prints the reason, in one line, once per
// process.
#pragma once

#include "coll/channel.hpp"
#include "coll/exchange.hpp"
#include "coll/segment_cache.hpp"
#include "shm/identity.hpp"
#include "shm/memory.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace artel::coll {

// How ranks communicate during the set-up (setup_messages.hpp).
struct peer_description;
struct segment_offer;
struct setup_result;

struct bootstrap {
    int rank, size;
    void* context;
    // Gathers `own` (bytes_each) of every rank in `all`, in the order of ranks. 0, or an error.
    int (*allgather)(void* context, const void* own, void* all, int bytes_each);
    // Lets the MPI library make progress. May be called at any time by the thread that
    // communicates.
    int (*progress)(void* context);
};

// A communicator after its set-up.
class site {
public:
    // Collective. Never throws. The result is usable() in all ranks or in none.
    static std::unique_ptr<site> make(const bootstrap& b, const settings& own) noexcept;
    ~site();
    site(const site&) = delete;
    site& operator=(const site&) = delete;

    bool usable() const noexcept { return usable_; }
    // Describes what is used, or why nothing is.
    const std::string& story() const noexcept { return story_; }

    // Nodes are numbered by their lowest rank; `rank` counts in the communicator.
    unsigned nodes() const noexcept { return static_cast<unsigned>(lowest_.size()); }
    unsigned node_of(int rank) const noexcept { return node_of_[static_cast<std::size_t>(rank)]; }
    unsigned own_node() const noexcept { return own_node_; }
    // The rank's number among the ranks of its node; number 0 is its leader. Whether the ranks of a
    // node are consecutive in the communicator, so that the results of nodes may be combined in
    // their order.
    bool nodes_in_order() const noexcept
    {
        return std::is_sorted(node_of_.begin(), node_of_.end());
    }
    unsigned number_in_node(int rank) const noexcept
    {
        return number_[static_cast<std::size_t>(rank)];
    }

    // Among the ranks of this node; `number` is the root's. Waits. A node of one rank has nothing
    // to do. A root that has not got all of the message (`complete`) tells the others, whose result
    // is `truncated`.
    shm::status broadcast(const artel_message& m, unsigned number, bool complete = true) noexcept;
    // Whether this rank has found that another one of this node has died.
    bool has_lost_somebody() const noexcept
    {
        return lost_somebody_ || (exchange_ != nullptr && exchange_->has_lost_somebody());
    }

    // The other collectives, among the ranks of this node; nullptr on a node of one rank.
    exchange* all() const noexcept { return exchange_.get(); }
    // As exchange::prepare(); also for a node of one rank.
    shm::status prepare(std::uint64_t bytes, std::size_t element_bytes, bool& can) noexcept
    {
        can = exchange::fits(party_.chosen, bytes, element_bytes);
        return exchange_ == nullptr || !can ? shm::status::ok : exchange_->prepare(bytes, can);
    }

    // The trees that this rank's broadcasts take (ARTEL_MPI_TREE=auto); and a way to set others,
    // for measurements.
    const tree_table& trees() const noexcept { return party_.trees; }
    void use_trees(const tree_table& table) noexcept
    {
        if (channel_ != nullptr) {
            channel_->use_trees(table);
        }
    }

    // Logs this rank's steps from now on (channel::log_steps).
    void log_steps(step_log* log) noexcept
    {
        if (channel_ != nullptr) {
            channel_->log_steps(log);
        }
    }

    // Where the pages of this rank's area are (`artel mpi check`).
    shm::placement placed() const;
    const party& ranks_here() const noexcept { return party_; }
    // Rank 0's settings, the same in all ranks.
    const settings& chosen() const noexcept { return party_.chosen; }

private:
    site() = default;
    struct node_plan;
    // The segments that this rank has cached, taken out for the time of the set-up.
    struct cached_segments_holder {
        std::vector<cached_segment> all;
        // Puts back those that were not chosen, also after a set-up that failed. They go back in
        // the reverse order, so that the most recently used one is found first again.
        ~cached_segments_holder();
    };
    void find_nodes(const std::vector<peer_description>& peers, int rank);
    void settle_sizes(const std::vector<peer_description>& peers);
    std::string make_segment(const bootstrap& b, const std::vector<peer_description>& peers,
                             cached_segments_holder& cached);
    node_plan plan_node(const std::vector<peer_description>& peers);
    bool take_cached_segment(const std::vector<peer_description>& peers,
                             cached_segments_holder& cached);
    std::uint64_t cache_digest() const;
    segment_offer create_segment(const node_plan& plan, setup_result& mine);
    void attach_segment(const node_plan& plan, const shm::ticket& ticket);
    std::uint32_t reserve_own_parts(const node_plan& plan, int home);
    void clean_own_parts(const node_plan& plan);
    void use_segment(const node_plan& plan, const segment_offer& offered);
    void measure_segment(const node_plan& plan);
    void choose_trees();
    int home_of_pages(const peer_description& own) const;
    void settle_direct(std::uint64_t offered);
    void describe();
    static int alive(void* self);
    static int progress(void* self);
    static int reserve_pieces(void* self);

    bool usable_ = false;
    std::string story_;
    std::vector<unsigned> node_of_, number_;
    std::vector<int> lowest_;
    unsigned own_node_ = 0;
    party party_;
    shm::memory memory_;
    bool reused_ = false;         // the segment was another communicator's before
    bool broken_ = false;         // a copy failed
    bool lost_somebody_ = false;  // found by a broadcast
    int numa_ = -1;               // of this rank
    bool check_pages_ = false;
    bool cut_ = false;  // queues are smaller than set, for lack of memory
    std::size_t area_at_ = 0, area_bytes_ = 0;
    bool same_namespace_ = true;
    std::size_t ranks_ = 0;         // of the communicator
    std::uint64_t broadcasts_ = 0;  // that went through the channel
    std::uint64_t counted_ = 0;     // bytes of this segment in the process's sum
    // From which size on direct copies are used: chosen, or measured; 0: never.
    std::uint64_t direct_from_ = 0;
    bootstrap bootstrap_{};
    std::unique_ptr<shm::waiter> waiting_;
    std::unique_ptr<channel> channel_;
    std::unique_ptr<exchange> exchange_;
    std::size_t pieces_at_ = 0;  // of this rank, in the segment
};

}  // namespace artel::coll
