// scheduled_stream.cpp and sleep_word.hpp under many interleavings, on the real crew, with a
// minimal interface (one queue under a lock for all streams): the context that holds a stream is
// alone on it and sees its predecessor's writes, on any worker; all that is pushed or made ready is
// run, also when the stream falls asleep or its scheduler itself waits meanwhile; and a stream that
// is told to end does so once. Forgotten work is a deadlock.
#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "sched/latch.cpp"
#include "sched/scheduled_stream.cpp"

#include "base/run_model.hpp"

namespace artel::sched {

// No guest here has a stream of its own.
void crew::guest_keeps_to_its_own() noexcept {}

}  // namespace artel::sched

namespace {

using namespace artel;
using sched::linger;

constexpr unsigned workers = 3;

struct place;

// A unit that runs a function of the model, once.
struct job : sched::scheduled_unit {
    place* in = nullptr;  // where it runs
    void (*body)(job&) = nullptr;
    void* of = nullptr;
    job* after = nullptr;  // in the queue
    bool is_root = false;
};

job& on(const fiber::fiber& f)
{
    return *static_cast<job*>(f.unit);
}

// The queue that all streams run.
struct shared_queue {
    base::spinlock lock;
    job* first = nullptr;
    job* last = nullptr;
    place* streams = nullptr;

    void push(job& j);
    job* pop()
    {
        const std::scoped_lock hold(lock);
        job* const j = first;
        if (j != nullptr) {
            first = j->after;
        }
        return j;
    }
};

// A stream, and a scheduler that runs the queue until it is told to stop.
struct place : sched::scheduled_stream {
    shared_queue* queue = nullptr;
    place* other = nullptr;
    std::atomic<bool> stop{false};
    sched::os_event ended;
    job root;
    // Stands for data that a program keeps per stream without locks; and the present holder.
    model::plain<int> used;
    const void* inside = nullptr;
    void (*between)(place&) = nullptr;  // what the scheduler does after the next unit

    void start(shared_queue& q);
    bool anything()
    {
        // relaxed: ordered by the fences around the sleep word.
        if (stop.load(std::memory_order_relaxed)) {
            return true;
        }
        const std::scoped_lock hold(queue->lock);
        return queue->first != nullptr;
    }
    void finish()
    {
        stop.store(true, std::memory_order_relaxed);  // relaxed: as in anything()
        base::full_fence();
        if (sleep.poke()) {
            sched::activate(*this);
        }
    }
    // Takes several steps; called by the holder of the stream.
    void use(const void* by)
    {
        model::check(inside == nullptr, "two at a time");
        inside = by;
        used.set(used.get() + 1);
        model::yield();
        model::yield();
        model::check(inside == by, "two at a time");
        inside = nullptr;
    }
};

void shared_queue::push(job& j)
{
    lock.lock();
    j.after = nullptr;
    (first != nullptr ? last->after : first) = &j;
    last = &j;
    lock.unlock();
    if (model::broken("whoever brings a unit does not look whether a stream sleeps")) {
        return;
    }
    for (place* p = streams; p != nullptr; p = p->other) {
        if (p->sleep.poke()) {
            sched::activate(*p);
            return;
        }
    }
}

void push_back(fiber::carrier&, fiber::fiber& previous, void*)
{
    job& j = on(previous);
    j.in->queue->push(j);  // from here on it may run elsewhere
}

class place_rules final : public sched::stream_rules {
public:
    bool suspend(sched::worker& w, fiber::after_switch after,
                 void* argument) const noexcept override
    {
        job& j = on(*w.current);
        if (j.is_root) {
            return sched::suspend_root(w, after, argument);
        }
        if (model::broken("a unit can be made ready before its context is saved")) {
            after(w, *w.current, argument);
            linger(sched::long_enough);
            sched::pass_stream(*j.caller, nullptr, nullptr);
        } else {
            sched::pass_stream(*j.caller, after, argument);
        }
        return true;
    }
    bool yield(sched::worker& w) const noexcept override
    {
        job& j = on(*w.current);
        if (!j.is_root) {
            sched::pass_stream(*j.caller, push_back, nullptr);
        }
        return !j.is_root;
    }
    void make_ready(fiber::fiber& f) const noexcept override
    {
        job& j = on(f);
        if (j.is_root) {
            j.in->resumed = &f;
            sched::activate(*j.in);
        } else {
            j.in->queue->push(j);
        }
    }
    void leave(sched::stream&) const noexcept override {}
};

const place_rules the_rules;

void run_job(fiber::fiber& f)
{
    job& j = on(f);
    j.body(j);
    sched::pass_stream_and_end(*j.caller, nullptr, nullptr);
}

void end_place(fiber::carrier&, fiber::fiber&, void* of)
{
    static_cast<place*>(of)->ended.add();
}

void run_place(fiber::fiber& f)
{
    place& p = *on(f).in;
    for (;;) {
        if (job* const j = p.queue->pop(); j != nullptr) {
            p.use(&p);
            if (j->on == nullptr) {
                j->on = fiber::create_plain(run_job);
                model::check(j->on != nullptr, "the model has too few stacks");
                j->on->unit = j;
            }
            j->in = &p;
            j->caller = &f;
            sched::pass_stream(*j->on, nullptr, nullptr);
            if (auto* const what = std::exchange(p.between, nullptr); what != nullptr) {
                what(p);
            }
            if (sched::others_wait(*sched::this_worker())) {
                sched::rest(p);
            }
            continue;
        }
        if (model::broken("the scheduler does not look again before it sleeps")) {
            p.sleep.announce();
            sched::sleep_root(p);
            continue;
        }
        p.sleep.announce();
        if (!p.anything()) {
            sched::sleep_root(p);
            continue;
        }
        p.sleep.stay_awake();
        // relaxed: as in anything().
        if (p.stop.load(std::memory_order_relaxed)) {
            p.use(&p);
            sched::end_stream(end_place, &p);
        }
    }
}

void place::start(shared_queue& q)
{
    queue = &q;
    sched::stream::rules = &the_rules;
    root.unit::rules = &the_rules;
    root.is_root = true;
    root.in = this;
    fiber::fiber* const f = fiber::create_plain(run_place);
    f->unit = &root;
    f->stream = this;
    resumed = f;
    sched::activate(*this);
}

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
