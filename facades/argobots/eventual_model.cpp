// eventual.hpp and waiters.hpp under many interleavings, on the real crew. No waiter is forgotten,
// and each sees what was done before the eventual was set. A thread that knows that it is set may
// reuse the eventual's memory, and a waiter may reuse its stack as soon as it continues.
#include "waiters_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using argobots::eventual;

void set(eventual& e)
{
    sched::linger(sched::long_enough);
    model::check(argobots::set(e, nullptr, 0), "set already");
    sched::linger(sched::after_push);
}

// The waiter destroys the eventual.
struct one_waits : rl::test_suite<one_waits, 2>, sched::model_crew<2, 2> {
    argobots::short_lived e;
    model::plain<int> result;
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            result.set(1);
            set(e.get());
            return;
        }
        argobots::wait(e.get());
        model::check(result.get() == 1, "what was done before it was set is not seen");
        e.destroy();
    }
};

// A thread that polls destroys the eventual.
struct one_looks : rl::test_suite<one_looks, 2>, sched::model_crew<2, 2> {
    argobots::short_lived e;
    model::plain<int> result;
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            result.set(1);
            set(e.get());
            return;
        }
        const auto known = [&] {
            // acquire: the broken way, which does not wait for the setter.
            return model::broken("a thread that sees it set does not wait for the setter to finish")
                       ? e.get().set.load(std::memory_order_acquire)
                       : argobots::is_set(e.get());
        };
        while (!known()) {
            model::yield();
        }
        model::check(result.get() == 1, "what was done before it was set is not seen");
        e.destroy();
    }
};

// Two waiters: a light thread, which any worker may continue, and another worker's own context.
struct two_wait : rl::test_suite<two_wait, 3>, sched::model_crew<3, 3> {
    argobots::short_lived e;
    model::plain<int> result;
    sched::os_event ended;
    base::work starter;
    static inline two_wait* self = nullptr;

    // The broken setter: reads a waiter's `next` after waking that waiter, which may be gone.
    static void set_badly(eventual& e)
    {
        e.lock.lock();
        argobots::waiter* w = e.waiters.take();
        e.set.store(true, std::memory_order_release);  // release: as the real one
        e.lock.unlock();
        while (w != nullptr) {
            model::check(w == argobots::suspended[0] || w == argobots::suspended[1],
                         "no waiter is there any more");
            argobots::wake(*w);
            sched::linger(sched::long_enough);
            w = w->next;
        }
        sched::linger(sched::after_push);
    }
    // The part of the stack that held the waiter is overwritten after the wait.
    [[gnu::noinline]] static void wait_there(eventual& e) { argobots::wait(e); }
    [[gnu::noinline]] static void overwrite()
    {
        volatile unsigned char used[1024];
        for (volatile unsigned char& b : used) {
            b = 0xee;
        }
    }
    void wait_and_look()
    {
        wait_there(e.get());
        overwrite();
        model::check(result.get() == 1, "what was done before it was set is not seen");
        ended.add();
    }
    static void live(fiber::fiber&)
    {
        self->wait_and_look();
        sched::finish(nullptr, nullptr);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            serve();
        } else if (i == 2) {
            wait_and_look();
            serve();
        } else {
            self = this;
            argobots::suspended[0] = argobots::suspended[1] = nullptr;
            starter.run = [](void* here, base::work&) {
                sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
            };
            sched::post(number(1), starter, starter);
            result.set(1);
            if (model::broken("the next waiter is looked up after the first has gone on")) {
                sched::linger(sched::long_enough);
                set_badly(e.get());
            } else {
                set(e.get());
            }
            ended.wait_for(2);
            release(1);
            release(2);
        }
    }
    void after() { e.destroy(); }
};

// A wait with a time limit, whose alarm rings at any time; then one without.
struct limited : rl::test_suite<limited, 3>, sched::model_crew<3, 3> {
    argobots::short_lived e;
    base::spinlock alarms;
    model::plain<int> result;
    limited()
    {
        sched::alarms = &alarms;
        sched::the_alarm = nullptr;
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            if (!argobots::wait_until(e.get(), 1)) {
                argobots::wait(e.get());
            }
            model::check(result.get() == 1, "what was done before it was set is not seen");
            e.destroy();
        } else if (i == 1) {
            result.set(1);
            set(e.get());
        } else {
            sched::linger(sched::long_enough);
            sched::ring_alarm();
            sched::linger(sched::after_push);
        }
    }
};

// Back and forth with two eventuals, each reset by the thread that has waited for it.
struct ping_pong : rl::test_suite<ping_pong, 2>, sched::model_crew<2, 2> {
    argobots::short_lived e[2];
    model::plain<int> turn;
    void thread(unsigned i)
    {
        begin(i);
        for (int n = 0; n < 2; ++n) {
            if (i == 0) {
                turn.set(2 * n + 1);
                argobots::set(e[0].get(), nullptr, 0);
                argobots::wait(e[1].get());
                argobots::reset(e[1].get());
                model::check(turn.get() == 2 * n + 2, "not the other's turn");
            } else {
                argobots::wait(e[0].get());
                argobots::reset(e[0].get());
                model::check(turn.get() == 2 * n + 1, "not the other's turn");
                turn.set(2 * n + 2);
                argobots::set(e[1].get(), nullptr, 0);
            }
        }
        sched::linger(sched::after_push);
    }
    void after()
    {
        e[0].destroy();
        e[1].destroy();
    }
};

const std::vector<model::scenario> scenarios{
    {"one waits", rl::simulate<one_waits>, 60000},
    {"one looks", rl::simulate<one_looks>, 30000},
    {"two wait", rl::simulate<two_wait>, 40000},
    {"a time limit", rl::simulate<limited>, 60000},
    {"there and back", rl::simulate<ping_pong>, 40000},
};

const std::vector<model::breakage> breakages{
    {"a waiter joins before its context is saved", 0, model::damage::custom},
    {"a thread that sees it set does not wait for the setter to finish", 1, model::damage::custom},
    {"the next waiter is looked up after the first has gone on", 2, model::damage::custom},
    {"it is not said to be set", 0, model::damage::no_write, "eventual.hpp", "argobots::set("},
    {"the lock is given back relaxed", 3, model::damage::relaxed, "spinlock.hpp", "unlock("},
    {"it is not reset", 4, model::damage::no_write, "eventual.hpp", "argobots::reset("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
