// Suspended tasks under many interleavings: each continues once, whenever it is resumed, with a
// slot of its own; and a persona that stands in for a thread of the program runs the tasks that
// others make meanwhile, and then leaves.
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
using tbb::detail::r1::suspend_point_type;

// What one task suspends itself for, and another thread resumes.
struct point {
    std::atomic<suspend_point_type*> handle{nullptr};
    model::os_event known;
    model::plain<int> said;
    int gone_on = 0;

    // In a task.
    void suspend()
    {
        onetbb::thread& me = this_thread();
        me.in->suspend(me, show, this);
        model::check(said.get() == 1, "goes on without having been resumed");
        model::check(++gone_on == 1, "goes on twice");
        model::check(&this_thread() == &me && me.at != nullptr, "goes on without a slot");
        model::check(me.at == &me.in->slot_of(me.index), "goes on with the slot of another");
    }
    static void show(void* self, suspend_point_type* handle)
    {
        auto& p = *static_cast<point*>(self);
        p.handle.store(handle, std::memory_order_relaxed);
        p.known.add();
        linger(after_change);
    }
    void resume()
    {
        known.wait_for(1);
        linger(long_enough);
        said.set(1);
        auto& t = reinterpret_cast<onetbb::thread&>(*handle.load(std::memory_order_relaxed));
        t.in->resume(t);
    }
};

void suspend_in(model_task& self)
{
    static_cast<point*>(self.of)->suspend();
}
void resume_in(model_task& self)
{
    static_cast<point*>(self.of)->resume();
}

void run_in(arena& a, model_task& t, wait_context& group)
{
    t.group = &group;
    t.make(a, nullptr);
    a.enter(this_thread(), false);
    tbb::detail::r1::execute_and_wait(t, a.context(), group, a.context());
    a.leave(this_thread());
}

// A thread of the program is suspended, and another one resumes it at any time. A persona may stand
// in for it already, or not yet. `stops`: threads may lose their CPU for a while.
template <bool stops>
struct external : onetbb::arena_suite<external<stops>, 2, 1> {
    point p;
    model_task t;
    wait_context group{1, 1};
    external() { model::stop_for = stops ? long_enough : 0; }
    void program(unsigned i)
    {
        if (i != 0) {
            p.resume();
            return;
        }
        linger(after_change);
        arena& a = model_arena(2, 1);
        t.of = &p;
        t.body = suspend_in;
        run_in(a, t, group);
        a.drop();
    }
};

// The task is resumed before the function that publishes the handle has returned.
struct at_once : onetbb::arena_suite<at_once, 1, 1> {
    model_task t;
    wait_context group{1, 1};
    void program(unsigned)
    {
        arena& a = model_arena(2, 1);
        t.body = [](model_task&) {
            onetbb::thread& me = this_thread();
            me.in->suspend(
                me,
                [](void*, suspend_point_type* handle) {
                    auto& it = reinterpret_cast<onetbb::thread&>(*handle);
                    it.in->resume(it);
                },
                nullptr);
        };
        run_in(a, t, group);
        a.drop();
    }
};

// A worker that came for an enqueued task is suspended; another persona continues in its slot, the
// only one, and leaves. Then a thread of the program may enter and leave.
struct worker : onetbb::arena_suite<worker, 2, 2> {
    point p;
    model_task t;
    model::os_event ended;
    arena& a = model_arena(1, 0);
    worker() { a.refer(); }
    void program(unsigned i)
    {
        if (i == 1) {
            p.known.wait_for(1);
            linger(long_enough);
            if (a.enter(this_thread(), false)) {
                a.leave(this_thread());
                linger(after_change);
            }
            a.drop();
            return;
        }
        t.of = &p;
        t.body = suspend_in;
        t.make(a, &ended);
        a.enqueue(t);
        p.resume();
        ended.wait_for(1);
        a.drop();
    }
};

// No workers are allowed, and only the persona that stands in can run the task that resumes the
// thread.
struct stand_in_resumes : onetbb::arena_suite<stand_in_resumes, 2, 2> {
    point p;
    model_task tasks[2];
    model::os_event ended;
    wait_context group{1, 1};
    arena& a = model_arena(1, 1);
    stand_in_resumes()
    {
        a.refer();
        limit.store(0, std::memory_order_relaxed);
    }
    void program(unsigned i)
    {
        tasks[i].of = &p;
        if (i == 0) {
            tasks[0].body = suspend_in;
            run_in(a, tasks[0], group);
        } else {
            tasks[1].body = resume_in;
            tasks[1].make(a, &ended);
            p.known.wait_for(1);
            linger(long_enough);
            a.submitted.put(tasks[1]);
            a.work_added(0);
            linger(after_change);
            ended.wait_for(1);
        }
        a.drop();
    }
};

// All slots are taken when a worker's task is resumed: by its replacement, which runs a task that
// waits for it, and by a thread that waits, which gives its slot away and needs another one in the
// end.
struct no_slot : onetbb::arena_suite<no_slot, 2, 2> {
    point p;
    model_task suspended;
    model_task waits;
    model::os_event ended;
    wait_context group{1, 2};
    arena& a = model_arena(2, 1);
    no_slot() { a.refer(); }
    void program(unsigned i)
    {
        if (i == 0) {
            a.enter(this_thread(), false);
            p.known.wait_for(1);
            tbb::detail::r1::wait(group, a.context());
            model::check(this_thread().at != nullptr, "goes on without a slot");
            a.leave(this_thread());
            a.drop();
            return;
        }
        suspended.of = &p;
        suspended.body = suspend_in;
        suspended.group = &group;
        suspended.make(a, &ended);
        a.enqueue(suspended);
        p.known.wait_for(1);
        waits.of = this;
        waits.body = [](model_task& self) { static_cast<no_slot*>(self.of)->ended.wait_for(1); };
        waits.group = &group;
        waits.make(a, nullptr);
        a.enqueue(waits);
        p.resume();
        ended.wait_for(1);
        a.drop();
    }
};

// Two threads of the program are suspended at a time, and are resumed by a third.
struct two_externals : onetbb::arena_suite<two_externals, 3, 2> {
    point p[2];
    model_task tasks[2];
    wait_context groups[2] = {{1, 1}, {1, 1}};
    arena& a = model_arena(2, 2);
    two_externals() { a.refer(); }
    void program(unsigned i)
    {
        if (i == 2) {
            p[0].resume();
            p[1].resume();
            return;
        }
        tasks[i].of = &p[i];
        tasks[i].body = suspend_in;
        run_in(a, tasks[i], groups[i]);
        a.drop();
    }
};

const std::vector<model::scenario> scenarios{
    {"a thread of the program", rl::simulate<external<false>>, 60000},
    {"resumed at once", rl::simulate<at_once>, 20000},
    {"a worker", rl::simulate<worker>, 60000},
    {"the one that stands in resumes", rl::simulate<stand_in_resumes>, 60000},
    {"no slot is free", rl::simulate<no_slot>, 60000},
    {"two threads of the program", rl::simulate<two_externals>, 60000},
    {"a thread that is stopped", rl::simulate<external<true>>, 60000},
};

const std::vector<model::breakage> breakages{
    {"what lies under a lock is given relaxed", 0, model::damage::relaxed, "spinlock.hpp",
     "unlock("},
    {"who sleeps is not woken", 0, model::damage::zero, "sleeper.cpp", "::poke("},
    {"nobody counts as absent", 0, model::damage::no_write, "suspension.cpp", "::suspend("},
    {"who stands in is not told that it is wanted no more", 6, model::damage::no_fence,
     "slot_seekers.cpp", "::grant("},
    {"who stands in is not woken for the slot", 0, model::damage::zero, "waking.cpp",
     "::wake_one("},
    {"the arena is not referred to", 2, model::damage::no_write, "arena.cpp", "::refer("},
    {"no fence before who stands in falls asleep", 3, model::damage::no_fence, "searching.cpp",
     "::seek("},
    {"no fence when a slot is looked for", 4, model::damage::no_fence, "slot_seekers.cpp",
     "::find_slot("},
    {"no fence when a slot is free", 2, model::damage::no_fence, "arena_slots.cpp", "::free_up("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
