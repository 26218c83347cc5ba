// scheduled_stream.cpp and sleep_word.hpp under many interleavings, on the real crew, with a
// minimal interface (scheduled_streams_model.hpp): the context that holds a stream is alone on it
// and sees its predecessor's writes, on any worker; all that is pushed or made ready is run, also
// when the stream falls asleep or its scheduler itself waits meanwhile; and a stream that is told
// to end does so once. Forgotten work is a deadlock.
#include "sched/scheduled_streams_model.hpp"

#include "base/run_model.hpp"

namespace {

template <unsigned how_many>
struct on_places : sched::model_crew<workers, workers> {
    shared_queue queue;
    place places[how_many];
    sched::os_event done;

    on_places()
    {
        model::stop_for = 0;
        for (place& p : places) {
            p.other = std::exchange(queue.streams, &p);
        }
    }
    void start_all()
    {
        for (place& p : places) {
            p.local = this;
            p.start(queue);
        }
    }
    void give(job& j, void (*what)(job&))
    {
        j.unit::rules = &the_rules;
        j.of = this;
        j.body = what;
        linger(sched::long_enough);
        queue.push(j);
        linger(sched::after_push);
    }
    // The other workers work until all has ended.
    void end_all(std::uint32_t jobs)
    {
        done.wait_for(jobs);
        for (place& p : places) {
            linger(sched::long_enough);
            p.finish();
            linger(sched::after_push);
            p.ended.wait_for(1);
        }
        this->release(1);
        this->release(2);
    }
};

// Three units, from two threads; they let each other go first.
template <unsigned streams>
struct yielding : rl::test_suite<yielding<streams>, workers>, on_places<streams> {
    job jobs[3];
    static void work(job& j)
    {
        auto& self = *static_cast<yielding*>(j.of);
        j.in->use(&j);
        sched::yield_unit();
        j.in->use(&j);
        self.done.add();
    }
    void thread(unsigned i)
    {
        this->begin(i);
        if (i == 0) {
            this->start_all();
            this->give(jobs[0], work);
            this->give(jobs[1], work);
            this->end_all(3);
            return;
        }
        if (i == 2) {
            this->give(jobs[2], work);
        }
        this->serve();
    }
};

// A unit waits for another, and continues on any stream.
template <unsigned streams>
struct waiting : rl::test_suite<waiting<streams>, workers>, on_places<streams> {
    job waiter;
    job setter;
    sched::latch event;
    model::plain<int> on_stack;  // stands for the waiter's frames
    model::plain<int> result;
    static void wait(job& j)
    {
        auto& self = *static_cast<waiting*>(j.of);
        self.on_stack.set(5);
        j.in->use(&j);
        self.event.wait_without_spinning();
        model::check(self.on_stack.get() == 5, "own frames not seen");
        model::check(self.result.get() == 1, "what was done before is not seen");
        j.in->use(&j);
        self.done.add();
    }
    static void set(job& j)
    {
        auto& self = *static_cast<waiting*>(j.of);
        j.in->use(&j);
        self.result.set(1);
        self.event.set();
        self.done.add();
    }
    void thread(unsigned i)
    {
        this->begin(i);
        if (i != 0) {
            this->serve();
            return;
        }
        this->start_all();
        this->give(waiter, wait);
        this->give(setter, set);
        this->end_all(2);
    }
};

// The scheduler itself waits for a unit of another stream; its own stream waits as a whole.
struct scheduler_waits : rl::test_suite<scheduler_waits, workers>, on_places<2> {
    job beginner;
    job setter;
    sched::latch event;
    model::plain<int> result;
    static void first(job& j)
    {
        j.in->use(&j);
        j.in->between = [](place& p) {
            auto& in = *static_cast<scheduler_waits*>(p.local);
            p.use(&p);
            in.event.wait_without_spinning();
            model::check(in.result.get() == 1, "what was done before is not seen");
            p.use(&p);
            in.done.add();
        };
    }
    static void set(job& j)
    {
        auto& self = *static_cast<scheduler_waits*>(j.of);
        j.in->use(&j);
        self.result.set(1);
        self.event.set();
        self.done.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            serve();
            return;
        }
        start_all();
        give(beginner, first);
        give(setter, set);
        end_all(2);
    }
};

using one_stream = yielding<1>;
using two_streams = yielding<2>;
using waits_on_one = waiting<1>;
using waits_on_two = waiting<2>;

const std::vector<model::scenario> scenarios{
    {"one stream", rl::simulate<one_stream>, 20000},
    {"two streams", rl::simulate<two_streams>, 20000},
    {"a unit waits on one stream", rl::simulate<waits_on_one>, 20000},
    {"a unit waits on two streams", rl::simulate<waits_on_two>, 20000},
    {"the scheduler waits", rl::simulate<scheduler_waits>, 20000},
};

const std::vector<model::breakage> breakages{
    {"whoever brings a unit does not look whether a stream sleeps", 0, model::damage::custom},
    {"the scheduler does not look again before it sleeps", 0, model::damage::custom},
    {"a unit can be made ready before its context is saved", 3, model::damage::custom},
    {"no fence between announcing sleep and the look", 0, model::damage::no_fence, "sleep_word.hpp",
     "announce("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
