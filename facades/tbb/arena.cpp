// Creation and end of arenas. An arena is deleted with its last reference, unless it has tasks that
// nobody waits for.
#include "arena.hpp"

#include "context.hpp"

#include <algorithm>

namespace artel::onetbb {
namespace {

unsigned slots_for(const arena_shape& s) noexcept
{
    // Enqueued tasks need a slot beside that of the thread that enqueued them, since it does not
    // wait.
    const auto n = static_cast<unsigned>(std::max(s.max_concurrency, 1));
    return (s.reserved == 0 ? n : std::max(n, 2U)) + s.spare;
}

unsigned workers_for(const arena_shape& s) noexcept
{
    const auto n = static_cast<unsigned>(std::max(s.max_concurrency, 1));
    return n - std::min(n, s.reserved) + s.spare;
}

}  // namespace

arena::arena(const arena_shape& shape)
    : shape_(shape), slots_(slots_for(shape)), max_workers_(workers_for(shape)),
      most_workers_(std::max(max_workers_, 1U)), fp_settings_(read_fp_settings()),
      slot_(new slot[slots_])
{
    ticket_.run = take_ticket;
    ticket_.of = this;
    // With the floating-point settings of the thread that makes the arena.
    context_.traits = task_group_context::has_fp_settings;
    abi::r1::initialize(context_);
}

arena::~arena()
{
    for (unsigned i = 0; i < slots_; ++i) {
        // Proxies of tasks that ran elsewhere, in slots that have not been used since.
        while (proxy* const p = slot_[i].mail.get(0)) {
            p->end_in_mail();
        }
    }
    abi::r1::destroy(context_);
}

arena& arena::make(const arena_shape& shape)
{
    auto* const a = new arena(shape);
    a->enlist();
    return *a;
}

void arena::refer() noexcept
{
    references_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller has one
}

void arena::drop() noexcept
{
    // acq_rel: the last one frees what the others wrote.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
    }
    if (visible()) {
        // relaxed, both: nobody else has a reference before the second store. After it, a thread
        // that looks for arenas that want workers may take one, and those workers may run the tasks
        // and leave before we have requested one. So we hold a reference beside that of the tasks.
        left_behind_.store(true, std::memory_order_relaxed);
        references_.store(2, std::memory_order_relaxed);
        // pairs with the fence in one_worker_less(): either the worker sees that the arena is left
        // behind, or we see that the worker has left.
        base::full_fence();
        request_worker();
        end_if_left_behind();
        drop();
        return;
    }
    unlist();
    delete this;
}

void arena::end_if_left_behind() noexcept
{
    // relaxed, both: of the threads that see it, the exchange selects one.
    if (left_behind_.load(std::memory_order_relaxed) && !visible() &&
        left_behind_.exchange(false, std::memory_order_relaxed)) {
        drop();  // the caller has another reference
    }
}

bool arena::refer_if_alive() noexcept
{
    // relaxed, all: the compare-exchange decides; the arena is not read before it.
    unsigned n = references_.load(std::memory_order_relaxed);
    while (n != 0 && !references_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) {
    }
    return n != 0;
}

bool arena::leave_own(thread* me)
{
    if (me != nullptr && me->in == nullptr) {
        me->drop_own_arena();
    } else if (me != nullptr) {
        if (me->in != me->own_arena) {
            return false;
        }
        struct left {
            thread& me;
            ~left()
            {
                me.in->leave(me);
                me.drop_own_arena();
            }
        } const at_end{*me};
        me->in->observers.tell_exit(*me);
    }
    return true;
}

}  // namespace artel::onetbb
