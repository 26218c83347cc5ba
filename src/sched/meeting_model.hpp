// Jobs for models of workers: others can wait for them, and they can wait for each other. And the
// frame of scenarios in which one worker gives such a job to others.
#pragma once

#include "sched/crew_model.hpp"
#include "sched/push.hpp"

namespace artel::sched {

// A job that others can wait for, and that waits inside until `together` jobs run at the same time.
struct meeting;
struct participant : job {
    meeting* in = nullptr;
    model::plain<int> contents;
};

struct meeting {
    os_event begun;
    os_event ended;
    unsigned together = 1;

    void call(participant& p)
    {
        p.in = this;
        p.run = job::call;
        p.body = [](job& j) {
            auto& self = static_cast<participant&>(j);
            model::check(self.contents.get() == 7, "run without its contents, or twice");
            self.contents.set(8);
            self.in->begun.add();
            self.in->begun.wait_for(self.in->together);
            self.in->ended.add();
        };
        p.contents.set(7);
    }
};

// Worker 0 makes a job visible at a moment when the others may be in any stage of falling asleep,
// and blocks; the others work until it has been run. A Scenario has give(w), which makes `p`
// visible; w is worker 0.
template <class Scenario, unsigned workers, unsigned width = workers>
struct one_gives : rl::test_suite<Scenario, workers>, model_crew<workers, width> {
    meeting m;
    participant p;
    void thread(unsigned i)
    {
        worker& w = this->begin(i);
        if (i != 0) {
            this->serve();
            return;
        }
        m.call(p);
        linger(long_enough);
        static_cast<Scenario&>(*this).give(w);
        linger(after_push);
        m.ended.wait_for(1);
        for (unsigned other = 1; other < workers; ++other) {
            this->release(other);
        }
    }
};

}  // namespace artel::sched
