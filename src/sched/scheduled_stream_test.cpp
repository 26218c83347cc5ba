// Scheduled streams: a scheduler calls units, which return to it; the stream sleeps, waits, and is
// carried by different workers in turn.
#include "sched/scheduled_stream.hpp"

#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using namespace artel;

// A stream with one queue, and a scheduler that runs the queue until it is told to stop.
struct place : sched::scheduled_stream {
    std::mutex lock;  // never held across a switch
    std::deque<struct job*> queue;
    std::atomic<bool> stop{false};
    fiber::fiber* root = nullptr;
    artel::latch ended{1};
    int inside = 0;  // no atomic: the stream's own

    place();
    void push(job& j);
    job* pop();
    void finish();
};

struct job : sched::scheduled_unit {
    job(place& p, std::function<void()> f);
    place& in;
    std::function<void()> body;
};

job& on(const fiber::fiber& f)
{
    return *static_cast<job*>(f.unit);
}

void push_back(fiber::carrier&, fiber::fiber& previous, void*)
{
    on(previous).in.push(on(previous));
}

class place_rules final : public sched::stream_rules {
public:
    bool suspend(sched::worker& w, fiber::after_switch after,
                 void* argument) const noexcept override
    {
        job& j = on(*w.current);
        if (j.caller == nullptr) {
            return sched::suspend_root(w, after, argument);
        }
        sched::pass_stream(*j.caller, after, argument);
        return true;
    }
    bool yield(sched::worker& w) const noexcept override
    {
        job& j = on(*w.current);
        if (j.caller != nullptr) {
            sched::pass_stream(*j.caller, push_back, nullptr);
        }
        return j.caller != nullptr;
    }
    void make_ready(fiber::fiber& f) const noexcept override
    {
        if (on(f).caller == nullptr) {
            auto& s = static_cast<sched::scheduled_stream&>(*f.stream);
            s.resumed = &f;
            sched::activate(s);
        } else {
            on(f).in.push(on(f));
        }
    }
    void leave(sched::stream&) const noexcept override {}
};

const place_rules the_rules;

job::job(place& p, std::function<void()> f) : in(p), body(std::move(f))
{
    sched::unit::rules = &the_rules;
}

void destroy(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    fiber::destroy_plain(previous);
    delete static_cast<job*>(argument);
}

void run_job(fiber::fiber& f)
{
    job& j = on(f);
    j.body();
    sched::pass_stream_and_end(*j.caller, destroy, &j);
}

void end_place(fiber::carrier&, fiber::fiber& root, void* argument)
{
    job* const j = static_cast<job*>(root.unit);
    fiber::destroy_plain(root);
    delete j;
    static_cast<place*>(argument)->ended.count_down();
}

void run_place(fiber::fiber& f)
{
    auto& p = static_cast<place&>(*f.stream);
    for (unsigned calls = 0;; ++calls) {
        job* const j = p.pop();
        if (j != nullptr) {
            if (j->on == nullptr) {
                j->on = fiber::create_plain(run_job);
                j->on->unit = j;
            }
            j->caller = &f;
            sched::pass_stream(*j->on, nullptr, nullptr);
            if (calls % 4 == 0 && sched::others_wait(*sched::this_worker())) {
                sched::rest(p);
            }
            continue;
        }
        p.sleep.announce();
        bool something = p.stop;
        {
            const std::scoped_lock hold(p.lock);
            something = something || !p.queue.empty();
        }
        if (something) {
            p.sleep.stay_awake();
            if (p.stop) {
                sched::end_stream(end_place, &p);
            }
        } else {
            sched::sleep_root(p);
        }
    }
}

place::place()
{
    sched::stream::rules = &the_rules;
    root = fiber::create_plain(run_place);
    root->unit = new job(*this, {});
    root->stream = this;
    resumed = root;
    sched::activate(*this);
}

void place::push(job& j)
{
    {
        const std::scoped_lock hold(lock);
        queue.push_back(&j);
    }
    if (sleep.poke()) {
        sched::activate(*this);
    }
}

job* place::pop()
{
    const std::scoped_lock hold(lock);
    if (queue.empty()) {
        return nullptr;
    }
    job* const first = queue.front();
    queue.pop_front();
    return first;
}

void place::finish()
{
    stop = true;
    base::full_fence();
    if (sleep.poke()) {
        sched::activate(*this);
    }
    ended.wait();
}

void run(place& p, artel::latch& done, std::function<void()> f)
{
    p.push(*new job(p, [f = std::move(f), &done] {
        f();
        done.count_down();
    }));
}

TEST(scheduled_stream, runs_one_unit_at_a_time)
{
    for (const unsigned streams : {1u, 2u, 16u}) {
        std::vector<std::unique_ptr<place>> places;
        artel::latch done(streams * 100);
        for (unsigned i = 0; i < streams; ++i) {
            places.push_back(std::make_unique<place>());
        }
        for (unsigned i = 0; i < streams * 100; ++i) {
            place& p = *places[i % streams];
            run(p, done, [&p] {
                for (int n = 0; n < 5; ++n) {
                    EXPECT_EQ(p.inside++, 0);
                    EXPECT_EQ(sched::this_stream(), &p);
                    p.inside--;
                    sched::yield_unit();
                }
            });
        }
        done.wait();
        for (auto& p : places) {
            p->finish();
        }
    }
}

TEST(scheduled_stream, goes_on_while_a_unit_waits)
{
    place p;
    artel::latch done(2);
    artel::feb<int> word;
    run(p, done, [&] { EXPECT_EQ(word.read_fe(), 5); });
    run(p, done, [&] { word.write_ef(5); });
    done.wait();
    p.finish();
}

TEST(scheduled_stream, wakes_for_each_unit_however_long_it_has_slept)
{
    place p;
    for (int i = 0; i < 2000; ++i) {
        artel::latch done(1);
        run(p, done, [] {});
        done.wait();
    }
    p.finish();
}

// Between joining and leaving the thread is inside a scope; afterwards it enters one again for its
// spawns.
TEST(scheduled_stream, whose_thread_has_left_it_enters_scopes_as_before)
{
    std::thread([] {
        sched::scheduled_stream alone;  // only this thread carries it
        alone.stream::rules = &the_rules;
        sched::scheduled_unit primary;
        primary.unit::rules = &the_rules;
        ASSERT_TRUE(sched::join_pinned(alone, primary));
        {
            const artel::width_scope narrow(2);
        }
        EXPECT_FALSE(sched::this_worker()->current->spawns_apart);
        sched::leave_pinned(alone);
        EXPECT_TRUE(sched::outside_scope(*sched::this_worker()));
        EXPECT_TRUE(sched::this_worker()->current->spawns_apart);
    }).join();
}

}  // namespace
