// As stream_model.cpp, while units move to other pools, streams are disabled, pools are closed, and
// the program's thread goes away and comes back: every unit is run.
#include "sched/streams_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using sched::linger;
using sched::model_unit;
using sched::on_streams;
using sched::workers;

// A unit goes to another pool, the home of other units, and back.
struct moves : rl::test_suite<moves, workers>, on_streams<2, 1> {
    model_unit mover;
    model_unit settled;
    static void move(model_unit& j)
    {
        auto& self = *static_cast<moves*>(j.in);
        self.use(&j);
        for (const unsigned to : {1u, 0u}) {
            sched::move_to(self.group.pool_at(to));
            model::check(sched::this_stream()->number == to, "not where it wanted to be");
            self.use(&j);
        }
        self.ended.add();
    }
    static void stay(model_unit& j)
    {
        auto& self = *static_cast<moves*>(j.in);
        for (int n = 0; n < 2; ++n) {
            model::check(sched::this_stream()->number == 1, "not at home");
            self.use(&j);
            sched::yield_unit();
        }
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            mover.prepare(this, move);
            group.pool_at(0).push(mover);
            wait_and_release(2);
            return;
        }
        if (i == 2) {
            settled.prepare(this, stay);
            linger(sched::long_enough);
            group.pool_at(1).push(settled);
        }
        serve();
    }
};

// The program's thread holds the first stream, goes away while units are queued, and comes back
// while they run or still are: as qthread_finalize and the next qthread_initialize.
struct finalized : rl::test_suite<finalized, workers>, on_streams<2, 1> {
    model_unit jobs[3];
    sched::unit program;
    static void work(model_unit& j)
    {
        auto& self = *static_cast<finalized*>(j.in);
        self.use(&j);
        sched::yield_unit();
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
        group.join(program);
        for (unsigned n = 0; n < 2; ++n) {
            jobs[n].prepare(this, work);
            group.pool_at(n).push(jobs[n]);
            linger(sched::after_push);
        }
        use(&program);
        sched::yield_unit();
        use(&program);
        group.leave();
        if (model::broken("the stream is used after it was left")) {
            linger(sched::long_enough);
            used[0].set(used[0].get() + 1);
        }
        jobs[2].prepare(this, work);
        group.pool_at(0).push(jobs[2]);
        linger(sched::long_enough);
        group.join(program);
        model::check(sched::this_stream()->number == 0, "not where the program lives");
        use(&program);
        group.leave();
        wait_and_release(3);
    }
};

// One of two streams is disabled while it is woken for a unit: the other runs it.
struct disabled : rl::test_suite<disabled, workers>, on_streams<1, 2> {
    model_unit jobs[2];
    static void work(model_unit& j)
    {
        auto& self = *static_cast<disabled*>(j.in);
        self.use(&j);
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            for (model_unit& j : jobs) {
                j.prepare(this, work);
                linger(sched::long_enough);
                group.pool_at(0).push(j);
            }
            wait_and_release(2);
            return;
        }
        if (i == 2) {
            linger(sched::long_enough);
            group.enable(group.stream_at(0), false);
            linger(sched::after_push);
        }
        serve();
    }
};

// Pools are closed, one after the other, while units are pushed there and made ready: they run
// elsewhere. Later they are opened again.
template <unsigned pools>
struct closed : rl::test_suite<closed<pools>, workers>, on_streams<pools, 1> {
    model_unit jobs[2];
    sched::latch event;
    static void work(model_unit& j)
    {
        auto& self = *static_cast<closed*>(j.in);
        self.use(&j);
        if (&j == &self.jobs[0]) {
            self.event.wait_without_spinning();
            self.use(&j);
        }
        self.ended.add();
    }
    void thread(unsigned i)
    {
        this->begin(i);
        sched::pool& last = this->group.pool_at(pools - 1);
        if (i == 0) {
            jobs[0].prepare(this, work);
            last.push(jobs[0]);
            linger(sched::long_enough);
            jobs[1].prepare(this, work);
            last.push(jobs[1]);
            event.set();
            this->wait_and_release(2);
            return;
        }
        if (i == 2) {
            linger(sched::long_enough);
            for (unsigned n = pools - 1; n != 0; --n) {
                this->group.enable(this->group.stream_at(n), false);
                this->group.pool_at(n).redirect(&this->group.pool_at(n - 1));
            }
            linger(sched::long_enough);
            if (rl::rand(2) != 0) {
                last.redirect(nullptr);
                this->group.enable(this->group.stream_at(pools - 1), true);
            }
        }
        this->serve();
    }
};

const std::vector<model::scenario> scenarios{
    {"a unit moves", rl::simulate<moves>, 50000},
    {"finalized while units are queued", rl::simulate<finalized>, 50000},
    {"a stream is disabled", rl::simulate<disabled>, 50000},
    {"a pool is closed", rl::simulate<closed<2>>, 50000},
    {"two pools are closed", rl::simulate<closed<3>>, 50000},
};

const std::vector<model::breakage> breakages{
    {"a disabled stream wakes nobody", 2, model::damage::zero, "stream_group.cpp",
     "::wake_instead("},
    {"a closed pool is left relaxed", 3, model::damage::relaxed, "spinlock.hpp", "::unlock("},
    {"the stream is used after it was left", 1, model::damage::custom},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
