#include "loop/few.hpp"

#include "sched/guest_scope.hpp"
#include "sched/latch.hpp"

#include <atomic>
#include <exception>

namespace artel::loop {
namespace {

// In the frame of run_few, which outlives all who take turns: each of them is waited for by the one whose task it took.
struct few {
    std::int64_t begin;
    range_body body;
    void* context;
    range_word left;                 // iterations that nobody has begun, counted from `begin`
    std::atomic<bool> taken{false};  // whether anybody but the caller came
};

// Stealable: goes on with the iterations that are left, and is waited for by who pushed it if somebody has taken it.
struct rest : base::work {
    explicit rest(few& loop) noexcept : base::work{nullptr, go_on}, of(loop) {}
    static void go_on(void* carrier, base::work& self);
    few& of;
    std::exception_ptr error;  // written before `done` is set
    sched::latch done;
};

// Runs iterations until none is left or the body throws. Returns what it, or somebody who was waited for, has thrown.
std::exception_ptr take_turns(few& loop, sched::worker& here) noexcept
{
    unit_range turn = loop.left.claim(1);
    if (turn.empty()) {
        return nullptr;
    }
    rest others(loop);
    const bool shown = !loop.left.look().empty();
    if (shown) {
        sched::push(here, others);
    }
    std::exception_ptr error;
    try {
        do {
            const std::int64_t at = loop.begin + turn.first;
            loop.body(loop.context, at, at + 1, turn.first);
            turn = loop.left.claim(1);
        } while (!turn.empty());
    } catch (...) {
        error = std::current_exception();
        loop.left.claim(~0u);
    }
    // The body may have brought us to another worker; then somebody has the task, or will take it from the deque where it lies.
    if (shown && !sched::take_back(*sched::this_worker(), others)) {
        loop.taken.store(true, std::memory_order_relaxed);  // relaxed: the latches publish it to the caller
        others.done.wait();
        if (error == nullptr) {
            error = std::move(others.error);
        }
    }
    return error;
}

void rest::go_on(void* carrier, base::work& self)
{
    auto& task = static_cast<rest&>(self);
    task.error = take_turns(task.of, *static_cast<sched::worker*>(carrier));
    task.done.set();  // `task` may be gone now
}

}  // namespace

bool run_few(std::int64_t begin, std::int64_t end, range_body body, void* context, site& place)
{
    std::exception_ptr error;
    {
        bool outermost = false;
        sched::worker* const here = sched::enter_scope(outermost);
        if (here == nullptr) {
            return false;
        }
        few loop{begin, body, context, {}, {}};
        loop.left.put({0, static_cast<std::uint32_t>(end - begin)});
        error = take_turns(loop, *here);
        place.note_shared(loop.taken.load(std::memory_order_relaxed));  // relaxed: as above
        if (outermost) {
            sched::leave_scope();
        }
    }
    if (error != nullptr) {
        std::rethrow_exception(error);
    }
    return true;
}

}  // namespace artel::loop
