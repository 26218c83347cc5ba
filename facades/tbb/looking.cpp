// Where a thread looks for tasks that it may run.
#include "arena.hpp"

namespace artel::onetbb {

task* thread::own_task() noexcept
{
    for (;;) {
        task* t = in->critical.empty() || now->critical ? nullptr
                                                        : in->critical.get(now->isolation);
        if (t != nullptr) {
            return t;
        }
        t = at->pool.pop(now->isolation);
        if (t != nullptr && (t->traits & is_proxy) != 0) {
            t = static_cast<proxy*>(t)->take(*memory);
            if (t == nullptr) {
                continue;
            }
        }
        now->original_slot = static_cast<abi::d1::slot_id>(index);
        return t;
    }
}

task* thread::others_task(bool closely) noexcept
{
    while (proxy* const p = at->mail.get(now->isolation)) {
        if (task* const t = p->take(*memory); t != nullptr) {
            now->original_slot = abi::d1::any_slot;
            return t;
        }
    }
    if (task* const t = in->submitted.get(now->isolation); t != nullptr) {
        return t;
    }
    if (now->isolation == 0 && now->takes_enqueued) {
        if (task* const t = in->enqueued.get(0); t != nullptr) {
            return t;
        }
    }
    return in->steal_for(*this, closely);
}

task* arena::steal_for(thread& me, bool closely) noexcept
{
    // relaxed: a slot that is missed here is found at the check after the fence.
    const unsigned n = used_.load(std::memory_order_relaxed);
    if (n <= 1 && me.in == this) {
        return nullptr;
    }
    const std::intptr_t isolation = me.now->isolation;
    unsigned i = static_cast<unsigned>(me.next_random() % n);
    for (unsigned k = 0; k < n; ++k, i = i + 1 == n ? 0 : i + 1) {
        slot& s = slot_[i];
        if (&s == me.at) {
            continue;
        }
        const auto wanted = [this, &me](const task& candidate) {
            // Checked once more when the task is found: a task that the program spawns after it has
            // lowered the limit is not for a worker that has to leave because of that limit.
            if (me.serves && !me.stands_in && me.now->outermost && too_many_workers()) {
                return false;
            }
            // A task for a slot whose occupant searches is left to it.
            return (candidate.traits & is_proxy) == 0 || candidate.slots == me.index ||
                   // relaxed: a hint.
                   !slot_[candidate.slots].looks.load(std::memory_order_relaxed);
        };
        while (task* t = s.pool.steal(isolation, wanted, closely)) {
            if ((t->traits & is_proxy) != 0) {
                t = static_cast<proxy*>(t)->take(*me.memory);
            }
            if (t != nullptr) {
                me.now->original_slot = static_cast<abi::d1::slot_id>(i);
                return t;
            }
        }
    }
    return nullptr;
}

}  // namespace artel::onetbb
