// Links two nodes under the earlier one's lock; the count of the later one's predecessors is raised
// before the earlier can see it, so it cannot fall to zero too soon.
#include "depend_node.hpp"

#include "fiber/call_out.hpp"
#include "ompt/events/explicit_task.hpp"

namespace artel::openmp {

void order_nodes(depend_node* earlier, depend_node& later)
{
    // acquire: pairs with the release in end_node: what the earlier task did happens before the
    // later one.
    if (earlier == nullptr || earlier == &later || earlier->ended.load(std::memory_order_acquire)) {
        return;
    }
    earlier->lock.lock();
    // Only the parent's thread adds successors, so one that is there already is the last one.
    // relaxed: under the lock.
    if (!earlier->ended.load(std::memory_order_relaxed) &&
        (earlier->successors.empty() || earlier->successors.back() != &later)) {
        // relaxed: the lock orders it before the subtraction by `earlier`.
        later.missing.fetch_add(1, std::memory_order_relaxed);
        const fiber::call_out guard;
        try {
            earlier->successors.push_back(&later);
            if (ompt::listens() && earlier->what != nullptr && later.what != nullptr) [[unlikely]] {
                ompt::tell_dependence(*earlier->what, *later.what);
            }
        } catch (...) {
            earlier->lock.unlock();
            throw;
        }
    }
    earlier->lock.unlock();
}

}  // namespace artel::openmp
