// Threads that come to an arena, serve and leave, under many interleavings: never too many workers,
// one thread in a slot, no thread asleep that could take a spawned task, and an arena that exists
// until the last thread has left, whatever reuses its memory afterwards.
#include "arena_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using model::linger;
using onetbb::after_change;
using onetbb::arena;
using onetbb::long_enough;
using onetbb::model_arena;
using onetbb::model_task;
using onetbb::this_thread;
using tbb::detail::d1::wait_context;

// Work for two arenas by two threads that do not wait in them; one worker is allowed in all.
struct one_allowed : onetbb::arena_suite<one_allowed, 2, 2> {
    model::os_event ended;
    model_task tasks[2];
    std::atomic<unsigned> running{0};
    arena* a[2] = {&model_arena(3, 1), &model_arena(3, 1)};
    one_allowed() { limit.store(1, std::memory_order_relaxed); }
    void program(unsigned i)
    {
        model_task& t = tasks[i];
        t.of = &running;
        t.body = [](model_task& self) {
            auto& n = *static_cast<std::atomic<unsigned>*>(self.of);
            // relaxed: a count by itself.
            model::check(n.fetch_add(1, std::memory_order_relaxed) == 0, "two workers");
            model::check(workers() == 1, "the count is not that of workers");
            model::yield();
            n.fetch_sub(1, std::memory_order_relaxed);
        };
        t.make(*a[i], &ended);
        linger(long_enough);
        a[i]->submitted.put(t);
        a[i]->work_added(0);
        linger(after_change);
        ended.wait_for(2);
        a[i]->drop();
    }
};

// Work for two arenas of different priority; one worker is allowed in all, or two.
template <unsigned allowed>
struct priorities : onetbb::arena_suite<priorities<allowed>, 2, 2> {
    model::os_event ended;
    model_task tasks[4];
    arena* a[2] = {&model_arena(2, 1, 1), &model_arena(2, 1, 3)};
    priorities() { this->limit.store(allowed, std::memory_order_relaxed); }
    void program(unsigned i)
    {
        for (unsigned n : {2 * i, 2 * i + 1}) {
            tasks[n].make(*a[i], &ended);
            linger(long_enough);
            if (rl::rand(2) != 0) {
                a[i]->enqueue(tasks[n]);
            } else {
                a[i]->submitted.put(tasks[n]);
                a[i]->work_added(0);
            }
        }
        linger(after_change);
        ended.wait_for(4);
        a[i]->drop();
    }
};

// One slot for two threads of the program, which enter and leave, and a worker for two tasks: only
// the occupant accesses the slot.
struct one_slot : onetbb::arena_suite<one_slot, 2, 1> {
    model::os_event ended;
    model_task tasks[2];
    model::plain<int> contents;  // of the slot
    arena& a = model_arena(1, 0);
    one_slot() { a.refer(); }
    void use()
    {
        const int n = contents.get();
        model::yield();
        contents.set(n + 1);
    }
    void come_and_go()
    {
        for (unsigned n = 0; n < 3; ++n) {
            if (a.enter(this_thread(), false)) {
                use();
                a.leave(this_thread());
            }
        }
    }
    void program(unsigned i)
    {
        if (i != 0) {
            linger(long_enough);
            come_and_go();
            a.drop();
            return;
        }
        for (model_task& t : tasks) {
            t.of = this;
            t.body = [](model_task& self) { static_cast<one_slot*>(self.of)->use(); };
            t.make(a, &ended);
            linger(long_enough);
            a.enqueue(t);
            come_and_go();
        }
        ended.wait_for(2);
        a.drop();
    }
};

// The only thread that knows the arena leaves a task behind while no workers are allowed; another
// thread, which then allows some, searches for arenas that want workers.
struct left_behind : onetbb::arena_suite<left_behind, 2, 2> {
    model::os_event ended;
    model_task t;
    left_behind()
    {
        model::stop_for = 2 * long_enough;
        limit.store(0, std::memory_order_relaxed);
    }
    void program(unsigned i)
    {
        if (i == 0) {
            arena& a = model_arena(2, 1);
            t.make(a, &ended);
            a.submitted.put(t);
            a.work_added(0);
            linger(after_change);
            a.drop();
            ended.wait_for(1);
        } else {
            linger(long_enough);
            allow_workers(1);
            linger(after_change);
            allow_workers(2);
        }
    }
};

// As soon as its tasks are done an arena is dropped, and one of another size is made.
struct another_size : onetbb::arena_suite<another_size, 1, 2> {
    model_task tasks[2];
    wait_context groups[2] = {{1, 1}, {1, 1}};
    another_size() { crew.after_job = look_at_it; }
    static void look_at_it(const onetbb::servers::job& j)
    {
        if (model::broken("a persona looks at the arena that it has dropped")) {
            is_served(*static_cast<arena*>(j.argument));
        }
    }
    void program(unsigned)
    {
        for (unsigned n = 0; n < 2; ++n) {
            arena& a = model_arena(static_cast<int>(2 + n), 1);
            a.enter(this_thread(), false);
            tasks[n].group = &groups[n];
            tasks[n].make(a, nullptr);
            tbb::detail::r1::spawn(tasks[n], a.context());
            linger(long_enough);
            tbb::detail::r1::wait(groups[n], a.context());
            a.leave(this_thread());
            a.drop();
        }
    }
};

// A thread spawns a task and does something else; the thread that waits in the arena, or a worker,
// runs it.
struct one_spawned : onetbb::arena_suite<one_spawned, 2, 1> {
    model::os_event ended;
    model_task t;
    wait_context group{1, 1};
    arena& a = model_arena(3, 2);
    one_spawned() { a.refer(); }
    void program(unsigned i)
    {
        a.enter(this_thread(), false);
        if (i == 0) {
            tbb::detail::r1::wait(group, a.context());
        } else {
            t.group = &group;
            t.make(a, &ended);
            linger(long_enough);
            tbb::detail::r1::spawn(t, a.context());
            linger(after_change);
            ended.wait_for(1);
        }
        a.leave(this_thread());
        a.drop();
    }
};

// Two tasks that wait for each other: the waiting thread and the worker run one each. The first to
// find a task wakes the other, because there may be more.
struct two_spawned : onetbb::arena_suite<two_spawned, 2, 1> {
    model::os_event begun;
    model::os_event ended;
    model_task tasks[2];
    wait_context group{1, 2};
    arena& a = model_arena(3, 2);
    two_spawned() { a.refer(); }
    void program(unsigned i)
    {
        a.enter(this_thread(), false);
        if (i == 0) {
            tbb::detail::r1::wait(group, a.context());
        } else {
            for (model_task& t : tasks) {
                t.group = &group;
                t.waits_for_another(begun);
                t.make(a, &ended);
                linger(long_enough);
                tbb::detail::r1::spawn(t, a.context());
            }
            linger(after_change);
            ended.wait_for(2);
        }
        a.leave(this_thread());
        a.drop();
    }
};

const std::vector<model::scenario> scenarios{
    {"one worker is allowed", rl::simulate<one_allowed>, 60000},
    {"one slot", rl::simulate<one_slot>, 60000},
    {"left behind", rl::simulate<left_behind>, 60000},
    {"another size", rl::simulate<another_size>, 60000},
    {"one spawned", rl::simulate<one_spawned>, 60000},
    {"two spawned", rl::simulate<two_spawned>, 60000},
    {"priorities, one worker", rl::simulate<priorities<1>>, 30000},
    {"priorities", rl::simulate<priorities<2>>, 30000},
};

const std::vector<model::breakage> breakages{
    {"workers are not counted", 0, model::damage::no_write, "worker_limit.cpp", "::count_worker("},
    {"nobody is asked when a worker is gone", 0, model::damage::zero, "arena.cpp",
     "::refer_if_alive("},
    {"a slot is taken by two", 1, model::damage::no_write, "arena_slots.cpp", "::take_slot("},
    {"a slot is given relaxed", 1, model::damage::relaxed, "arena_slots.cpp", "::free_up("},
    {"a slot is taken relaxed", 1, model::damage::relaxed, "arena_slots.cpp", "::take_slot("},
    {"who looks around does not refer", 2, model::damage::no_write, "arena.cpp",
     "::refer_if_alive("},
    {"nobody comes for what is left behind", 2, model::damage::no_write, "arena.cpp", "::drop("},
    {"a persona looks at the arena that it has dropped", 3, model::damage::custom},
    {"a worker has no reference", 3, model::damage::no_write, "arena.cpp", "::refer("},
    {"no fence in work_added", 4, model::damage::no_fence, "arena.hpp", "::work_added("},
    {"no fence before the last look", 4, model::damage::no_fence, "searching.cpp", "::seek("},
    {"the last searcher does not look", 5, model::damage::zero, "arena.hpp", "::stop_searching("},
    {"who waits is not woken", 5, model::damage::zero, "waking.cpp", "::wake_one("},
    {"nobody is asked when a worker is gone", 6, model::damage::zero, "arena.cpp",
     "::refer_if_alive("},
    {"nobody is asked when a worker is gone", 7, model::damage::zero, "arena.cpp",
     "::refer_if_alive("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
