// Creation, distribution and end of the tasks of the thesis's way.
#include "loop/tree_run.hpp"
#include "sched/push.hpp"

#include <algorithm>
#include <artel/detail/block.hpp>
#include <new>

namespace artel::loop {

tree_task* tree::make(tree_task& parent, unit_range units, unsigned first, unsigned last) noexcept
{
    void* memory = nullptr;
    try {
        memory = detail::allocate_block(sizeof(tree_task));
    } catch (const std::bad_alloc&) {
        return nullptr;  // the caller runs it alone
    }
    tree_task* const made = new (memory) tree_task;
    made->run = run_node;
    made->of = this;
    made->parent = &parent;
    made->units = units;
    made->first = first;
    made->last = last;
    parent.references.fetch_add(1, std::memory_order_relaxed);  // relaxed: we hold one already
    return made;
}

void tree::drop(tree_task* n) noexcept
{
    // release: what was done comes before the end that others see; acquire: the last one passes on
    // all of it.
    while (n->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        tree_task* const parent = n->parent;
        if (parent == nullptr) {
            n->of->done_.set();  // the caller may return now, and everything here be gone
            return;
        }
        n->~tree_task();
        detail::free_block(n, sizeof(tree_task));
        n = parent;
    }
}

void tree::open_proxy(void* carrier, base::work& self)
{
    auto& l = static_cast<task_proxy<tree_task>&>(self);
    tree_task* const n = l.take();
    l.drop();
    if (n != nullptr) {
        n->of->execute(*n, *static_cast<sched::worker*>(carrier));
    }
}

void tree::distribute(tree_task& n, unsigned number) noexcept
{
    unsigned first = n.first + 1;
    unsigned groups = std::min(how_.fan_out, n.last - first);
    for (; groups > 0; --groups) {
        const unsigned last = first + (n.last - first + groups - 1) / groups;
        tree_task* const child = make(
            n, {d_.equal_share(first).first, d_.equal_share(last - 1).last}, first, last);
        if (child == nullptr) {
            d_.run_apart({d_.equal_share(first).first, d_.equal_share(n.last - 1).last},
                         number);  // no memory: the undistributed rest is run here
            break;
        }
        send(*child);
        first = last;
    }
    n.units = d_.equal_share(n.first);
    n.last = n.first + 1;
}

void tree::send(tree_task& n) noexcept
{
    sched::worker& here = *sched::this_worker();
    sched::worker* to = nullptr;
    if (d_.asked().nodes.restricts()) {
        to = d_.asked().nodes.pick(home_);
    } else {
        // Share 0 is the caller's, the others follow in the order of slots.
        const unsigned slot = (caller_slot_ + n.first) % d_.slots();
        to = slot > 0 ? home_.own_worker(slot - 1) : home_.in_seat(0);
        // relaxed: a guess.
        if (to != nullptr && to->kind == sched::role::guest &&
            !to->taking_part.load(std::memory_order_relaxed)) {
            to = sched::any_own_worker(home_);
        }
    }
    // relaxed: see there.
    if (to == nullptr || to == &here || !to->had_thread.load(std::memory_order_relaxed)) {
        sched::push(here, n);  // also when the system gave that worker no thread
    } else {
        send(n, *to);
    }
}

void tree::send(tree_task& n, sched::worker& to) noexcept
{
    task_proxy<tree_task>* const l = task_proxy<tree_task>::make(n, open_proxy);
    if (l == nullptr) {
        sched::push(*sched::this_worker(), n);
        return;
    }
    sent_.add(*l);
    sched::post(to, *l, *l);
}

// Called while holding a task, which keeps the tree alive.
tree_task* tree::take_back() noexcept
{
    // pairs with the one in let_take_back(): what we have sent is seen there, or the flag here.
    base::full_fence();
    // relaxed: ordered by the fence.
    return taking_back_.load(std::memory_order_relaxed) ? sent_.take_back() : nullptr;
}

}  // namespace artel::loop
