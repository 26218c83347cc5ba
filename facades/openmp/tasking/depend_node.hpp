// The node of a task with a depend clause: what it waits for, and what waits for it
// (task_depend.hpp).
#pragma once

#include "base/spinlock.hpp"

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <memory>

namespace artel::openmp {

struct task;

// A node as libomp shows it to callers of its task graph functions (abi/kmp/task_graph.cpp).
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

    task* const what;  // nullptr: the node lies on the stack of a thread that waits in place
    std::atomic<unsigned> references{1};
    // predecessors that have not ended, plus 1 while they are being found.
    std::atomic<unsigned> missing{1};
    base::spinlock lock;             // guards what follows
    std::atomic<bool> ended{false};  // changes under the lock
    boost::container::small_vector<depend_node*, 2> successors;
    shown_node shown;
    std::unique_ptr<shown_edge[]> shown_edges;
};

// One less reference; the last one frees the node. nullptr is ignored.
inline void drop_node(depend_node* node) noexcept
{
    // acq_rel: the last one frees the node after all uses by others.
    if (node != nullptr && node->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete node;
    }
}

// One more reference.
inline depend_node* keep_node(depend_node& node) noexcept
{
    // relaxed: the caller holds a reference meanwhile.
    node.references.fetch_add(1, std::memory_order_relaxed);
    return &node;
}

// Makes `later` wait for `earlier`, unless that has ended. Called by the thread that runs their
// parent. Throws std::bad_alloc.
void order_nodes(depend_node* earlier, depend_node& later);

inline bool has_ended(const depend_node* node) noexcept
{
    return node->ended.load(std::memory_order_acquire);  // acquire: as in order_nodes()
}

}  // namespace artel::openmp
