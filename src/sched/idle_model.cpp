// idle.cpp and search.cpp under many interleavings: visible work is never left while all workers
// that could take it sleep (PROTOCOLS.md, lemmas 1 and 2). The pushers never look at their own
// queues again, so a lost notification is a deadlock.
#include "sched/crew_model.hpp"
#include "sched/meeting_model.hpp"
#include "sched/push.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using sched::after_push;
using sched::job;
using sched::linger;
using sched::long_enough;
using sched::meeting;
using sched::participant;

// Worker 0 pushes one job and blocks; worker 1 must run it, in any stage of falling asleep.
struct one_job : sched::one_gives<one_job, 2> {
    void give(sched::worker& w) { push(w, p); }
};

// The same with a post into the inbox of the worker that falls asleep.
struct one_post : sched::one_gives<one_post, 2> {
    void give(sched::worker&) { sched::post(number(1), p, p); }
};

// Worker 0 pushes two jobs, and then waits for them and releases the others, in an order of the
// suite's.
template <class Suite>
struct two_pushes : rl::test_suite<Suite, 3>, sched::model_crew<3, 3> {
    meeting m;
    participant p[2];
    void thread(unsigned i)
    {
        sched::worker& w = begin(i);
        if (i != 0) {
            serve();
            return;
        }
        m.call(p[0]);
        m.call(p[1]);
        linger(long_enough);
        push(w, p[0]);
        linger(long_enough / 4);
        push(w, p[1]);
        linger(after_push);
        static_cast<Suite*>(this)->finish();
    }
};

// The jobs need each other, and worker 0 blocks: workers 1 and 2 must both get up. The searcher
// that finds the first has to hand its duty on.
struct two_jobs : two_pushes<two_jobs> {
    two_jobs() { m.together = 2; }
    void finish()
    {
        m.ended.wait_for(2);
        release(1);
        release(2);
    }
};

// Workers 0 and 1 push one job each, which need each other; workers 2 and 3 must both get up.
struct two_pushers : rl::test_suite<two_pushers, 4>, sched::model_crew<4, 4> {
    meeting m;
    participant p[2];
    two_pushers() { m.together = 2; }
    void thread(unsigned i)
    {
        sched::worker& w = begin(i);
        if (i >= 2) {
            serve();
            return;
        }
        m.call(p[i]);
        linger(long_enough);
        push(w, p[i]);
        linger(after_push);
        m.ended.wait_for(2);
        if (i == 0) {
            release(2);
            release(3);
        }
    }
};

// Worker 0 offers a job to worker 1 (offer.hpp), posts it when no offer is wanted, and perhaps
// withdraws the offer: it runs exactly once.
struct one_offer : sched::one_gives<one_offer, 2> {
    struct offered : base::work {
        model::plain<participant*> what;
    };
    offered item;
    static void taken(void* here, base::work& self)
    {
        model::check(static_cast<sched::worker*>(here)->offers.argument() == 5,
                     "an offer's argument is lost");
        job::call(here, *static_cast<offered&>(self).what.get());
    }
    void give(sched::worker&)
    {
        item.run = taken;
        item.what.set(&p);
        if (!sched::offer(number(1), item, 5)) {
            sched::post(number(1), p, p);
            return;
        }
        linger(long_enough);
        unsigned argument = 0;
        if (rl::rand(2) != 0 && number(1).offers.withdraw(item, argument)) {
            job::call(nullptr, p);
        }
    }
};

// Worker 0 pushes a job that thieves are asked to leave alone for a moment, takes it back, pushes
// it again and blocks: worker 1 must run it, whichever push it saw first.
struct one_ticket : sched::one_gives<one_ticket, 2> {
    void give(sched::worker& w)
    {
        w.tasks.delay_thieves(true);
        push(w, p);
        linger(long_enough / 4);
        if (sched::take_back(w, p)) {
            push(w, p);
        }
    }
};

// The thread of worker 1 is released, and takes no more part, at a moment when it may have been
// woken for work and others rely on its search: the second of two jobs needs worker 2.
struct released_meanwhile : two_pushes<released_meanwhile> {
    void finish()
    {
        release(1);
        m.ended.wait_for(2);
        release(2);
    }
};

const std::vector<model::scenario> scenarios{
    {"one job", rl::simulate<one_job>, 100000},
    {"one post", rl::simulate<one_post>, 100000},
    {"two jobs that need each other", rl::simulate<two_jobs>, 100000},
    {"two pushers, two sleepers", rl::simulate<two_pushers>, 200000},
    {"one offer", rl::simulate<one_offer>, 100000},
    {"left alone for a moment", rl::simulate<one_ticket>, 100000},
    {"released meanwhile", rl::simulate<released_meanwhile>, 200000},
};

const std::vector<model::breakage> breakages{
    {"no fence before the last look", 0, model::damage::no_fence, "idle.cpp", "::look_for_work("},
    {"no fence in notify", 0, model::damage::no_fence, "crew_wakeup.hpp", "notify("},
    {"no fence in post", 1, model::damage::no_fence, "push.cpp", "post("},
    {"the searcher's duty is not handed on", 2, model::damage::zero, "search.cpp", "::end_search("},
    {"no fence after an offer", 4, model::damage::no_fence, "push.cpp", "offer("},
    {"an offer is published relaxed", 4, model::damage::relaxed, "offer.hpp", "::make("},
    {"a taken offer is not claimed", 4, model::damage::no_write, "offer.hpp", "::take("},
    {"left alone for ever", 5, model::damage::no_write, "steal.cpp", "::too_young("},
    {"notify wakes nobody", 0, model::damage::no_write, "parker.hpp", "::unpark("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
