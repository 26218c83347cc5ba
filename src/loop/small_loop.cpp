// A thief runs the same function as the caller: it claims an iteration and pushes what is left for
// the next thief. So thieves form a chain, in which each waits for the next.
#include "loop/small_loop.hpp"

#include "base/thread_end.hpp"
#include "sched/crew.hpp"
#include "sched/latch.hpp"
#include "sched/push.hpp"

#include <atomic>
#include <exception>

namespace artel::loop {
namespace {

// In the frame of run_small_loop, which outlives all threads that run iterations: each task taken
// is awaited by the thread that pushed it.
struct small_loop {
    std::int64_t begin;
    range_body body;
    void* context;
    range_word left;                  // iterations that nobody has started, counted from `begin`
    std::atomic<bool> taken{false};   // whether another worker came
    std::atomic<bool> failed{false};  // selects the thread that writes the error
    std::exception_ptr error;         // the latches publish it to the caller
};

// Stealable: continues with the iterations that are left; if it was taken, the thread that pushed
// it waits for it.
struct remaining_iterations : base::work {
    explicit remaining_iterations(small_loop& loop) noexcept : base::work{nullptr, go_on}, of(loop)
    {}
    static void go_on(void* carrier, base::work& self);
    small_loop& of;
    sched::latch done;
};

// Runs iterations until none is left or the body throws, and waits for the thread that took the
// rest.
void run_iterations(small_loop& loop, sched::worker& here) noexcept
{
    unit_range next = loop.left.claim(1);
    if (next.empty()) {
        return;
    }
    remaining_iterations others(loop);
    const bool shown = !loop.left.look().empty();
    if (shown) {
        sched::push(here, others);
    }
    try {
        do {
            const std::int64_t at = loop.begin + next.first;
            loop.body(loop.context, at, at + 1, next.first);
            next = loop.left.claim(1);
        } while (!next.empty());
    } catch (...) {
        std::exception_ptr error = base::caught();
        if (!loop.failed.exchange(true, std::memory_order_relaxed)) {  // relaxed: see `error`
            loop.error = std::move(error);
        }
        loop.left.claim(~0u);
    }
    // The body may have moved us to another worker; then the task was taken, or will be, from the
    // deque where it lies.
    if (shown && !sched::take_back(*sched::this_worker(), others)) {
        // relaxed: the latches publish it to the caller.
        loop.taken.store(true, std::memory_order_relaxed);
        others.done.wait();
    }
}

void remaining_iterations::go_on(void* carrier, base::work& self)
{
    auto& task = static_cast<remaining_iterations&>(self);
    run_iterations(task.of, *static_cast<sched::worker*>(carrier));
    task.done.set();  // `task` may be gone now
}

}  // namespace

void run_small_loop(sched::worker& here, std::int64_t begin, std::int64_t end, range_body body,
                    void* context, site& memory)
{
    small_loop loop{begin, body, context, {}, {}, {}, {}};
    loop.left.put({0, static_cast<std::uint32_t>(end - begin)});
    run_iterations(loop, here);
    memory.note_shared(loop.taken.load(std::memory_order_relaxed));  // relaxed: as above
    if (loop.error != nullptr) {
        std::rethrow_exception(std::move(loop.error));
    }
}

}  // namespace artel::loop
