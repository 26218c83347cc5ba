// sleep_word.hpp under all interleavings: no work is left while the holder sleeps, at most one
// waker gets the token, and sees the holder's earlier writes. A lost wake-up leaves the holder
// waiting for ever, which relacy reports as a deadlock.
#include "base/machine_model.hpp"

#include "sched/sleep_word.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;

struct holder {
    sched::sleep_word word_;
    // 1: the holder must continue. The token's owner writes `token_`.
    std::atomic<std::uint32_t> activated_{0};
    model::plain<int> token_;

    void bring(std::atomic<int>& work)
    {
        work.store(1, std::memory_order_relaxed);
        if (!model::broken("no fence before the poke")) {
            base::full_fence();
        }
        if (word_.poke()) {
            token_.set(token_.get() + 1);
            model::check(activated_.exchange(1, std::memory_order_release) == 0,
                         "two have the token");
            model::futex_wake(activated_, 1);
        }
    }
    // Waits until there is work, and takes it.
    void wait_for(std::atomic<int>& work)
    {
        while (work.load(std::memory_order_relaxed) == 0) {
            word_.announce();
            if (!model::broken("no look after the announcement") &&
                work.load(std::memory_order_relaxed) != 0) {
                word_.stay_awake();
                continue;
            }
            token_.set(token_.get() + 1);
            if (word_.fall_asleep()) {
                while (activated_.load(std::memory_order_acquire) == 0) {
                    model::futex_wait(activated_, 0u);
                }
                activated_.store(0, std::memory_order_relaxed);
            }
            token_.set(token_.get() + 1);
            word_.stay_awake();
        }
    }
};

// Two wakers bring work, at any time.
struct two_wakers : rl::test_suite<two_wakers, 3>, holder {
    std::atomic<int> work_[2];
    void before()
    {
        work_[0].store(0, std::memory_order_relaxed);
        work_[1].store(0, std::memory_order_relaxed);
    }
    void thread(unsigned number)
    {
        if (number == 0) {
            wait_for(work_[0]);
            wait_for(work_[1]);
        } else {
            bring(work_[number - 1]);
        }
    }
};

const std::vector<model::scenario> scenarios{
    {"two wakers", rl::simulate<two_wakers>, 300000},
    {"two wakers, all interleavings of 2 preemptions", rl::simulate<two_wakers>, 0, 0,
     rl::sched_bound, 2},
};

const std::vector<model::breakage> breakages{
    {"no fence in the announcement", 0, model::damage::no_fence, "sleep_word.hpp", "::announce("},
    {"no fence before the poke", 0, model::damage::custom},
    {"no look after the announcement", 0, model::damage::custom},
    {"fall_asleep relaxed", 0, model::damage::relaxed, "sleep_word.hpp", "::fall_asleep("},
    {"poke relaxed", 0, model::damage::relaxed, "sleep_word.hpp", "::poke("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
