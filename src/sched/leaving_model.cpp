// As idle_model.cpp, but guests leave, and reserves rest, end and are woken: visible work is never
// left while all workers that could take it sleep, and work that is posted to a guest or a reserve
// that ends is run.
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

// Worker 2 is a reserve: it searches, and then rests outside the idle set. A notify that relied on
// its search must not lose its work.
struct reserve_gives_up : sched::one_gives<reserve_gives_up, 3> {
    reserve_gives_up() { number(2).kind = sched::role::reserve; }
    void give(sched::worker& w) { push(w, p); }
};

// Reserve 1 is told to end when it has nothing to do, and is posted a job meanwhile: it runs the
// job before it ends, or the poster forwards it to worker 2, even without notify().
struct reserve_ends : rl::test_suite<reserve_ends, 3>, sched::model_crew<3, 3> {
    meeting m;
    participant p;
    sched::os_event posted;
    sched::os_event gone;
    reserve_ends()
    {
        number(1).kind = sched::role::reserve;
        sched::model_forward_to = &number(2);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            serve();
            gone.add();
        } else if (i == 0) {
            m.call(p);
            linger(long_enough);
            number(1).to_end.store(true, std::memory_order_relaxed);
            number(1).bed.unpark();
            linger(long_enough);
            sched::post(number(1), p, p);
            posted.add();
        } else {
            posted.wait_for(1);
            release(1);
            gone.wait_for(1);
            model::check(!number(1).vacant.load(std::memory_order_relaxed) ||
                             p.contents.get() == 8 || !number(2).mail.empty(),
                         "left with a reserve that has ended");
        }
    }
};

// The monitor tells reserve 1, which may be awake because it has mail, to end, while worker 2 wakes
// it to help: a reserve that worker 2 was given does not end. A reserve that runs work is no longer
// awaited.
struct reserve_wakes : rl::test_suite<reserve_wakes, 3>, sched::model_crew<3, 3> {
    struct look : job {
        const sched::worker* reserve = nullptr;
        sched::os_event done;
    };
    look p;
    bool got = false;  // by worker 2
    sched::os_event woken;
    sched::os_event gone;
    reserve_wakes() { number(1).kind = sched::role::reserve; }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            serve();
            gone.add();
            return;
        }
        if (i == 2) {
            linger(2 * long_enough);
            got = wake_reserve();
            woken.add();
            return;
        }
        p.reserve = &number(1);
        p.run = job::call;
        p.body = [](job& j) {
            auto& self = static_cast<look&>(j);
            model::check(!self.reserve->arriving.load(std::memory_order_relaxed),
                         "awaited though it is there");
            self.done.add();
        };
        const bool mail_first = rl::rand(2) != 0;
        linger(long_enough);
        if (mail_first) {
            sched::post(number(1), p, p);
            linger(long_enough / 2);
        }
        linger(long_enough);
        end_reserve(1);
        woken.wait_for(1);
        if (got && !mail_first) {
            sched::post(number(1), p, p);
        }
        if (got || mail_first) {
            p.done.wait_for(1);
        }
        linger(long_enough / 2);
        release(1);
        gone.wait_for(1);
        model::check(!got || !number(1).vacant.load(std::memory_order_relaxed),
                     "ended though it was to help");
        model::check(arriving() == 0, "awaited for ever");
    }
};

// The width is two, and two are busy: worker 1, which pushes a job and blocks, and a guest, which
// leaves. Then worker 2 must get up.
struct held_back : rl::test_suite<held_back, 3>, sched::model_crew<3, 2> {
    meeting m;
    participant p;
    void thread(unsigned i)
    {
        sched::worker& w = begin(i);
        if (i == 2) {
            serve();
            return;
        }
        linger(long_enough);
        if (i == 0) {
            w.own_crew.guest_ends(w);
            linger(after_push);
            m.ended.wait_for(1);
            release(2);
        } else {
            m.call(p);
            push(w, p);
            linger(after_push);
        }
    }
};

// Worker 1 is a guest that may not carry the persona that worker 0 makes ready (worker.hpp,
// may_carry): worker 2 must get up, whatever the guest does.
struct guest_may_not : sched::one_gives<guest_may_not, 3> {
    guest_may_not() { number(1).kind = sched::role::guest; }
    void give(sched::worker& w)
    {
        w.ready.push(&p);  // as make_ready does
        w.own_crew.notify(&w);
    }
};

// Guest 1 stands aside, because other threads of the program have regions, too. It takes no work of
// others, and is counted again while it does what it was posted. The width is two: worker 2 must
// get up.
struct guest_aside : sched::one_gives<guest_aside, 3, 2> {
    job wakes;
    guest_aside()
    {
        number(1).kind = sched::role::guest;
        sched::model_several_regions = true;
    }
    void give(sched::worker& w)
    {
        wakes.run = job::call;
        wakes.body = [](job&) {};
        sched::post(number(1), wakes, wakes);
        linger(4 * after_push);
        push(w, p);
    }
};

// It runs what is posted to it.
struct posted_aside : sched::one_gives<posted_aside, 2> {
    posted_aside()
    {
        number(1).kind = sched::role::guest;
        sched::model_several_regions = true;
    }
    void give(sched::worker&) { sched::post(number(1), p, p); }
};

// A light thread has yielded to the own stack of guest 0, which leaves: worker 1 must get up.
struct left_behind : sched::one_gives<left_behind, 2> {
    left_behind() { number(0).kind = sched::role::guest; }
    void give(sched::worker& w)
    {
        w.ready.push(&p);  // as a yield does, which tells nobody
        w.own_crew.guest_ends(w);
    }
};

// Worker 0 posts a job to guest 1, which is about to end: worker 2 runs it, whichever side forwards
// it.
struct guest_ends : rl::test_suite<guest_ends, 3>, sched::model_crew<3, 3> {
    meeting m;
    participant p;
    guest_ends()
    {
        number(1).kind = sched::role::guest;
        sched::model_forward_to = &number(2);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 2) {
            serve();
            return;
        }
        if (i == 1) {
            linger(long_enough);
            end(1);
            return;
        }
        m.call(p);
        linger(long_enough);
        sched::post(number(1), p, p);
        linger(after_push);
        m.ended.wait_for(1);
        release(2);
    }
};

const std::vector<model::scenario> scenarios{
    {"a reserve gives up", rl::simulate<reserve_gives_up>, 100000},
    {"held back until a guest leaves", rl::simulate<held_back>, 100000},
    {"a guest may not carry", rl::simulate<guest_may_not>, 100000},
    {"a guest ends", rl::simulate<guest_ends>, 100000},
    {"a reserve ends", rl::simulate<reserve_ends>, 100000},
    {"a reserve wakes", rl::simulate<reserve_wakes>, 100000},
    {"left behind by a guest", rl::simulate<left_behind>, 100000},
    {"a guest stands aside", rl::simulate<guest_aside>, 100000},
    {"posted to a guest that stands aside", rl::simulate<posted_aside>, 100000},
};

const std::vector<model::breakage> breakages{
    {"no fence in guest_ends", 1, model::damage::no_fence, "crew_model.hpp", "::guest_ends("},
    {"a guest leaves no trace", 1, model::damage::zero, "crew_model.hpp", "::guest_ends("},
    {"no fence when a guest ends", 3, model::damage::no_fence, "vacancy.cpp", "::vacate("},
    {"no fence in post to a guest", 3, model::damage::no_fence, "push.cpp", "post("},
    {"no last look before a reserve ends", 4, model::damage::no_fence, "idle.cpp", "::ends_now("},
    {"no fence in a post to a reserve that ends", 4, model::damage::no_fence, "push.cpp", "post("},
    {"a reserve says that it ends and nobody looks", 4, model::damage::zero, "push.cpp", "post("},
    {"a guest aside leaves no trace", 7, model::damage::zero, "crew_model.hpp", "::guest_ends("},
    {"no fence in post to a guest aside", 8, model::damage::no_fence, "push.cpp", "post("},
    {"nobody arrives", 5, model::damage::zero, "reserves.cpp", "::has_arrived("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
