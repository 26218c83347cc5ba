// The graph of dependences as libomp shows it to debuggers and its tests: a task's node, and a list
// of its successors. The list is made on demand, and lives as long as the node.
#include "task.hpp"

#include "fiber/call_out.hpp"

namespace artel::openmp::kmp {

ARTEL_KMP shown_node* __kmpc_task_get_depnode(task* t)
{
    depend_node* const node = ours(*t).node;
    return node != nullptr ? &node->shown : nullptr;
}

ARTEL_KMP shown_edge* __kmpc_task_get_successors(task* t)
{
    depend_node* const node = ours(*t).node;
    if (node == nullptr) {
        return nullptr;
    }
    const fiber::call_out_lock hold(node->lock);
    if (node->successors.empty()) {
        return nullptr;
    }
    node->shown_edges = std::make_unique<shown_edge[]>(node->successors.size());
    shown_edge* next = nullptr;
    for (std::size_t i = node->successors.size(); i-- > 0;) {
        node->shown_edges[i] = {&node->successors[i]->shown, next};
        next = &node->shown_edges[i];
    }
    return node->shown.successors = next;
}

}  // namespace artel::openmp::kmp
