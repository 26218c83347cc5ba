// Dependences between sibling tasks (depend clause, OpenMP 5.1 2.19.11). A task with a depend
// clause has a node, which counts its unfinished predecessors and lists its successors. The parent
// has a table from addresses to the nodes that used them last. Only the thread that runs the parent
// touches the table, since only the parent creates its children; so the table needs no lock. Two
// threads meet only at a node: when one ends it while the other registers a successor.
//
// A node has references: one of its task until that has ended, and one for each entry of the table
// that names it. Lists of successors hold none: a task that waits for another cannot have ended.
//
// mutexinoutset is treated as inout, as in libgomp: tasks that exclude each other run in the order
// of their creation. A limit of this: where one of them waits, by another dependence, for what a
// later one does, both wait for ever, which the standard does not allow. Rejected: locks taken in
// address order when such a task is about to run: faster where the first created becomes ready
// last, but all tasks pay for a second state between "ready" and "running".
#pragma once

#include "depend_node.hpp"
#include "team/dependence.hpp"

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace artel::openmp {

struct task;

// The items of a depend clause, as the ABI files parse it. Ends the program when there is no
// memory.
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
    std::vector<dependence> many_;  // all items, when there are more than fit in few_
};

// Finds the predecessors of the child `made` of `parent` and enters it into the table. `clause` may
// name an address more than once, also with several kinds. True: `made` has to wait, and the thread
// that ends its last predecessor gets it from end_node; false: it can run. Called by the parent's
// thread. Throws std::bad_alloc.
bool add_dependences(task& parent, task& made, std::span<const dependence> clause);

// The same for a wait in place, until waiter.missing is 0. Nothing is entered into the table, as no
// sibling can be made meanwhile. True when there is something to wait for.
bool find_predecessors(task& parent, depend_node& waiter, std::span<const dependence> clause);

// Ends a task's node: appends the tasks that can run now to `ready`, and returns whether a wait in
// place can end.
using ready_tasks = boost::container::small_vector<task*, 8>;
bool end_node(depend_node* node, ready_tasks& ready);

// Frees the table of dependences of `owner`, whose children have all ended.
void drop_table(task& owner) noexcept;

}  // namespace artel::openmp
