// An arena: slots in which threads run tasks for each other. The crew's workers come to it when it
// asks: it puts a ticket into a worker's deque, and whoever takes that lets a persona go on, which
// takes a slot and runs tasks until there are none. So a task has the same thread and thread-local
// storage from its begin to its end, however many workers there are, and who waits in it may go on
// with other tasks of its arena, or is suspended while its worker goes on with other work.
//
// Who has made work visible calls work_added: a fence, and then a look at the counts. Nothing is to
// be done while somebody searches, because the last searcher that stops looks whether there is more
// and passes the search on; who stops searching, or leaves, lowers the count it is known by,
// fences, and looks once more. Otherwise one who sleeps in a wait is woken, or else a ticket is
// queued, one at a time. Only those count as searchers who would take any task: who waits in
// isolation, in a critical task, or with little room on its stack, looks as well, but keeps nobody
// from being woken.
//
// A worker that is wanted may be refused because there are as many as there may be, arenas of
// higher priority want all of them, or no slot is free. Whoever lowers the number, or frees the
// slot, looks again. A worker leaves for an arena of higher priority after the task that it runs.
#pragma once

#include "affinity.hpp"
#include "base/fence.hpp"
#include "base/work.hpp"
#include "observers.hpp"
#include "sleeper.hpp"
#include "task_queue.hpp"
#include "thread.hpp"

#include <limits>

namespace artel::onetbb {

struct alignas(base::cache_line) slot {
    task_pool pool;
    alignas(base::cache_line) mailbox mail;
    std::atomic<bool> occupied{false};
    // The one in it searches, and takes what is sent to it. relaxed: a hint.
    std::atomic<bool> looks{false};
    // An external thread came here, where workers should be, when its task was resumed. The
    // occupant's.
    bool lent = false;
};

struct arena_shape {
    int max_concurrency = 1;
    unsigned reserved = 1;
    int priority = 0;
    int numa_id = -1;
    int core_type = -1;
    int max_threads_per_core = -1;
    unsigned spare = 0;  // slots and workers more, which the program is not told of
};

class arena {
public:
    // Referred to once, by the caller. May throw std::bad_alloc.
    static arena& make(const arena_shape& shape);
    void refer() noexcept;
    void drop() noexcept;  // the last one deletes it

    static arena& of(abi::r1::arena& a) noexcept { return reinterpret_cast<arena&>(a); }
    abi::r1::arena* handle() noexcept { return reinterpret_cast<abi::r1::arena*>(this); }

    unsigned slots() const noexcept { return slots_; }
    unsigned reserved() const noexcept { return shape_.reserved; }
    // One of the three values that the headers have.
    int priority() const noexcept { return static_cast<int>(level() + 1) * priority_step; }
    // What the program is told.
    unsigned max_workers() const noexcept { return max_workers_ - shape_.spare; }
    // Of threads, with the one that has come for what was enqueued where none was asked for.
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

    // The thread gets a slot, and is in the arena; false when there is none for it. It is in no
    // other meanwhile. Refers to the arena.
    bool enter(thread& t, bool as_worker) noexcept;
    void leave(thread& t) noexcept;
    // For who found no slot: woken when one was left.
    bunk_list& entrance() noexcept { return entrance_; }
    // Whether one is free; for a worker. After a fence.
    bool slot_free(bool as_worker = false) const noexcept;
    // Of tasks that are enqueued without one.
    abi::d1::task_group_context& context() noexcept { return context_; }

    // Work with this isolation has become visible.
    void work_added(std::intptr_t isolation) noexcept
    {
        // pairs with the fences of who stops searching, falls asleep or leaves.
        base::full_fence();
        // relaxed, all: ordered by the fence.
        if (searchers_.load(std::memory_order_relaxed) == 0 &&
            (sleepers_.count.load(std::memory_order_relaxed) != 0 ||
             (workers_.load(std::memory_order_relaxed) < most_workers_ &&
              !ticket_out_.load(std::memory_order_relaxed)))) {
            wake_somebody(isolation);
        }
    }
    // The task runs even if nobody ever waits. May throw std::bad_alloc.
    void enqueue(task& t);
    task_queue enqueued;
    // The same from outside, but as if they had been spawned: run when somebody is there.
    task_queue submitted;
    task_queue critical;

    // The thread, which was suspended and has no slot, is to get one and go on (suspension.cpp).
    void resume(thread& t) noexcept;
    // The running task is suspended: f is called, and the thread's slot goes to a persona that
    // serves the arena. Returns when the thread has been resumed, which may be before that.
    // Switches.
    void suspend(thread& me, void (*f)(void* argument, abi::r1::suspend_point_type*),
                 void* argument);

    // A task that the thread may run: where there is none, it spins for a short while, and then
    // sleeps until there is one or `until` is done; nullptr if that is so. Without `until`:
    // nullptr when it is to leave, or its slot is wanted; only who stands in for others sleeps
    // before. `counted`: the caller is one of the searchers. Switches.
    task* seek(thread& me, const abi::d1::wait_context* until, bool counted) noexcept;
    // A task that others have made, now; nullptr without one. `closely`: none is overlooked because
    // another thief is there.
    task* steal_for(thread& me, bool closely) noexcept;

    // Whether there are more workers than the program allows by now.
    bool too_many_workers() const noexcept;
    // Whether a worker here is to leave, because the program allows fewer by now or for an arena of
    // higher priority, with tasks of its own or not: others find those.
    bool must_give_way() const noexcept
    {
        // relaxed: a moment's view.
        return too_many_workers() || (levels_differ() && workers_.load(std::memory_order_relaxed) >
                                                             left_by_higher_levels(true));
    }

    // Waits until nobody has anything to do here. Switches.
    void wait_until_empty(thread& me) noexcept;

    observer_list observers;

    // After the limit of all workers has changed.
    static void limit_changed() noexcept;
    // Whether there is any.
    static bool exist() noexcept;
    // Whether no persona serves any arena now.
    static bool all_quiet() noexcept;
    // The thread (nullptr: none) leaves its own arena; false if it is in another.
    static bool leave_own(thread* me) noexcept;

private:
    explicit arena(const arena_shape& shape);
    ~arena();
    friend struct arena_fork;
    friend struct model_arenas;  // arena_model.hpp

    void enlist() noexcept;
    void unlist() noexcept;
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
    // By one who is counted as a searcher, or was told by a waker that it is wanted, and does
    // something else now.
    void end_search(bool counted, bool was_told) noexcept
    {
        if (counted) {
            stop_searching();
        } else if (was_told) {
            pass_on();
        }
    }
    task* spin_for_task(thread& me, const abi::d1::wait_context* until, bool& more) noexcept;
    // Whether one who searches is no longer allowed to be here. Who waits stays, and so does who
    // stands in for another one: that is no worker of the arena.
    bool must_leave(const thread& me, const abi::d1::wait_context* until) const noexcept
    {
        return until == nullptr && !me.stands_in && too_many_workers();
    }
    bool request_worker() noexcept;
    bool queue_ticket(bool promised) noexcept;
    bool take_slot(unsigned i) noexcept;
    void take_back_if_lent(slot& s) noexcept;
    // The first slot that workers may have.
    unsigned first_for_workers() const noexcept
    {
        // What is enqueued gets one of those for external threads where there are no others, and
        // workers get those in exchange for what was lent. relaxed: a look.
        const bool all = (max_workers_ == 0 && shape_.reserved >= slots_) ||
                         lent_.load(std::memory_order_relaxed) != 0;
        return all ? 0 : shape_.reserved;
    }
    void free_up(unsigned i) noexcept;
    bool refer_if_alive() noexcept;
    void no_worker_comes() noexcept;
    bool time_is_up(std::uint64_t since) const noexcept;
    // How much it matters that the arena has workers: 0 low, 1 normal, 2 high.
    unsigned level() const noexcept;
    static constexpr unsigned levels = 3;
    // The priorities of the headers are this, twice and three times this: others would fit between.
    static constexpr int priority_step = std::numeric_limits<int>::max() / 4;
    // Arenas of another level than the normal one: without any, nothing is asked about levels.
    // relaxed: changed by who makes one before it can have tasks.
    static inline std::atomic<unsigned> special_{0};
    static bool levels_differ() noexcept { return special_.load(std::memory_order_relaxed) != 0; }
    unsigned left_by_higher_levels(bool to_a_worker) const noexcept;
    static void ask_for_workers(unsigned first_level, unsigned last_level) noexcept;
    // Whether the ticket of any arena lies somewhere. relaxed: a hint.
    static bool another_asks() noexcept { return tickets_.load(std::memory_order_relaxed) != 0; }
    static inline std::atomic<unsigned> tickets_{0};
    // Personas that serve arenas or are asked to. relaxed, all: a count by itself.
    static inline std::atomic<unsigned> all_workers_{0};
    static bool count_worker(unsigned allowed) noexcept;
    static void forget_workers_after_fork() noexcept;
    void occupy(thread& t, unsigned i) noexcept;
    int free_slot(unsigned from = 0) noexcept;
    void serve_slot(thread& me, bool counted) noexcept;
    // Slots for those who were resumed.
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
    // Whether more stand in for external threads than have no slot. After a fence, or a guess.
    // relaxed, both: see the declarations.
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
    // For bunk::second_key beside isolations: no task has these.
    static constexpr std::uintptr_t takes_nothing = 2;
    static constexpr std::uintptr_t takes_uncritical = 4;
    // For bunk::key: what it was told by who woke it.
    static constexpr std::uintptr_t told = 1;
    static constexpr std::uintptr_t told_and_counted = 2;
    void find_slot(bool external) noexcept;
    static bool stand_in(void* replacement);
    static void stood_in(void* replacement, bool counted);
    static void take_ticket(void* here, base::work& ticket);
    static bool serve(void* self);
    static void served(void* self, bool counted);
    void run_worker(thread& me);

    struct ticket_work : base::work {
        arena* of;
        bool counted;  // as promised to run concurrently
    };

    const arena_shape shape_;
    const unsigned slots_;
    const unsigned max_workers_;
    const unsigned most_workers_;  // with the one for what is enqueued
    const std::uint64_t fp_settings_;
    std::unique_ptr<slot[]> slot_;
    ticket_work ticket_;
    abi::d1::task_group_context context_;
    static inline arena* all_ = nullptr;  // the newest; guarded by a lock (arena_list.cpp)
    arena* next_ = nullptr;               // in the list of all
    arena* before_ = nullptr;

    alignas(base::cache_line) std::atomic<unsigned> references_{1};
    std::atomic<unsigned> lent_{0};  // slots that are
    std::atomic<unsigned> used_{0};  // slots that were ever occupied: below this
    bunk_list entrance_;
    // For who looks after a fence: see work_added. seq_cst or relaxed after a fence, all.
    alignas(base::cache_line) std::atomic<int> searchers_{0};
    std::atomic<unsigned> workers_{0};  // personas that serve it, or are asked to
    std::atomic<bool> ticket_out_{false};
    // A worker was wanted, and there was no slot for it.
    std::atomic<bool> slot_lacked_{false};
    // A worker was wanted, and other arenas had all that the program allows. relaxed: a hint.
    std::atomic<bool> refused_{false};
    // Nobody but it itself refers to it, and it has tasks that nobody waits for in it.
    std::atomic<bool> left_behind_{false};
    bunk_list sleepers_;
    bunk_list seekers_;  // threads without a slot that are to have one; the key is the thread
    // External threads that are suspended, or wait, and have no slot; and who stands in for them.
    // Written under the lock of the seekers; for who looks without it, after a fence: relaxed.
    std::atomic<unsigned> absent_{0};
    std::atomic<unsigned> standing_in_{0};
};

// Keeps an arena that is given a task: that may be the last one which needs it, and be over before
// a worker has been asked for.
class kept_arena {
public:
    explicit kept_arena(arena& a) noexcept : arena_(a) { a.refer(); }
    ~kept_arena() { arena_.drop(); }
    kept_arena(const kept_arena&) = delete;
    kept_arena& operator=(const kept_arena&) = delete;

private:
    arena& arena_;
};

}  // namespace artel::onetbb
