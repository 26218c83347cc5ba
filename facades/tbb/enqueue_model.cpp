// Enqueued tasks under many interleavings: each runs although no thread waits for it, whatever the
// workers of its arena do and however the limit of workers changes meanwhile.
#include "arena_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using model::linger;
using onetbb::after_change;
using onetbb::arena;
using onetbb::long_enough;
using onetbb::model_task;

void enqueue(arena& a, model_task& t, model::os_event& ended)
{
    t.make(a, &ended);
    linger(long_enough);
    if (model::broken("it looks for workers before it puts the task")) {
        onetbb::model_arenas::enqueue_after_the_look(a, t);
    } else {
        a.enqueue(t);
    }
    linger(after_change);
}

// One after the other, while the worker that the first has brought falls asleep or leaves.
template <bool limited>
struct two_in_turn : onetbb::arena_suite<two_in_turn<limited>, 1, 1> {
    model::os_event ended;
    model_task tasks[2];
    void program(unsigned)
    {
        // Room for one worker.
        arena& a = limited ? onetbb::model_arena(2, 1) : onetbb::model_arena(1, 1, 2, 1);
        enqueue(a, tasks[0], ended);
        enqueue(a, tasks[1], ended);
        ended.wait_for(2);
        a.drop();
    }
};

// By two threads into an arena that has room for one worker.
struct two_enqueuers : onetbb::arena_suite<two_enqueuers, 2, 2> {
    model::os_event ended;
    model_task tasks[2];
    arena* a = &onetbb::model_arena(2, 1);
    two_enqueuers() { a->refer(); }
    void program(unsigned i)
    {
        enqueue(*a, tasks[i], ended);
        ended.wait_for(2);
        a->drop();
    }
};

// Into two arenas, each of which gets a worker for enqueued tasks whatever the limit; the second
// has no workers otherwise.
struct at_the_limit : onetbb::arena_suite<at_the_limit, 2, 2> {
    model::os_event ended;
    model_task tasks[2];
    arena* a[2] = {&onetbb::model_arena(2, 1), &onetbb::model_arena(1, 1)};
    void program(unsigned i)
    {
        limit.store(1, std::memory_order_relaxed);
        enqueue(*a[i], tasks[i], ended);
        ended.wait_for(2);
        a[i]->drop();
    }
};

// The limit is lowered, and raised again.
struct limit_changes : onetbb::arena_suite<limit_changes, 2, 2> {
    model::os_event ended;
    model_task tasks[2];
    arena& a = onetbb::model_arena(3, 1);
    void program(unsigned i)
    {
        if (i == 0) {
            enqueue(a, tasks[0], ended);
            enqueue(a, tasks[1], ended);
            ended.wait_for(2);
            a.drop();
        } else {
            linger(long_enough);
            allow_workers(0);
            linger(long_enough);
            allow_workers(2);
            linger(after_change);
        }
    }
};

// Two enqueued tasks spawn one each while the program comes to allow no workers.
struct spawned_by_too_many : onetbb::arena_suite<spawned_by_too_many, 2, 2> {
    model::os_event ended;
    model_task tasks[2];
    model_task children[2];
    arena& a = onetbb::model_arena(3, 1);
    void program(unsigned i)
    {
        if (i != 0) {
            linger(long_enough);
            allow_workers(0);
            return;
        }
        for (unsigned n = 0; n < 2; ++n) {
            children[n].make(a, &ended);
            tasks[n].of = &children[n];
            tasks[n].body = [](model_task& self) {
                auto& child = *static_cast<model_task*>(self.of);
                linger(after_change);
                tbb::detail::r1::spawn(child, onetbb::this_thread().in->context());
            };
            enqueue(a, tasks[n], ended);
        }
        ended.wait_for(4);
        a.drop();
    }
};

// A task that gets no worker while none is allowed; then one is allowed.
struct limit_is_raised : onetbb::arena_suite<limit_is_raised, 2, 1> {
    model::os_event ended;
    model_task t;
    arena& a = onetbb::model_arena(2, 1);
    limit_is_raised() { limit.store(0, std::memory_order_relaxed); }
    void program(unsigned i)
    {
        if (i == 0) {
            t.make(a, &ended);
            linger(long_enough);
            a.submitted.put(t);
            a.work_added(0);
            linger(after_change);
            ended.wait_for(1);
            a.drop();
        } else {
            linger(long_enough);
            allow_workers(1);
            linger(after_change);
        }
    }
};

// The only slot is taken by a thread that does nothing in it and leaves.
struct no_slot : onetbb::arena_suite<no_slot, 2, 1> {
    model::os_event ended;
    model_task t;
    arena& a = onetbb::model_arena(1, 0);
    void program(unsigned i)
    {
        if (i == 0) {
            enqueue(a, t, ended);
            ended.wait_for(1);
            a.drop();
        } else if (a.enter(onetbb::this_thread(), false)) {
            linger(long_enough);
            a.leave(onetbb::this_thread());
            linger(after_change);
        }
    }
};

// Of two tasks each waits for the other: a worker runs one, and the thread that waits in the arena
// the other.
struct worker_and_waiter : onetbb::arena_suite<worker_and_waiter, 2, 1> {
    model::os_event begun;
    model::os_event ended;
    model_task tasks[2];
    tbb::detail::d1::wait_context group{1, 2};
    arena& a = onetbb::model_arena(2, 1);
    worker_and_waiter() { a.refer(); }
    void program(unsigned i)
    {
        if (i == 0) {
            a.enter(onetbb::this_thread(), false);
            tbb::detail::r1::wait(group, a.context());
            a.leave(onetbb::this_thread());
            a.drop();
            return;
        }
        for (model_task& t : tasks) {
            t.group = &group;
            t.waits_for_another(begun);
            enqueue(a, t, ended);
        }
        ended.wait_for(2);
        a.drop();
    }
};

// The system gives no threads: the thread that waits in the arena runs the tasks.
struct no_threads : onetbb::arena_suite<no_threads, 2, 1> {
    model::os_event ended;
    model_task tasks[2];
    tbb::detail::d1::wait_context group{1, 2};
    arena& a = onetbb::model_arena(2, 1);
    no_threads()
    {
        a.refer();
        crew.no_threads = true;
    }
    void program(unsigned i)
    {
        if (i == 0) {
            a.enter(onetbb::this_thread(), false);
            tbb::detail::r1::wait(group, a.context());
            a.leave(onetbb::this_thread());
        } else {
            for (model_task& t : tasks) {
                t.group = &group;
                t.make(a, &ended);
            }
            linger(long_enough);
            a.enqueue(tasks[0]);
            a.enqueue(tasks[1]);
            linger(after_change);
            ended.wait_for(2);
        }
        a.drop();
    }
};

// The system gives no threads and no thread waits in the arena: a worker comes once there are
// threads.
struct no_threads_at_first : onetbb::arena_suite<no_threads_at_first, 2, 1> {
    model::os_event ended;
    model_task t;
    arena& a = onetbb::model_arena(2, 1);
    no_threads_at_first() { crew.no_threads = true; }
    void program(unsigned i)
    {
        if (i == 0) {
            enqueue(a, t, ended);
            ended.wait_for(1);
            a.drop();
            over.store(true, std::memory_order_release);
            return;
        }
        linger(2 * long_enough);
        crew.no_threads = false;
        while (!over.load(std::memory_order_acquire)) {
            if (crew.each_second != nullptr) {
                crew.each_second(1);
            }
            linger(long_enough);
        }
    }
    std::atomic<bool> over{false};
};

const std::vector<model::scenario> scenarios{
    {"two in turn", rl::simulate<two_in_turn<true>>, 60000},
    {"two enqueuers", rl::simulate<two_enqueuers>, 60000},
    {"at the limit", rl::simulate<at_the_limit>, 60000},
    {"the limit changes", rl::simulate<limit_changes>, 60000},
    {"the limit is raised", rl::simulate<limit_is_raised>, 60000},
    {"no slot is free", rl::simulate<no_slot>, 60000},
    {"a worker and who waits", rl::simulate<worker_and_waiter>, 60000},
    {"no threads", rl::simulate<no_threads>, 60000},
    {"no threads at first", rl::simulate<no_threads_at_first>, 60000},
    {"spawned by too many", rl::simulate<spawned_by_too_many>, 60000},
    {"two in turn, without a limit", rl::simulate<two_in_turn<false>>, 60000},
};

const std::vector<model::breakage> breakages{
    {"it looks for workers before it puts the task", 0, model::damage::custom},
    {"no fence in enqueue", 0, model::damage::no_fence, "waking.cpp", "::enqueue("},
    {"no fence when a worker is gone", 10, model::damage::no_fence, "workers.cpp",
     "::one_worker_less("},
    {"no fence in work_added", 4, model::damage::no_fence, "arena.hpp", "::work_added("},
    {"no fence when the limit has changed", 4, model::damage::no_fence, "arena_list.cpp",
     "::limit_changed("},
    {"no fence when a slot is free", 5, model::damage::no_fence, "arena_slots.cpp", "::free_up("},
    {"no fence when no slot is free", 5, model::damage::no_fence, "workers.cpp",
     "::request_worker("},
    {"who waits is not woken", 6, model::damage::zero, "waking.cpp", "::wake_one("},
    {"no fence before who waits falls asleep", 6, model::damage::no_fence, "searching.cpp",
     "::seek("},
    {"who waits is not told that nobody comes", 7, model::damage::zero, "waking.cpp",
     "::wake_one("},
    {"no fence when nobody comes", 7, model::damage::no_fence, "tickets.cpp", "::no_worker_comes("},
    {"the ticket of nobody is out for ever", 8, model::damage::no_write, "tickets.cpp",
     "::no_worker_comes("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
