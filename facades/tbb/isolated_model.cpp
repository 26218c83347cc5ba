// Threads that may take some tasks only, because they wait in isolation or inside of a critical
// task, under many interleavings. A task that one of them may not run is run by another thread, and
// none of them sleeps while there is a task that it may run.
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

constexpr std::intptr_t some_isolation = 64;

// Threads of the program in an arena that has no workers.
template <class T, unsigned programs>
struct without_workers : onetbb::arena_suite<T, programs, 0> {
    model::os_event ended;
    model_task t;
    arena& a = model_arena(programs, programs);
    without_workers()
    {
        for (unsigned n = 1; n < programs; ++n) {
            a.refer();
        }
    }
    void program(unsigned i)
    {
        a.enter(this_thread(), false);
        static_cast<T*>(this)->inside(i);
        this_thread().root.isolation = 0;
        this_thread().root.critical = false;
        a.leave(this_thread());
        a.drop();
    }
    void wait(wait_context& group) { tbb::detail::r1::wait(group, a.context()); }
    // Spawns in isolation, and does something else until another thread has run the task.
    void spawn_isolated()
    {
        t.make(a, &ended);
        linger(long_enough);
        this_thread().root.isolation = some_isolation;
        tbb::detail::r1::spawn(t, a.context());
        linger(after_change);
    }
};

// One waits in the isolation of the task.
struct same_isolation : without_workers<same_isolation, 2> {
    wait_context group{1, 1};
    void inside(unsigned i)
    {
        if (i == 0) {
            this_thread().root.isolation = some_isolation;
            wait(group);
        } else {
            t.group = &group;
            spawn_isolated();
            ended.wait_for(1);
        }
    }
};

// Another thread waits, which may take any task. It is woken for a task that the spawner then takes
// back, so no thread is woken for the next task; but then its own wait is over.
struct one_is_done : without_workers<one_is_done, 3> {
    model_task first;
    wait_context groups[2] = {{1, 1}, {1, 1}};
    void inside(unsigned i)
    {
        if (i < 2) {
            this_thread().root.isolation = i == 0 ? some_isolation : 0;
            wait(groups[i]);
            return;
        }
        first.make(a, nullptr);
        linger(long_enough);
        tbb::detail::r1::spawn(first, a.context());
        linger(after_change);
        this_thread().own_task();
        t.group = &groups[0];
        t.make(a, &ended);
        this_thread().root.isolation = some_isolation;
        tbb::detail::r1::spawn(t, a.context());
        model_task::ends_in(groups[1]);
        linger(after_change);
        ended.wait_for(1);
    }
};

// One thread waits inside of a critical task, so it may not run another one; a second thread may.
struct critical : without_workers<critical, 3> {
    wait_context groups[2] = {{1, 1}, {1, 1}};
    void inside(unsigned i)
    {
        if (i < 2) {
            this_thread().root.critical = i == 0;
            wait(groups[i]);
            return;
        }
        t.group = &groups[0];
        t.make(a, &ended);
        t.slots |= onetbb::is_critical;
        linger(long_enough);
        a.critical.put(t);
        a.work_added(0);
        linger(after_change);
        ended.wait_for(1);
        model_task::ends_in(groups[1]);
    }
};

// The same, where only a worker may.
struct critical_for_worker : onetbb::arena_suite<critical_for_worker, 2, 1> {
    model::os_event ended;
    model_task t;
    wait_context group{1, 1};
    arena& a = model_arena(3, 2);
    critical_for_worker() { a.refer(); }
    void program(unsigned i)
    {
        if (i == 0) {
            a.enter(this_thread(), false);
            this_thread().root.critical = true;
            tbb::detail::r1::wait(group, a.context());
            this_thread().root.critical = false;
            a.leave(this_thread());
        } else {
            t.group = &group;
            t.make(a, &ended);
            t.slots |= onetbb::is_critical;
            linger(long_enough);
            a.critical.put(t);
            a.work_added(0);
            linger(after_change);
            ended.wait_for(1);
        }
        a.drop();
    }
};

const std::vector<model::scenario> scenarios{
    {"the same isolation", rl::simulate<same_isolation>, 60000},
    {"one is done", rl::simulate<one_is_done>, 60000},
    {"a critical task", rl::simulate<critical>, 60000},
    {"a critical task for a worker", rl::simulate<critical_for_worker>, 60000},
};

const std::vector<model::breakage> breakages{
    {"no fence before it falls asleep", 0, model::damage::no_fence, "searching.cpp", "::seek("},
    {"no fence in work_added", 0, model::damage::no_fence, "arena.hpp", "::work_added("},
    {"who is done does not look for others", 1, model::damage::zero, "arena.hpp",
     "::stop_searching("},
    {"who is done does not see what is left", 1, model::damage::zero, "waking.cpp",
     "::visible_to_all("},
    {"nobody else is woken for a critical task", 2, model::damage::zero, "waking.cpp",
     "::wake_one("},
    {"a critical task is not seen", 3, model::damage::zero, "task_queue.hpp", "::empty("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
