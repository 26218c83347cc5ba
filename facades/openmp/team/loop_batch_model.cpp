// loop_batch.hpp under many interleavings: whatever the mix of claims and thefts, each unit runs
// exactly once, by a member of the loop that it belongs to.
#include "base/machine_model.hpp"

#include "loop_batch.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using openmp::loop_batch;

template <unsigned units>
struct counted {
    int ran[units] = {};
    void run(loop_batch::range r)
    {
        for (std::uint64_t i = r.first; i < r.last; ++i) {
            model::check(i < units, "a unit that is none");
            model::check(ran[i]++ == 0, "run twice");
        }
    }
    void all_ran()
    {
        for (const int n : ran) {
            model::check(n == 1, "lost");
        }
    }
};

// The owner takes two batches from a counter, one after the other; a thief puts what it stole into
// its own batch, from which the third thread steals.
struct claim_and_steal : rl::test_suite<claim_and_steal, 3>, counted<6> {
    static constexpr std::uint64_t construct = 300;
    loop_batch batch[2];
    void before()
    {
        batch[0].begin(construct);
        batch[1].begin(construct);
    }
    void work_off(unsigned own)
    {
        std::uint64_t unit = 0;
        while (batch[own].claim(unit)) {
            run({unit, unit + 1});
        }
    }
    void thread(unsigned i)
    {
        if (i == 0) {
            for (std::uint64_t first = 0; first < 6; first += 3) {
                batch[0].put(construct, {first, first + 3});
                work_off(0);
            }
        } else if (i == 1) {
            for (int tries = 0; tries < 2; ++tries) {
                const loop_batch::range got = batch[0].steal(construct);
                if (!got.empty()) {
                    batch[1].put(construct, got);
                    work_off(1);
                }
            }
        } else {
            run(batch[1].steal(construct));
            run(batch[0].steal(construct));
        }
    }
    void after() { all_ran(); }
};

// Guided loops claim by compare-and-swap.
struct claim_many : rl::test_suite<claim_many, 2>, counted<5> {
    loop_batch batch;
    void before() { batch.put(1, {0, 5}); }
    void thread(unsigned i)
    {
        if (i == 0) {
            for (loop_batch::range r; !(r = batch.claim_many([](std::uint64_t at) {
                                           return at < 2 ? 2 : 1;
                                       })).empty();) {
                run(r);
            }
        } else {
            run(batch.steal(1));
            run(batch.steal(1));
        }
    }
    void after() { all_ran(); }
};

// The owner has gone on to the next loop. A thief that is still in the last one must not get its
// units.
struct two_loops : rl::test_suite<two_loops, 2>, counted<4> {
    loop_batch batch;
    void before() { batch.put(255, {0, 2}); }
    void thread(unsigned i)
    {
        std::uint64_t unit = 0;
        if (i == 1) {
            for (int tries = 0; tries < 2; ++tries) {
                const loop_batch::range got = batch.steal(
                    model::broken("a thief does not mind what loop it is") ? 256 : 255);
                model::check(got.empty() || got.last <= 2, "of another loop");
                run(got);
            }
            return;
        }
        while (batch.claim(unit)) {
            run({unit, unit + 1});
        }
        batch.begin(256);
        batch.put(256, {2, 4});
        while (batch.claim(unit)) {
            run({unit, unit + 1});
        }
    }
    void after() { all_ran(); }
};

// A member that finds the counter exhausted does not leave before the last units are in batches
// from which it could have stolen them: two members take all at once, from the counter or from each
// other, as refill() in loop_batches.cpp does.
struct nobody_leaves_early : rl::test_suite<nobody_leaves_early, 2>, counted<4> {
    static constexpr std::uint64_t construct = 7;
    std::atomic<std::uint64_t> counter;
    loop_batch batch[2];
    bool left = false;
    void before()
    {
        counter.store(0, std::memory_order_relaxed);
        batch[0].begin(construct);
        batch[1].begin(construct);
    }
    void work_off(unsigned own, loop_batch::range got)
    {
        batch[own].put(construct, got);
        model::check(!left || got.last - got.first < 2, "left while units were on their way");
        std::uint64_t unit = 0;
        while (batch[own].claim(unit)) {
            run({unit, unit + 1});
        }
    }
    void thread(unsigned i)
    {
        batch[i].announce(construct);
        if (counter.fetch_add(4, std::memory_order_acq_rel) == 0) {
            work_off(i, {0, 4});
        } else {
            batch[i].begin(construct);  // so that the announcement below counts
        }
        loop_batch::range got;
        for (bool again = true; again;) {
            if (batch[1 - i].has_units(construct)) {
                batch[i].announce(construct);
                got = batch[1 - i].steal(construct);
                if (!got.empty()) {
                    work_off(i, got);
                    continue;
                }
            }
            batch[i].begin(construct);
            again = false;
            while (batch[1 - i].is_announced(construct)) {
                again = true;
                base::cpu_relax();
            }
        }
        left = true;
    }
    void after() { all_ran(); }
};

const std::vector<model::scenario> scenarios{
    {"claims against thieves", rl::simulate<claim_and_steal>, 200000, 200000},
    {"claims of many", rl::simulate<claim_many>, 100000},
    {"two loops", rl::simulate<two_loops>, 100000},
    {"nobody leaves early", rl::simulate<nobody_leaves_early>, 100000},
};

const std::vector<model::breakage> breakages{
    {"a claim is not counted", 0, model::damage::no_write, "loop_batch.hpp", "::claim("},
    {"a theft is not counted", 0, model::damage::no_write, "loop_batch.hpp", "::steal("},
    {"a claim of many is not counted", 1, model::damage::no_write, "loop_batch.hpp",
     "::claim_many("},
    {"a thief does not mind what loop it is", 2, model::damage::custom},
    {"a batch is not announced", 3, model::damage::no_write, "loop_batch.hpp", "::announce("},
    {"a batch is announced relaxed", 3, model::damage::relaxed, "loop_batch_model.cpp", "thread("},
    {"a theft is announced relaxed", 3, model::damage::relaxed, "loop_batch.hpp", "::steal("},
    {"who was robbed does not learn by whom", 3, model::damage::relaxed, "loop_batch.hpp",
     "::claim("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
