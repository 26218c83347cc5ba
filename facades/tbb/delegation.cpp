// The function becomes a task of the arena; meanwhile its caller waits for a slot that becomes
// free, and may then run it there itself.
#include "delegation.hpp"

#include "arena_visit.hpp"
#include "base/thread_end.hpp"
#include "context.hpp"
#include "dispatch.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace artel::onetbb {
namespace {

using abi::d1::delegate_base;

// A function that a thread in the arena runs for a thread that found no slot.
class delegated final : public task {
public:
    explicit delegated(delegate_base& f) noexcept : f_(f) {}
    task* execute(abi::d1::execution_data& d) override
    {
        // The function runs as if outside of all tasks.
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

    // The task may be destroyed afterwards.
    void wait_for_end() noexcept
    {
        // acquire: pairs with finish(). The waker needs only a moment until its last access.
        while (!over_.load(std::memory_order_acquire)) {
            base::cpu_relax();
        }
    }

private:
    void finish() noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(&until);
        // seq_cst: pairs with done(), and is the fence before the wait list is read.
        until.references.exchange(0, std::memory_order_seq_cst);
        wake_at(address, ~0U, [](const wait_node&) { return true; });
        over_.store(true, std::memory_order_release);  // release: pairs with wait_for_end()
    }

    delegate_base& f_;
    std::atomic<bool> over_{false};
};

// A thread that waits for a slot looks now and then whether arenas need help. Together the threads
// look after such a pause at first, and after the last one when nobody has needed help for long, as
// each multiplies it by their number. A thread whose help was needed looks again after the first.
// All in nanoseconds.
constexpr std::int64_t first_pause = 20'000'000;
constexpr std::int64_t last_pause = 320'000'000;
constexpr std::int64_t longest_sleep = 4'000'000'000;

// Counts the caller among the threads that wait for a slot, from the first time that it has to.
class queue_place {
public:
    queue_place() = default;
    queue_place(const queue_place&) = delete;
    queue_place& operator=(const queue_place&) = delete;
    ~queue_place() { end(); }
    void sleep(sleeper& self) noexcept
    {
        if (!std::exchange(counted_, true)) {
            arena::begin_queueing();
        }
        std::int64_t time = first_pause;
        if (arena::help_refused()) {
            pause_ = first_pause;
        } else {
            time = std::min(pause_ * arena::queueing(), longest_sleep);
        }
        if (!self.sleep_for(time)) {
            pause_ = std::min(2 * pause_, last_pause);
        }
    }
    void end() noexcept
    {
        if (std::exchange(counted_, false)) {
            arena::end_queueing();
        }
    }

private:
    bool counted_ = false;
    std::int64_t pause_ = first_pause;
};

// Takes a free slot of the arena, in which this thread may run the function itself. False without
// one, or when an observer throws at the entry; `refused` is then its exception.
bool help_inside(thread& me, arena& a, const abi::d1::wait_context& until, queue_place& place,
                 std::exception_ptr& refused) noexcept
{
    try {
        // Observers may wait for others, but not for a slot.
        const visit inside(me, a, [&place] { place.end(); });
        if (inside) {
            work(me, nullptr, &until);
            return true;
        }
    } catch (...) {
        refused = base::caught();
    }
    return false;
}

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
    queue_place place;
    std::exception_ptr refused;  // an observer's exception: this thread does not enter the arena
    while (!work_there.until.done()) {
        if (refused == nullptr && help_inside(me, a, work_there.until, place, refused)) {
            break;
        }
        sleeper self;
        const auto address = reinterpret_cast<std::uintptr_t>(&work_there.until);
        const wait_scope by_end(waiters_at(address), self, address, 0);
        const wait_scope by_slot(a.entrance(), self, 0, 0);
        // pairs with the fences in finish() and in arena::leave.
        base::full_fence();
        if (!work_there.until.done() && (refused != nullptr || !a.slot_free())) {
            place.sleep(self);
        }
    }
    place.end();
    work_there.wait_for_end();
    struct end {
        task_group_context& c;
        ~end() { abi::r1::destroy(c); }
    } const at_end{c};
    if (refused != nullptr) {
        std::rethrow_exception(refused);
    }
    throw_if_kept(c);
}

}  // namespace artel::onetbb
