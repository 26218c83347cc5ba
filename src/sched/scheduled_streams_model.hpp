// Streams with a scheduler of their own (scheduled_stream.hpp) on the real crew, for a model: a
// minimal interface, in which all streams run one queue under a lock, and a scheduler that runs the
// queue until it is told to stop. Included once, by the model, first.
#pragma once

#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "sched/latch.cpp"
#include "sched/scheduled_stream.cpp"

namespace artel::sched {

// No guest here has a stream of its own.
void crew_workers::guest_keeps_to_its_own() noexcept {}

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

}  // namespace
