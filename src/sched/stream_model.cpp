// stream.cpp, stream_group.cpp and pool.cpp under many interleavings, on the real crew: units of a
// stream run one at a time, and each sees its predecessor's writes; every unit that is pushed, made
// ready or left behind is run, while streams fall asleep. A forgotten unit is a deadlock.
#include "sched/streams_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using sched::linger;
using sched::model_unit;
using sched::on_streams;
using sched::workers;

// Three units on one stream, pushed by two workers, which hand the stream to each other now and
// then.
struct one_at_a_time : rl::test_suite<one_at_a_time, workers>, on_streams<1, 1> {
    model_unit jobs[3];
    one_at_a_time() { model::stop_for = 60; }
    static void yielding(model_unit& j)
    {
        auto& self = *static_cast<one_at_a_time*>(j.in);
        self.use(&j);
        sched::yield_unit();
        self.ended.add();
        self.use(&j);  // last, so that only the stream orders it for the next unit
    }
    void push(unsigned n)
    {
        jobs[n].prepare(this, yielding);
        linger(sched::long_enough);
        group.pool_at(0).push(jobs[n]);
        linger(sched::after_push);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            push(0);
            push(1);
            wait_and_release(3);
            return;
        }
        if (i == 2) {
            push(2);
        }
        serve();
    }
};

// Two streams of one pool must both wake up, for two units that need each other.
struct two_streams : rl::test_suite<two_streams, workers>, on_streams<1, 2> {
    model_unit jobs[2];
    sched::os_event begun;
    static void meet(model_unit& j)
    {
        auto& self = *static_cast<two_streams*>(j.in);
        self.begun.add();
        self.begun.wait_for(2);
        self.use(&j);
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            serve();
            return;
        }
        for (model_unit& j : jobs) {
            j.prepare(this, meet);
            linger(sched::long_enough);
            group.pool_at(0).push(j);
        }
        wait_and_release(2);
    }
};

// The holder of a stream waits for units in its pool that others may take: the stream of another
// pool takes them.
struct taken : rl::test_suite<taken, workers>, on_streams<2, 1> {
    model_unit holder;
    model_unit others[2];
    sched::os_event done;
    static void hold(model_unit& j)
    {
        auto& self = *static_cast<taken*>(j.in);
        for (model_unit& other : self.others) {
            other.prepare(
                j.in,
                [](model_unit& o) {
                    auto& in = *static_cast<taken*>(o.in);
                    model::check(sched::this_stream()->number == 1, "on a stream that is busy");
                    in.use(&o);
                    in.done.add();
                    in.ended.add();
                },
                true);
            self.group.pool_at(0).push(other);
            linger(sched::long_enough);
        }
        self.done.wait_for(2);
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            serve();
            return;
        }
        holder.prepare(this, hold);
        group.pool_at(0).push(holder);
        wait_and_release(3);
    }
};

// A unit waits for another of the same stream, which runs meanwhile; a third comes from elsewhere.
struct waits : rl::test_suite<waits, workers>, on_streams<1, 1> {
    model_unit waiter;
    model_unit setter;
    sched::latch event;
    model::plain<int> on_stack;  // stands for the waiter's frames
    model::plain<int> result;
    static void wait(model_unit& j)
    {
        auto& self = *static_cast<waits*>(j.in);
        self.on_stack.set(5);
        self.use(&j);
        if (model::broken("a unit is ready before its context is saved")) {
            j.home->push(*sched::this_worker()->current);
            linger(sched::long_enough);
            sched::suspend(nullptr, nullptr);
        } else {
            self.event.wait_without_spinning();
        }
        model::check(self.on_stack.get() == 5, "own frames not seen");
        model::check(self.result.get() == 1, "what was done before is not seen");
        self.use(&j);
        self.ended.add();
    }
    static void set(model_unit& j)
    {
        auto& self = *static_cast<waits*>(j.in);
        self.use(&j);
        self.result.set(1);
        self.event.set();
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            waiter.prepare(this, wait);
            group.pool_at(0).push(waiter);
            wait_and_release(2);
            return;
        }
        if (i == 2) {
            setter.prepare(this, set);
            linger(sched::long_enough);
            group.pool_at(0).push(setter);
        }
        serve();
    }
};

// While a unit waits in the kernel others have its stream.
struct blocks : rl::test_suite<blocks, workers>, on_streams<1, 1> {
    model_unit blocked;
    model_unit other;
    sched::os_event event;
    static void block(model_unit& j)
    {
        auto& self = *static_cast<blocks*>(j.in);
        self.use(&j);
        sched::begin_to_block();
        self.event.wait_for(1);
        sched::end_to_block();
        self.use(&j);
        self.ended.add();
    }
    static void unblock(model_unit& j)
    {
        auto& self = *static_cast<blocks*>(j.in);
        self.use(&j);
        self.event.add();
        self.use(&j);
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            serve();
            return;
        }
        blocked.prepare(this, block);
        group.pool_at(0).push(blocked);
        linger(sched::long_enough);
        other.prepare(this, unblock);
        group.pool_at(0).push(other);
        wait_and_release(2);
    }
};

// A stream falls asleep and is woken again at once, while another thread has work for another
// sleeping stream.
struct both_woken : rl::test_suite<both_woken, workers>, on_streams<2, 1> {
    model_unit jobs[3];
    both_woken() { model::stop_for = 20; }
    static void work(model_unit& j)
    {
        auto& self = *static_cast<both_woken*>(j.in);
        self.use(&j);
        self.ended.add();
    }
    void push(unsigned n, unsigned to)
    {
        jobs[n].prepare(this, work);
        group.pool_at(to).push(jobs[n]);
        linger(sched::after_push);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            push(0, 1);
            push(1, 1);
            wait_and_release(3);
            return;
        }
        if (i == 2) {
            linger(sched::long_enough);
            push(2, 0);
        }
        serve();
    }
};

const std::vector<model::scenario> scenarios{
    {"one unit at a time", rl::simulate<one_at_a_time>, 50000, 200000},
    {"two streams of a pool", rl::simulate<two_streams>, 50000},
    {"taken by another stream", rl::simulate<taken>, 50000},
    {"a unit waits", rl::simulate<waits>, 50000},
    {"a unit blocks", rl::simulate<blocks>, 50000},
    {"both streams are woken", rl::simulate<both_woken>, 100000},
};

const std::vector<model::breakage> breakages{
    {"no fence in push", 0, model::damage::no_fence, "pool.cpp", "pool::push("},
    {"no fence when falling asleep", 0, model::damage::no_fence, "stream_group.cpp",
     "::fall_asleep("},
    {"a stream falls asleep relaxed", 0, model::damage::relaxed, "stream_group.cpp",
     "::fall_asleep("},
    {"a stream is claimed by two", 0, model::damage::no_write, "stream_group.cpp", "::claim("},
    {"who falls asleep is not in the idle set", 0, model::damage::no_write, "stream_group.cpp",
     "::fall_asleep("},
    {"who falls asleep does not look again", 0, model::damage::zero, "stream_group.cpp",
     "::anything_for("},
    {"only own streams are woken", 2, model::damage::zero, "stream_group.cpp", "::wake_one("},
    {"a pool is left relaxed", 0, model::damage::relaxed, "spinlock.hpp", "::unlock("},
    {"a unit is ready before its context is saved", 3, model::damage::custom},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
