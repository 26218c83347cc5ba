// Dependences between sibling tasks (depend clause, OpenMP 5.1 2.19.11). A task with a depend
// clause has a node; the node knows how many predecessors have not ended and which nodes wait for
// it. The parent keeps a table from addresses to the nodes that used them last. Only the parent's
// own thread of execution touches its table, since only it creates its children; so the table needs
// no lock, and the only thing that two threads meet at is one node: its end against the
// registration of a successor.
//
// A node is counted: by its task until that has ended, and by every place in the table that names
// it. Successors are not counted: who waits for somebody else cannot have ended.
//
// mutexinoutset is taken as inout: tasks that exclude each other run in the order of their
// creation, which the standard allows. Rejected: locks taken in address order when such a task is
// about to run; it wins where the first created would be ready last, and costs a second state
// between "ready" and "running" for all.
#pragma once

#include "base/spinlock.hpp"
#include "team/dependence.hpp"

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace artel::openmp {

struct task;
class depend_table;

// A clause as the facade's ABI files take it apart. Ends the program when there is no memory.
class depend_list {
public:
    void add(dependence d) noexcept;
    operator std::span<const dependence>() const noexcept
    {
        return many_.empty() ? std::span(few_, count_) : std::span<const dependence>(many_);
    }

private:
    dependence few_[8];
    std::size_t count_ = 0;
    std::vector<dependence> many_;  // all of them, when there are more than fit above
};

// A node as libomp shows it to those who ask (abi/kmp/task_graph.cpp).
struct shown_edge;
struct shown_node {
    shown_edge* successors = nullptr;
};
struct shown_edge {
    shown_node* node;
    shown_edge* next;
};

struct depend_node {
    explicit depend_node(task* of) noexcept : what(of) {}
    depend_node(const depend_node&) = delete;
    depend_node& operator=(const depend_node&) = delete;

    task* const what;  // nullptr: somebody waits in place, on whose stack the node lies
    std::atomic<unsigned> references{1};
    // predecessors that have not ended, plus 1 while they are being found.
    std::atomic<unsigned> missing{1};
    base::spinlock lock;             // over those below
    std::atomic<bool> ended{false};  // changes under the lock
    boost::container::small_vector<depend_node*, 2> successors;
    shown_node shown;
    std::unique_ptr<shown_edge[]> shown_edges;
};

// Finds the predecessors of the child `made` of `parent` and enters it into the table. `clause`
// names writers first. True: `made` has to wait, and whoever ends its last predecessor gets it from
// end_node; false: it can run. Called by the parent's thread. Throws std::bad_alloc.
bool add_dependences(task& parent, task& made, std::span<const dependence> clause);

// The same for somebody who waits in place: `waiter` waits until missing is 0. Nothing is entered
// into the table, as no sibling can be made meanwhile. True when it has to wait.
bool find_predecessors(task& parent, depend_node& waiter, std::span<const dependence> clause);

// A task with a node has ended: appends the tasks that can run now to `ready`, and returns whether
// somebody who waits in place can go on.
using ready_tasks = boost::container::small_vector<task*, 8>;
bool end_node(depend_node* node, ready_tasks& ready);

// All children of the table's owner have ended.
void drop_table(task& owner) noexcept;

}  // namespace artel::openmp
