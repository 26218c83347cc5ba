// task_group: any number of tasks, created one by one, waited for together.
#pragma once

#include <artel/detail/block.hpp>
#include <artel/detail/wait_word.hpp>
#include <artel/detail/work.hpp>
#include <artel/limit.hpp>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace artel {

enum class group_status { complete, cancelled };

class task_group;

namespace detail {

struct group_queue;  // of a group with limits: the tasks held back

struct group_state {
    word pending{0};                     // 2 for each task not done, +1 while there is a waiter
    std::atomic<bool> cancelled{false};  // tasks that have not begun are dropped
    std::atomic<bool> failed{false};     // `error` is being or has been written
    std::exception_ptr error;            // published by `pending`
    group_queue* queue = nullptr;
};

// One task; its function follows in the same block.
struct group_task : base::work {
    group_state* group = nullptr;
    void (*call)(group_task&) = nullptr;              // may throw
    void (*destroy)(group_task&) noexcept = nullptr;  // the function, not the block
    std::size_t size = 0;                             // of the block
};

ARTEL_API void open_group(group_state& group);                            // by the thread that
                                                                          // makes the group
ARTEL_API void set_group_limit(group_state& group, const limit& limits);  // before the first task
ARTEL_API void free_group_limit(group_state& group) noexcept;
ARTEL_API void run_in_group(group_state& group, group_task& task) noexcept;
ARTEL_API group_status wait_for_group(group_state& group);  // rethrows
ARTEL_API void settle_group(group_state& group) noexcept;   // waits; drops the exception

template <class F>
struct group_function : group_task {
    template <class G>
    explicit group_function(G&& f) : function(std::forward<G>(f))
    {
        call = execute;
        destroy = finish;
        size = sizeof(*this);
    }
    static void execute(group_task& task) { static_cast<group_function&>(task).function(); }
    static void finish(group_task& task) noexcept
    {
        static_cast<group_function&>(task).~group_function();
    }
    F function;
};

std::uint32_t tasks_left(const task_group& group) noexcept;

}  // namespace detail

// Any thread and any task, also one of the group itself, may add tasks and cancel; a wait ends when
// no task is left. Tasks begin in no particular order. A task's exception cancels the rest; wait()
// throws the first one, exactly once.
class task_group {
public:
    // May throw std::bad_alloc inside of a width_scope.
    task_group() { detail::open_group(state_); }
    explicit task_group(const limit& limits) { detail::set_group_limit(state_, limits); }
    task_group(const task_group&) = delete;
    task_group& operator=(const task_group&) = delete;

    // If an exception causes the destruction, cancels the tasks that have not begun. Waits for the
    // rest, and ignores their exceptions: call wait() to get them.
    ~task_group()
    {
        // acquire: pairs with the end of the last task. Usually all tasks are done, and there is
        // nothing to wait for.
        if (state_.pending.load(std::memory_order_acquire) >= 2 &&
            std::uncaught_exceptions() > exceptions_before_) {
            cancel();
        }
        detail::settle_group(state_);
    }

    // Queues a copy of f for some worker. In a width_scope without a free place it may begin only
    // when a caller waits for the group; in a crew of one thread, when a caller waits, or when this
    // one blocks or computes for some milliseconds. Throws std::bad_alloc, or what copying f
    // throws. Does not switch. Callables of up to 72 bytes cost no heap allocation.
    template <class F>
    void run(F&& f)
    {
        using block = detail::group_function<std::decay_t<F>>;
        if constexpr (alignof(block) > detail::block_alignment) {
            // Callables that need a stricter alignment than blocks have get memory of their own.
            run([own = std::make_unique<std::decay_t<F>>(std::forward<F>(f))] { (*own)(); });
        } else {
            detail::run_in_group(state_, *detail::make_in_block<block>(std::forward<F>(f)));
        }
    }

    // Runs tasks of the group that this worker has queued, then suspends the caller until all are
    // done. Throws the first exception of a task. Afterwards the group may be used again; returns
    // whether it had been cancelled.
    group_status wait() { return detail::wait_for_group(state_); }

    template <class F>
    group_status run_and_wait(F&& f)
    {
        run(std::forward<F>(f));
        return wait();
    }

    // Tasks that have not begun are dropped; running ones may check is_cancelled().
    void cancel() noexcept
    {
        // relaxed: tasks that do not see it yet run as if they had begun before.
        state_.cancelled.store(true, std::memory_order_relaxed);
    }
    bool is_cancelled() const noexcept
    {
        return state_.cancelled.load(std::memory_order_relaxed);  // relaxed: as in cancel()
    }

private:
    friend std::uint32_t detail::tasks_left(const task_group& group) noexcept;
    detail::group_state state_;
    int exceptions_before_ = std::uncaught_exceptions();
};

// How many have not ended; only a hint.
inline std::uint32_t detail::tasks_left(const task_group& group) noexcept
{
    return group.state_.pending.load(std::memory_order_relaxed) / 2;  // relaxed: an estimate
}

}  // namespace artel
