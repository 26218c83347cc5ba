// A run of the thesis's way (tree.hpp): its tasks, which are also the nodes of the completion tree,
// and their shared state. Distribution is in tree_distribution.cpp, the rest in tree.cpp.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"
#include "loop/deferred_tasks.hpp"
#include "loop/descriptor.hpp"
#include "loop/profile.hpp"
#include "loop/recruit.hpp"
#include "loop/task_proxy.hpp"
#include "sched/crew.hpp"
#include "sched/latch.hpp"
#include "sched/push.hpp"

#include <atomic>

namespace artel::loop {

class tree;

// A task, and a node of the completion tree.
struct tree_task : base::work {
    tree* of = nullptr;
    // nullptr: the root, which lies in the caller's frame.
    tree_task* parent = nullptr;
    std::atomic<std::uint32_t> references{1};  // itself, and those it has made
    unit_range units;
    // workers [first, last), as numbers of shares; a task made for thieves has only its maker's.
    unsigned first = 0;
    unsigned last = 0;
};

// One run. It lies in the caller's frame, and is gone with the root's last reference.
class tree {
public:
    tree(descriptor& d, const sched::worker& caller, const distribution& how,
         bool measured_grain) noexcept
        : d_(d), home_(caller.own_crew), caller_slot_(home_slot(caller, d.slots())), how_(how),
          measured_grain_(measured_grain)
    {
        root_.of = this;
        root_.run = run_node;
        root_.units = {0, d.equal_share(d.slots() - 1).last};
        root_.last = d.slots();
    }

    // Runs the loop; the caller takes part if it may.
    void run(sched::worker& caller) noexcept;

private:
    static void run_node(void* carrier, base::work& self);
    static void open_proxy(void* carrier, base::work& self);
    void execute(tree_task& n, sched::worker& here) noexcept;
    void perform(tree_task& n, unsigned number) noexcept;
    void distribute(tree_task& n, unsigned number) noexcept;
    void send(tree_task& n) noexcept;
    void send(tree_task& n, sched::worker& to) noexcept;
    tree_task* take_back() noexcept;
    std::uint32_t run_for_timespan(unit_range& units, unsigned number) noexcept;
    bool time_has_passed() const noexcept;
    void let_take_back() noexcept;
    void help() noexcept;
    tree_task* make(tree_task& parent, unit_range units, unsigned first, unsigned last) noexcept;
    static void drop(tree_task* n) noexcept;
    unsigned take_number(const sched::worker& here) noexcept;

    descriptor& d_;
    sched::crew& home_;
    const unsigned caller_slot_;
    const distribution how_;
    const bool measured_grain_;
    tree_task root_;
    sched::latch done_;
    const std::uint64_t start_ = base::cycles();
    // Tasks that were sent to named workers, and whether participants without other work take back
    // those that were not started.
    proxies_sent<tree_task> sent_;
    std::atomic<bool> taking_back_{false};
    deferred_tasks<tree_task> deferred_;  // tasks that found no number
};

}  // namespace artel::loop
