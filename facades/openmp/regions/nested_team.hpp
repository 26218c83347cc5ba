// A team for one region: nested teams, those of native light threads, and teams of one. Idle
// workers claim its members one by one. The master leaves a ticket in its worker's deque; a thief
// that takes the ticket puts it into its own deque while members are unclaimed, so the number of
// helpers doubles as long as there are idle workers. In a busy crew the master's worker runs all
// members itself, on one persona unless they wait for each other. The master keeps the object for
// its next nested region.
#pragma once

#include "foreign/persona_pool.hpp"
#include "team/team.hpp"
#include "waiting/wait_queue.hpp"

#include <atomic>
#include <memory>

namespace artel::openmp {

class nested_team : public team {
public:
    // For up to `capacity` members. Throws std::bad_alloc.
    explicit nested_team(unsigned capacity);

    unsigned capacity() const noexcept { return capacity_; }
    nested_team* next_spare = nullptr;  // in the list of the member that keeps it

    // Takes one of the spare teams of `m`, or a new one, for up to `size` members; throws
    // std::bad_alloc. keep_spare gives it back, after join().
    static nested_team* take_spare(member& m, unsigned size);
    static void keep_spare(member& m, nested_team* t) noexcept;

    // Called by the master: makes members 1 .. members-1 claimable.
    void start(unsigned members, const icv_set& icvs, region_function function,
               void* data) noexcept;

    // Called by the master after its own part: waits until all members have ended. Switches.
    void join() noexcept;

    // Whether no ticket or claim refers to the object, so that it may be reused or deleted. If not,
    // release() leaves the deletion to the last of them. acquire: pairs with drop().
    bool idle() const noexcept { return references_.load(std::memory_order_acquire) == 1; }
    void release() noexcept { drop(); }

private:
    void queue_ticket(sched::worker& w) noexcept;
    static void forget_ticket(sched::worker& w) noexcept;
    static void take_ticket(void* here, base::work& ticket);
    static void run_many(void* argument);
    static void run_last(void* argument);
    fiber::fiber& persona_for_ticket(sched::worker& here) noexcept;
    void run_rest_here(std::uint64_t left) noexcept;
    void run_members();
    bool run_one();
    void start_threads(unsigned n) noexcept;
    static void run_as_thread(void* argument);
    void drop() noexcept;

    struct ticket_work : base::work {
        nested_team* of = nullptr;
    };

    unsigned capacity_;
    unsigned configured_ = 0;  // the size for which barrier and ending are configured
    icv_set icvs_;
    base::os::signal_set blocked_ = 0;  // signals that the master blocked at the start
    region_function function_ = nullptr;
    void* data_ = nullptr;
    std::unique_ptr<member[]> storage_;
    foreign::assignment claim_{run_many, this};           // claims several members
    foreign::assignment claim_last_{run_last, this};      // claims the last member
    foreign::assignment as_thread_{run_as_thread, this};  // ARTEL_MEMBERS=threads
    ticket_work ticket_;
    // the master waits here; the word is the number of the last region that has ended
    wait_queue exit_;
    std::uint64_t region_ = 0;
    alignas(base::cache_line) std::atomic<unsigned> next_{1};  // first member not yet claimed
    // held by the master, by the ticket while it exists, and by each persona that claims members.
    std::atomic<unsigned> references_{1};
};

}  // namespace artel::openmp
