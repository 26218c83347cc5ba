// Adds a task to its parent's table, item after item; the end of a node, which makes successors
// ready; and the end of the table, with the parent.
#include "task_depend.hpp"

#include "base/log.hpp"
#include "depend_table.hpp"
#include "team/task.hpp"

#include <iterator>
#include <new>
#include <utility>

namespace artel::openmp {

void depend_list::add(dependence d) noexcept
{
    try {
        if (many_.empty() && count_ < std::size(few_)) {
            few_[count_++] = d;
            return;
        }
        if (many_.empty()) {
            many_.assign(few_, few_ + count_);
        }
        many_.push_back(d);
    } catch (const std::bad_alloc&) {
        base::fatal("libgomp: Out of memory allocating dependences");
    }
}

bool add_dependences(task& parent, task& made, std::span<const dependence> clause)
{
    if (parent.dependences == nullptr) {
        parent.dependences = new depend_table;
    }
    depend_table& table = *parent.dependences;
    if (table.uses.size() >= table.sweep_at) {
        table.sweep();
    }
    auto* const node = new depend_node(&made);
    made.node = node;
    for (const dependence& d : clause) {
        table.meet(d, *node);
    }
    // acq_rel: what predecessors that have ended meanwhile did happens before the task.
    return node->missing.fetch_sub(1, std::memory_order_acq_rel) != 1;
}

bool find_predecessors(task& parent, depend_node& waiter, std::span<const dependence> clause)
{
    if (parent.dependences == nullptr) {
        waiter.missing.store(0, std::memory_order_relaxed);  // relaxed: nobody else knows the node
        return false;
    }
    for (const dependence& d : clause) {
        parent.dependences->find(d, waiter);
    }
    // acq_rel: as in add_dependences.
    return waiter.missing.fetch_sub(1, std::memory_order_acq_rel) != 1;
}

bool end_node(depend_node* node, ready_tasks& ready)
{
    node->lock.lock();
    node->ended.store(true, std::memory_order_release);  // release: pairs with order_nodes()
    const auto successors = std::move(node->successors);
    node->lock.unlock();
    bool waiters = false;
    for (depend_node* s : successors) {
        task* const of = s->what;  // the node may be gone after the subtraction
        // acq_rel: what we and other predecessors did happens before the successor.
        if (s->missing.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            if (of != nullptr) {
                ready.push_back(of);
            } else {
                waiters = true;
            }
        }
    }
    drop_node(node);
    return waiters;
}

implicit_task::~implicit_task()
{
    drop_table(*this);
}

void drop_table(task& owner) noexcept
{
    delete owner.dependences;
    owner.dependences = nullptr;
}

}  // namespace artel::openmp
