// An arena: slots in which threads run tasks for each other. An arena asks the crew for workers by
// a ticket, which it pushes to a worker's deque. The worker that takes the ticket resumes a
// persona, and that takes a slot and runs tasks until there are none. So a task keeps its thread
// and its thread-local storage from begin to end, however many workers there are. A task that waits
// runs other tasks of its arena, or its persona is suspended while the worker does other work.
//
// A thread that makes a task visible calls work_added(), which makes a fence and reads the counts.
// While a thread searches, nothing is to be done: the last searcher that stops checks for more
// tasks and passes the search on. A thread that stops searching, or leaves, decrements the count in
// which it was, makes a fence, and checks once more. With no searcher, a thread that sleeps in a
// wait is woken; without such a thread a ticket is pushed, one at a time. Only threads that would
// take any task count as searchers. Threads that wait in isolation, in a critical task, or with
// little room on their stack search as well, but do not keep others from being woken.
//
// A request for a worker may be refused: the limit of workers is reached, arenas of higher priority
// want all of them, or no slot is free. The workers of all arenas are one fewer than the threads
// that the program allows, as in the stock library; those that come later go to the arenas that
// were refused for longest. A thread that decrements the number of workers, or frees a
// slot, checks for refused requests. A worker leaves for an arena of higher priority after the task
// that it runs, and because of the limit after those that it has spawned, too. Tasks that a worker
// leaves in its slot are owed: where no workers are allowed, one worker comes for them, as for
// enqueued tasks.
#pragma once

#include "arena_counts.hpp"
#include "arena_shape.hpp"
#include "base/fence.hpp"
#include "base/work.hpp"
#include "control.hpp"
#include "observers.hpp"
#include "sleeper.hpp"
#include "slot.hpp"
#include "task_queue.hpp"
#include "thread.hpp"

#include <limits>

namespace artel::onetbb {

class arena : arena_counts {
public:
    // With one reference, the caller's. May throw std::bad_alloc.
    static arena& make(const arena_shape& shape);
    void refer() noexcept;
    void drop() noexcept;  // deletes it with the last reference

    static arena& of(abi::r1::arena& a) noexcept { return reinterpret_cast<arena&>(a); }
    abi::r1::arena* handle() noexcept { return reinterpret_cast<abi::r1::arena*>(this); }

    unsigned slots() const noexcept { return slots_; }
    unsigned reserved() const noexcept { return shape_.reserved; }
    // One of the three values in the program's headers.
    int priority() const noexcept { return static_cast<int>(level() + 1) * priority_step; }
    // As the program sees it.
    unsigned max_workers() const noexcept { return max_workers_ - shape_.spare; }
    // The number of threads, including the worker of mandatory concurrency.
    int concurrency() const noexcept
    {
        // relaxed: a moment's view.
        const bool mandatory = max_workers_ == 0 && workers_.load(std::memory_order_relaxed) != 0;
        const unsigned n = shape_.reserved + max_workers() + (mandatory ? 1U : 0U);
        const unsigned most = slots_ - shape_.spare;
        return static_cast<int>(n < most ? n : most);
    }
    slot& slot_of(unsigned i) noexcept { return slot_[i]; }
    std::uint64_t fp_settings() const noexcept { return fp_settings_; }

    // Gives the thread, which is in no arena, a slot here and takes a reference; false when no slot
    // is free.
    bool enter(thread& t, bool as_worker) noexcept;
    void leave(thread& t) noexcept;
    // Threads that found no slot wait here until one is freed.
    wait_list& entrance() noexcept { return entrance_; }
    // To be called around such waits.
    static void begin_queueing() noexcept;
    static void end_queueing() noexcept;
    static std::int64_t queueing() noexcept  // how many wait so
    {
        return queueing_.load(std::memory_order_relaxed);  // relaxed: a moment's view
    }
    // To be called now and then by a thread that waits so. Lets an arena that has been refused for
    // long have a worker; false when none has.
    static bool help_refused() noexcept;
    // Whether a slot is free; `as_worker`: one that workers may have. Called after a fence.
    bool slot_free(bool as_worker = false) const noexcept;
    // The context of tasks that are enqueued without one.
    abi::d1::task_group_context& context() noexcept { return context_; }

    // To be called when a task with this isolation has become visible.
    void work_added(std::intptr_t isolation) noexcept
    {
        // pairs with the fences of threads that stop searching, fall asleep or leave.
        base::full_fence();
        // relaxed, all: ordered by the fence.
        if (searchers_.load(std::memory_order_relaxed) == 0 &&
            (sleepers_.count.load(std::memory_order_relaxed) != 0 ||
             (workers_.load(std::memory_order_relaxed) < most_workers_ &&
              !ticket_out_.load(std::memory_order_relaxed)))) {
            wake_somebody(isolation);
        }
    }
    // The task runs even if no thread ever waits in the arena. May throw std::bad_alloc.
    void enqueue(task& t);
    // To be called before a task is put into one of the queues.
    void note_use() noexcept
    {
        // relaxed, both: see the declaration.
        if (of_parent_.load(std::memory_order_relaxed)) [[unlikely]] {
            of_parent_.store(false, std::memory_order_relaxed);
        }
    }
    task_queue enqueued;
    // Tasks that threads outside of the arena have spawned into it: run when a thread is there.
    task_queue submitted;
    task_queue critical;

    // Gives a suspended thread, which has no slot, a slot, and resumes it (suspension.cpp).
    void resume(thread& t) noexcept;
    // Suspends the running task: calls f, and gives the thread's slot to a persona that serves the
    // arena. Returns when the thread was resumed, which may happen before the slot is given away.
    // Switches.
    void suspend(thread& me, void (*f)(void* argument, abi::r1::suspend_point_type*),
                 void* argument);

    // A task that the thread may run. Without one it spins for a short while, and then sleeps until
    // there is a task, or until `until` is done: then nullptr. Without `until` the result is
    // nullptr when the thread has to leave or its slot is wanted; only a persona that stands in for
    // an external thread sleeps before. `counted`: the caller is counted as a searcher. Switches.
    task* seek(thread& me, const abi::d1::wait_context* until, bool counted) noexcept;
    // A task of another thread, without waiting; nullptr without one. `closely`: waits for other
    // thieves instead of skipping their victims.
    task* steal_for(thread& me, bool closely) noexcept;

    // Whether a worker here has to leave because the program now allows fewer workers. It first
    // runs the tasks that it has spawned: perhaps no other thread comes for them.
    bool too_many_workers() const noexcept;
    // Whether a worker here has to leave for an arena of higher priority. It may have tasks in its
    // slot, which are owed then; but it runs the critical ones, which lie in no slot.
    bool higher_levels_ask() const noexcept
    {
        // relaxed: a moment's view.
        return levels_differ() && critical.empty() &&
               workers_.load(std::memory_order_relaxed) > left_by_higher_levels(true);
    }

    // To be called when a thread here has taken a task or has found none: arenas of lower priority
    // may have been refused workers because of it.
    void tasks_taken() noexcept
    {
        if (levels_differ()) [[unlikely]] {
            let_outranked_ask();
        }
    }

    // Waits until the arena has no tasks and no workers. Switches.
    void wait_until_empty(thread& me) noexcept;

    observer_list observers;

    // To be called when the limit of all workers has changed.
    static void limit_changed() noexcept;
    // Whether there is any arena.
    static bool exist() noexcept;
    // Whether no persona serves any arena now.
    static bool all_quiet() noexcept;
    // The thread (nullptr: none) leaves its own arena; false if it is in another. Throws what an
    // observer throws, after it has left.
    static bool leave_own(thread* me);

private:
    explicit arena(const arena_shape& shape);
    ~arena();
    friend struct arena_fork;
    friend struct model_arenas;  // arena_model.hpp

    void enlist() noexcept;
    void unlist() noexcept;
    void make_last() noexcept;
    bool visible() const noexcept;
    bool visible_to_all() const noexcept;
    void wake_somebody(std::intptr_t isolation) noexcept;
    template <class Suits>
    bool wake_one(Suits suits) noexcept;
    bool wake_sleeper(std::intptr_t isolation) noexcept;
    bool wake_for_enqueued() noexcept;
    void wake_limited() noexcept;
    void pass_on() noexcept;
    void pass_on_untaken() noexcept;
    void pass_enqueued_on() noexcept;
    void look_again() noexcept;
    bool wants_worker() const noexcept;
    void stop_searching() noexcept
    {
        // seq_cst: see work_added.
        if (searchers_.fetch_sub(1, std::memory_order_seq_cst) == 1) {
            base::fence_after_change();
            pass_on();
        }
    }
    // Called by a thread that is counted as a searcher, or was woken for a task, and now does
    // something else.
    void end_search(bool counted, bool was_woken) noexcept
    {
        if (counted) {
            stop_searching();
        } else if (was_woken) {
            pass_on();
        }
    }
    task* spin_for_task(thread& me, const abi::d1::wait_context* until, bool& more) noexcept;
    // Whether a thread that searches is no longer allowed to be here. A thread that waits stays. So
    // does a persona that stands in for an external thread: it is no worker of the arena.
    bool must_leave(const thread& me, const abi::d1::wait_context* until) const noexcept
    {
        return until == nullptr && !me.stands_in && too_many_workers();
    }
    bool owes() const noexcept;
    bool has_tasks_of_nobody() const noexcept;
    // Whether, with that many workers allowed, a worker comes only for tasks that need one.
    bool has_no_workers(unsigned allowed) const noexcept
    {
        return allowed == 0 || max_workers_ == 0;
    }
    bool needs_worker(unsigned allowed) const noexcept;
    bool gets_one_anyway(unsigned allowed, unsigned here) const noexcept;
    bool request_worker() noexcept;
    void was_refused() noexcept;
    static void note_refusal() noexcept;
    static void remember_refusal() noexcept;
    static void note_outranked() noexcept;
    void let_outranked_ask() noexcept;
    bool queue_ticket(bool promised) noexcept;
    bool take_slot(unsigned i) noexcept;
    void take_back_if_lent(slot& s) noexcept;
    // The first slot that workers may have.
    unsigned first_for_workers() const noexcept
    {
        // Workers use the slots for external threads, too, where enqueued tasks find no others, and
        // in exchange for a slot that was lent. relaxed: a moment's view.
        const bool all = (max_workers_ == 0 && shape_.reserved >= slots_) ||
                         lent_.load(std::memory_order_relaxed) != 0;
        return all ? 0 : shape_.reserved;
    }
    void free_up(unsigned i) noexcept;
    bool refer_if_alive() noexcept;
    void no_worker_comes() noexcept;
    bool time_is_up(std::uint64_t since) const noexcept;
    // The priority as a number: 0 low, 1 normal, 2 high.
    unsigned level() const noexcept;
    static constexpr unsigned levels = 3;
    // The headers' values for the priorities are one, two and three times this.
    static constexpr int priority_step = std::numeric_limits<int>::max() / 4;
    static unsigned left_by_levels_above(unsigned level, bool to_a_worker) noexcept;
    // The same for this arena.
    unsigned left_by_higher_levels(bool to_a_worker) const noexcept
    {
        return unlimited() ? no_worker_limit : left_by_levels_above(level(), to_a_worker);
    }
    bool may_get_worker() const noexcept;
    static void ask_for_workers(unsigned first_level, unsigned last_level) noexcept;
    static bool count_worker(unsigned allowed) noexcept;
    void count_worker_out() noexcept;
    // The arena of light threads has as many workers as it has slots: its tasks may wait for each
    // other by way of light threads.
    bool unlimited() const noexcept { return shape_.spare != 0; }
    unsigned allowed_workers() const noexcept
    {
        return unlimited() ? no_worker_limit : worker_limit();
    }
    static void forget_workers_after_fork() noexcept;
    void occupy(thread& t, unsigned i) noexcept;
    int free_slot(unsigned from = 0) noexcept;
    void serve_slot(thread& me, bool counted) noexcept;
    // Whether a resumed thread waits for a slot.
    bool slot_wanted() const noexcept
    {
        return seekers_.count.load(std::memory_order_relaxed) != 0;
    }
    bool hand_slot_over(thread& me, bool stays) noexcept;
    void wait_without_slot(thread& me, const abi::d1::wait_context& until) noexcept;
    void get_slot(thread& me) noexcept;
    void give_free_slot() noexcept;
    void end_if_left_behind() noexcept;
    bool grant(unsigned index, thread* from, bool stays) noexcept;
    // Whether there are more substitutes than external threads without a slot. A guess without a
    // fence before it. relaxed, both: see the declarations.
    bool too_many_stand_in() const noexcept
    {
        return standing_in_.load(std::memory_order_relaxed) >
               absent_.load(std::memory_order_relaxed);
    }
    void stands_in_no_more(thread& t) noexcept;
    void end_standing_in(thread& t) noexcept;
    bool must_stay(thread& me) noexcept;
    bool wake_stand_in() noexcept;
    void one_worker_less() noexcept;
    void end_service(bool counted) noexcept;
    static constexpr std::intptr_t anybody = -1;  // for wake_sleeper
    // Values of wait_node::second_key that are no isolation of any task.
    static constexpr std::uintptr_t takes_nothing = 2;
    static constexpr std::uintptr_t takes_uncritical = 4;
    // Values of wait_node::key, written by the waker.
    static constexpr std::uintptr_t woken = 1;
    static constexpr std::uintptr_t woken_and_counted = 2;
    void find_slot(bool external) noexcept;
    static bool stand_in(void* replacement);
    static void stood_in(void* replacement, bool counted);
    static void take_ticket(void* here, base::work& ticket);
    static bool serve(void* self);
    static void served(void* self, bool counted);
    void run_worker(thread& me);
    static void let_other_tickets_go_first() noexcept;

    struct ticket_work : base::work {
        arena* of;
        bool counted;  // among the workers that are promised to run concurrently
    };

    const arena_shape shape_;
    const unsigned slots_;
    const unsigned max_workers_;
    const unsigned most_workers_;  // including the one for enqueued tasks
    const std::uint64_t fp_settings_;
    std::unique_ptr<slot[]> slot_;
    ticket_work ticket_;
    abi::d1::task_group_context context_;
    // The list of all, in the order in which they are asked whether they want a worker. Guarded by
    // a lock (arena_list.cpp).
    static inline arena* first_ = nullptr;
    static inline arena* last_ = nullptr;
    static inline unsigned times_turned_ = 0;
    arena* next_ = nullptr;
    arena* before_ = nullptr;

    alignas(base::cache_line) std::atomic<unsigned> references_{1};
    std::atomic<unsigned> lent_{0};  // the number of lent slots
    std::atomic<unsigned> used_{0};  // only slots below this number were ever occupied
    wait_list entrance_;
    // Read after a fence, see work_added. seq_cst, or relaxed after a fence, all.
    alignas(base::cache_line) std::atomic<int> searchers_{0};
    std::atomic<unsigned> workers_{0};  // personas that serve it, or have been requested
    std::atomic<bool> ticket_out_{false};
    // A request for a worker was refused: no slot was free.
    std::atomic<bool> slot_lacked_{false};
    // How many of its workers are counted as further ones: one at most, but for requests that race.
    // relaxed, all: a count by itself.
    std::atomic<unsigned> further_{0};
    // A request for a worker was refused: other arenas had all that the program allows. relaxed: a
    // hint.
    std::atomic<bool> refused_{false};
    // In the child of a fork nobody has used it yet: what it has are tasks of threads that do not
    // exist, so it wants no worker. relaxed, all: cleared before the user adds a task.
    std::atomic<bool> of_parent_{false};
    // The program has no reference any more, but tasks that nobody waits for are left.
    std::atomic<bool> left_behind_{false};
    wait_list sleepers_;
    wait_list seekers_;  // threads that wait for a slot; the key is the thread
    // External threads without a slot, suspended or waiting, and personas that stand in for them.
    // Written under the lock of the seekers. relaxed: read under the lock or after a fence.
    std::atomic<unsigned> absent_{0};
    std::atomic<unsigned> standing_in_{0};
};

}  // namespace artel::onetbb
