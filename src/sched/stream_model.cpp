// stream.cpp, stream_group.cpp and pool.cpp under many interleavings, on the real crew: units of a
// stream run one at a time, and each sees its predecessor's writes; every unit that is pushed, made
// ready, moved or left behind is run, while streams fall asleep, are disabled or go away. A
// forgotten unit is a deadlock.
#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "sched/latch.cpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using sched::linger;

constexpr unsigned workers = 3;
constexpr unsigned most_streams = 3;

// A unit that runs a function of the model, once.
struct job : sched::unit {
    void (*body)(job&) = nullptr;
    void* in = nullptr;
    model::plain<int> contents;

    void prepare(void* of, void (*what)(job&), bool may_be_taken = false)
    {
        in = of;
        body = what;
        stays = !may_be_taken;
        contents.set(7);
        run = [](void*, base::work& self) {
            auto& j = static_cast<job&>(static_cast<sched::unit&>(self));
            model::check(j.contents.get() == 7, "run without its contents, or twice");
            j.contents.set(8);
            j.body(j);
        };
    }
};

template <unsigned pools, unsigned streams_each>
struct on_streams : sched::model_crew<workers, workers> {
    static constexpr unsigned streams = pools * streams_each;
    static_assert(streams <= most_streams);
    sched::stream_group group{pools, streams_each};
    sched::os_event ended;
    // Stands for data that a program keeps per stream without locks.
    model::plain<int> used[streams];
    const void* inside[streams] = {};

    on_streams() { model::stop_for = 0; }

    // Takes several steps; called by the only unit on its stream.
    void use(const void* by)
    {
        const unsigned n = sched::this_stream()->number;
        model::check(inside[n] == nullptr, "two units of a stream at a time");
        inside[n] = by;
        used[n].set(used[n].get() + 1);
        model::yield();
        model::yield();
        model::check(inside[n] == by && sched::this_stream()->number == n,
                     "two units of a stream at a time");
        inside[n] = nullptr;
    }
    // The other workers work until all counted units have ended.
    void wait_and_release(std::uint32_t n)
    {
        linger(sched::after_push);
        ended.wait_for(n);
        this->release(1);
        this->release(2);
    }
};

// Three units on one stream, pushed by two workers, which hand the stream to each other now and
// then.
struct one_at_a_time : rl::test_suite<one_at_a_time, workers>, on_streams<1, 1> {
    job jobs[3];
    one_at_a_time() { model::stop_for = 60; }
    static void yielding(job& j)
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
    job jobs[2];
    sched::os_event begun;
    static void meet(job& j)
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
        for (job& j : jobs) {
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
    job holder;
    job others[2];
    sched::os_event done;
    static void hold(job& j)
    {
        auto& self = *static_cast<taken*>(j.in);
        for (job& other : self.others) {
            other.prepare(
                j.in,
                [](job& o) {
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
    job waiter;
    job setter;
    sched::latch event;
    model::plain<int> on_stack;  // stands for the waiter's frames
    model::plain<int> result;
    static void wait(job& j)
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
    static void set(job& j)
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

// A unit goes to another pool, the home of other units, and back.
struct moves : rl::test_suite<moves, workers>, on_streams<2, 1> {
    job mover;
    job settled;
    static void move(job& j)
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
    static void stay(job& j)
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
    job jobs[3];
    sched::unit program;
    static void work(job& j)
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

// While a unit waits in the kernel others have its stream.
struct blocks : rl::test_suite<blocks, workers>, on_streams<1, 1> {
    job blocked;
    job other;
    sched::os_event event;
    static void block(job& j)
    {
        auto& self = *static_cast<blocks*>(j.in);
        self.use(&j);
        sched::begin_to_block();
        self.event.wait_for(1);
        sched::end_to_block();
        self.use(&j);
        self.ended.add();
    }
    static void unblock(job& j)
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

// One of two streams is disabled while it is woken for a unit: the other runs it.
struct disabled : rl::test_suite<disabled, workers>, on_streams<1, 2> {
    job jobs[2];
    static void work(job& j)
    {
        auto& self = *static_cast<disabled*>(j.in);
        self.use(&j);
        self.ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            for (job& j : jobs) {
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

// A stream falls asleep and is woken again at once, while another thread has work for another
// sleeping stream.
struct both_woken : rl::test_suite<both_woken, workers>, on_streams<2, 1> {
    job jobs[3];
    both_woken() { model::stop_for = 20; }
    static void work(job& j)
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

// Pools are closed, one after the other, while units are pushed there and made ready: they run
// elsewhere. Later they are opened again.
template <unsigned pools>
struct closed : rl::test_suite<closed<pools>, workers>, on_streams<pools, 1> {
    job jobs[2];
    sched::latch event;
    static void work(job& j)
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
    {"one unit at a time", rl::simulate<one_at_a_time>, 50000, 200000},
    {"two streams of a pool", rl::simulate<two_streams>, 50000},
    {"taken by another stream", rl::simulate<taken>, 50000},
    {"a unit waits", rl::simulate<waits>, 50000},
    {"a unit moves", rl::simulate<moves>, 50000},
    {"finalized while units are queued", rl::simulate<finalized>, 50000},
    {"a unit blocks", rl::simulate<blocks>, 50000},
    {"a stream is disabled", rl::simulate<disabled>, 50000},
    {"a pool is closed", rl::simulate<closed<2>>, 50000},
    {"two pools are closed", rl::simulate<closed<3>>, 50000},
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
    {"a disabled stream wakes nobody", 7, model::damage::zero, "stream_group.cpp",
     "::wake_instead("},
    {"a closed pool is left relaxed", 8, model::damage::relaxed, "spinlock.hpp", "::unlock("},
    {"only own streams are woken", 2, model::damage::zero, "stream_group.cpp", "::wake_one("},
    {"a pool is left relaxed", 0, model::damage::relaxed, "spinlock.hpp", "::unlock("},
    {"a unit is ready before its context is saved", 3, model::damage::custom},
    {"the stream is used after it was left", 5, model::damage::custom},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
