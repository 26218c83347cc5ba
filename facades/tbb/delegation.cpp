#include "delegation.hpp"

#include "arena_visit.hpp"
#include "context.hpp"
#include "dispatch.hpp"

namespace artel::onetbb {
namespace {

using abi::d1::delegate_base;

// A function that a thread of the arena runs for one that finds no slot there.
class delegated final : public task {
public:
    explicit delegated(delegate_base& f) noexcept : f_(f) {}
    task* execute(abi::d1::execution_data& d) override
    {
        // As if it were not in a task.
        auto& data = static_cast<execution&>(d);
        execution outside;
        outside.me = data.me;
        outside.original_slot = data.original_slot;
        data.me->now = &outside;
        f_();
        data.me->now = &data;
        finish();
        return nullptr;
    }
    task* cancel(abi::d1::execution_data&) override
    {
        finish();
        return nullptr;
    }
    // Zero when it is done.
    abi::d1::wait_context until{1, 1};

    // The task is gone soon after.
    void wait_for_end() noexcept
    {
        // acquire: pairs with finish(). The waker is a moment from its last use.
        while (!over_.load(std::memory_order_acquire)) {
            base::cpu_relax();
        }
    }

private:
    void finish() noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(&until);
        // seq_cst: pairs with done(); and it is the fence before the look for who waits.
        until.references.exchange(0, std::memory_order_seq_cst);
        wake_at(address, ~0U, [](const bunk&) { return true; });
        over_.store(true, std::memory_order_release);  // release: pairs with wait_for_end()
    }

    delegate_base& f_;
    std::atomic<bool> over_{false};
};

}  // namespace

void execute_from_outside(thread& me, arena& a, delegate_base& f)
{
    delegated work_there(f);
    task_group_context c;
    c.traits = 0;
    abi::r1::initialize(c);
    bind_slowly(c, nullptr, a.fp_settings());
    prepare(me, work_there, c);
    work_there.isolation = 0;
    a.enqueue(work_there);
    while (!work_there.until.done()) {
        if (const visit inside(me, a); inside) {
            // As one of the arena's threads, so that it may be this one which runs it.
            work(me, nullptr, &work_there.until);
            break;
        }
        sleeper self;
        const auto address = reinterpret_cast<std::uintptr_t>(&work_there.until);
        const stay by_end(waiters_at(address), self, address, 0);
        const stay by_slot(a.entrance(), self, 0, 0);
        // pairs with the fences in finish() and in arena::leave.
        base::full_fence();
        if (!work_there.until.done() && !a.slot_free()) {
            self.sleep();
        }
    }
    work_there.wait_for_end();
    struct end {
        task_group_context& c;
        ~end() { abi::r1::destroy(c); }
    } const at_end{c};
    throw_if_kept(c);
}

}  // namespace artel::onetbb
