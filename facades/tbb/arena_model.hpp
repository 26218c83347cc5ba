// Arenas for models: the real sources of how tasks become visible and threads are woken, come,
// serve, leave and are suspended, on a simple crew (persona_model.hpp) and in simple surroundings
// (surroundings_model.hpp) that keep their promises. If a wake-up is lost, a thread sleeps for
// ever, which relacy reports as a deadlock.
#pragma once

#include "surroundings_model.hpp"

#include "arena.cpp"
#include "arena_list.cpp"
#include "arena_slots.cpp"
#include "dispatch.cpp"
#include "looking.cpp"
#include "searching.cpp"
#include "sleeper.cpp"
#include "slot_seekers.cpp"
#include "suspension.cpp"
#include "task_pool.cpp"
#include "tickets.cpp"
#include "waking.cpp"
#include "worker_limit.cpp"
#include "workers.cpp"

namespace artel::onetbb {

// The simulated objects of the statics live as long as an iteration.
struct model_arenas {
    std::atomic<unsigned> limit{no_worker_limit};
    model_crew crew;

    model_arenas()
    {
        model::stop_for = 0;
        model_limit = &limit;
        model_crew::now = &crew;
        new (&cancellations) std::atomic<std::uint64_t>(0);
        new (&arena::special_) std::atomic<unsigned>(0);
        new (&arena::tickets_) std::atomic<unsigned>(0);
        new (&arena::all_workers_) std::atomic<unsigned>(0);
        new (&arena::further_workers_) std::atomic<unsigned>(0);
        new (&arena::another_was_refused_) std::atomic<bool>(false);
        new (&arena::queueing_) std::atomic<unsigned>(0);
        new (&arena::looked_at_others_) std::atomic<std::uint64_t>(0);
        new (&arena::refused_since_) std::atomic<std::int64_t>(0);
        new (&arena::one_more_) std::atomic<bool>(false);
        new (&arena::outranked_) std::atomic<bool>(false);
        arena::first_ = arena::last_ = nullptr;
        new (&all_lock) foreign::fork_safe_lock;
        new (&buckets) std::array<bucket, 1U << bucket_bits>;
    }
    ~model_arenas()
    {
        std::destroy_at(&buckets);
        std::destroy_at(&all_lock);
        std::destroy_at(&arena::outranked_);
        std::destroy_at(&arena::one_more_);
        std::destroy_at(&arena::refused_since_);
        std::destroy_at(&arena::looked_at_others_);
        std::destroy_at(&arena::queueing_);
        std::destroy_at(&arena::another_was_refused_);
        std::destroy_at(&arena::further_workers_);
        std::destroy_at(&arena::all_workers_);
        std::destroy_at(&arena::tickets_);
        std::destroy_at(&arena::special_);
        std::destroy_at(&cancellations);
    }
    model_arenas(const model_arenas&) = delete;
    model_arenas& operator=(const model_arenas&) = delete;

    void allow_workers(unsigned n)
    {
        limit.store(n, std::memory_order_relaxed);  // relaxed: as the real one
        arena::limit_changed();
    }
    static unsigned workers() { return arena::all_workers_.load(std::memory_order_relaxed); }
    static void nothing_is_left()
    {
        model::check(arena::first_ == nullptr, "an arena is left");
        // relaxed, all: the threads have ended.
        model::check(workers() == 0 && arena::further_workers_.load(std::memory_order_relaxed) == 0,
                     "a worker is counted that is none");
        model::check(arena::queueing_.load(std::memory_order_relaxed) == 0,
                     "a thread is counted that waits for no slot");
        model::check(arena::tickets_.load(std::memory_order_relaxed) == 0,
                     "a ticket is counted that lies nowhere");
    }
    // The broken order: the check before the task is visible.
    static void enqueue_after_the_look(arena& a, task& t)
    {
        base::full_fence();
        a.pass_enqueued_on();
        model::linger(100);
        a.enqueued.put(t);
    }
    static bool is_served(const arena& a)
    {
        return a.workers_.load(std::memory_order_relaxed) != 0;
    }
};

// A task that is to run once.
struct model_task final : task {
    model::plain<int> state;                 // 1: is to run, 2: has run
    model::os_event* ended = nullptr;        // told when it has run
    abi::d1::wait_context* group = nullptr;  // which it is one of
    void (*body)(model_task&) = nullptr;
    void* of = nullptr;  // the body's

    model_task() { traits = 0; }
    task* execute(abi::d1::execution_data&) override
    {
        model::check(state.get() == 1, "run without its contents, or twice");
        if (body != nullptr) {
            body(*this);
        }
        state.set(2);
        abi::d1::wait_context* const g = group;
        if (model::os_event* const e = ended; e != nullptr) {
            e->add();
        }
        if (g != nullptr) {
            ends_in(*g);
        }
        return nullptr;
    }
    task* cancel(abi::d1::execution_data&) override { return nullptr; }
    // Before it is shown to others; for a thread that is in no task.
    void make(arena& a, model::os_event* tells)
    {
        state.set(1);
        ended = tells;
        make_part_of(a.context(), *this, 0, nullptr, 0);
    }
    // Lets it run to its end only while another task of the same `begun` runs.
    void waits_for_another(model::os_event& begun)
    {
        of = &begun;
        body = [](model_task& self) {
            auto& both = *static_cast<model::os_event*>(self.of);
            both.add();
            both.wait_for(2);
        };
    }
    // As the program's headers do it.
    static void ends_in(abi::d1::wait_context& g)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(&g);
        // seq_cst: as the headers.
        if (g.references.fetch_sub(1, std::memory_order_seq_cst) == 1) {
            base::fence_after_change();
            abi::r1::notify_waiters(address);
        }
    }
};

// `priority`: 1 low, 2 normal, 3 high. `spare`: not 0 for an arena whose workers are not limited.
inline arena& model_arena(int concurrency, unsigned reserved, int priority = 2, unsigned spare = 0)
{
    arena_shape shape;
    shape.max_concurrency = concurrency;
    shape.reserved = reserved;
    shape.priority = priority * (INT_MAX / 4);
    shape.spare = spare;
    return arena::make(shape);
}

// The base of a model's state T, whose program(i) is what thread i of the program does.
template <class T, unsigned programs, unsigned personas>
struct arena_suite : rl::test_suite<T, programs + personas>, model_arenas {
    arena_suite() { crew.programs = programs; }
    void thread(unsigned i)
    {
        if (i < programs) {
            static_cast<T*>(this)->program(i);
            crew.program_ends();
        } else {
            crew.live();
        }
    }
    void after() { nothing_is_left(); }
};

// For model::linger: about as long as a worker takes to come, run a task and leave.
constexpr unsigned long_enough = 150;
constexpr unsigned after_change = 30;

}  // namespace artel::onetbb
