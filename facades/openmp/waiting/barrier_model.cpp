// barrier.cpp under many interleavings, on the real crew: a barrier releases nobody early, forgets
// nobody (a deadlock), and can be used again at once.
#include "waiting_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using openmp::wait_in;
using openmp::wait_queue;

// Three members on three workers in two groups meet several times. After each barrier all see what
// each wrote before it.
struct barrier_phases : rl::test_suite<barrier_phases, 3>, sched::model_crew<3, 3> {
    static constexpr unsigned phases = 2;
    openmp::team_barrier barrier_;
    model::plain<int> written[3][phases];
    unsigned arrived[phases] = {};
    barrier_phases() { barrier_.configure(3, 2); }
    void thread(unsigned i)
    {
        begin(i);
        for (unsigned p = 0; p < phases; ++p) {
            if (i == 0) {
                sched::linger(sched::long_enough);
            }
            written[i][p].set(1);
            const std::uint64_t phase = barrier_.phase();
            ++arrived[p];
            if (barrier_.arrive(i)) {
                barrier_.release();
                sched::linger(sched::after_push);
            } else {
                wait_in(barrier_.queue(), phase);
            }
            model::check(arrived[p] == 3, "released early");
            for (auto& of_one : written) {
                model::check(of_one[p].get() == 1,
                             "what was done before the barrier is not seen after it");
            }
        }
    }
};

// A member cancels the region and leaves. Two others meet a barrier that is no cancellation point
// (pass_unless_cancelled in team_barrier.cpp, without tasks): both pass it when both have come.
struct cancelled_barrier : rl::test_suite<cancelled_barrier, 3>, sched::model_crew<3, 3> {
    static constexpr std::uint32_t region = 7;
    openmp::team_barrier barrier_;
    openmp::attendance met[3];
    std::atomic<bool> cancelled{false};
    model::plain<int> written[3];

    cancelled_barrier() { barrier_.configure(3, 2); }
    void look() { barrier_.queue().open_next(); }
    bool all_have_come(std::uint32_t number)
    {
        return met[0].has_come(region, number) && met[1].has_come(region, number) &&
               met[2].has_come(region, number);
    }
    void pass(unsigned i)
    {
        wait_queue& queue = barrier_.queue();
        const std::uint64_t phase = barrier_.phase();
        const std::uint32_t number = met[i].come(region);
        base::full_fence();
        if (cancelled.load(std::memory_order_acquire)) {
            look();
        } else if (barrier_.arrive(i)) {
            barrier_.release();
            return;
        }
        for (;;) {
            const std::uint64_t word = queue.word();
            if (cancelled.load(std::memory_order_acquire)) {
                if (model::broken("nobody is counted") || all_have_come(number)) {
                    return;
                }
            } else if (word != phase) {
                return;
            }
            if (!queue.spin(word, rl::rand(2) != 0 ? 3000 : 0)) {
                queue.sleep_at_home(queue.lists(), word);
            }
        }
    }
    void cancel()
    {
        cancelled.store(true, std::memory_order_release);
        base::full_fence();
        look();
    }
    void leave(unsigned i)
    {
        met[i].leave(region);
        if (!model::broken("nobody looks again")) {
            look();
        }
        sched::linger(sched::after_push);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            cancel();
        } else {
            written[i].set(1);
            pass(i);
            model::check(written[3 - i].get() == 1, "passed early");
        }
        leave(i);
    }
};

const std::vector<model::scenario> scenarios{
    {"barrier over phases", rl::simulate<barrier_phases>, 100000},
    {"a barrier in a cancelled region", rl::simulate<cancelled_barrier>, 50000},
};

const std::vector<model::breakage> breakages{
    {"no fence when opening", 0, model::damage::no_fence, "wait_queue_open.cpp", "::wake_lists("},
    {"no fence when lying down", 0, model::damage::no_fence, "wait_queue.cpp", "::lie_down("},
    {"the word is not compared again", 0, model::damage::zero, "wait_queue.cpp", "::lie_down("},
    {"sleepers are not counted", 0, model::damage::no_write, "wait_queue.cpp", "::lie_down("},
    {"arrivals relaxed", 0, model::damage::relaxed, "arrival_counter.cpp", "::arrive("},
    {"counters are not set back", 0, model::damage::no_write, "arrival_counter.cpp", "::arrive("},
    {"nobody is counted", 1, model::damage::custom},
    {"nobody looks again", 1, model::damage::custom},
    {"who comes makes no fence", 1, model::damage::no_fence, "barrier_model.cpp", "::pass("},
    {"who comes is noted relaxed", 1, model::damage::relaxed, "attendance.hpp", "::come("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
