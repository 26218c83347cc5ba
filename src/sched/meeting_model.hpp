// Jobs for models of workers: others can wait for them, and they can wait for each other.
#pragma once

#include "sched/crew_model.hpp"

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

}  // namespace artel::sched
