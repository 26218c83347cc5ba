// turns.hpp and lock_word.hpp under many interleavings, on the real crew: one caller at a time has
// the turn, and sees what the last one did; no caller waits for ever, also when a waiter that was
// passed stops newcomers; the turn can be taken again at once.
#include "sched/crew_model.hpp"

#include <boost/intrusive/set.hpp>

#include "sched/no_deadlines_model.hpp"
#include "sched/wait_word_buckets_model.hpp"
#include "waiting/lock_word.cpp"

#include "turns.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;

// At a fixed address: the bucket of its words must not differ when relacy repeats an interleaving.
alignas(openmp::turns) char place[sizeof(openmp::turns)];

// Callers, of which the first makes many calls one after the other and passes the others.
template <unsigned... calls>
struct callers : rl::test_suite<callers<calls...>, sizeof...(calls)>,
                 sched::model_crew<sizeof...(calls), sizeof...(calls)>,
                 sched::fresh_buckets {
    static constexpr unsigned each[] = {calls...};
    openmp::turns& turn = *new (place) openmp::turns;
    bool busy = false;
    model::plain<unsigned> done;

    ~callers() { turn.~turns(); }
    void thread(unsigned i)
    {
        this->begin(i);
        for (unsigned n = 0; n < each[i]; ++n) {
            if (rl::rand(3) == 0) {
                sched::linger(sched::long_enough);
            }
            turn.take();
            model::check(!std::exchange(busy, true) && turn.taken(), "two have the turn");
            done.set(done.get() + 1);
            sched::linger(sched::after_push);
            busy = false;
            turn.give_back();
            sched::linger(sched::after_push);
        }
    }
    void after() { model::check(done.get() == (calls + ...) && !turn.taken(), "a call was lost"); }
};

const std::vector<model::scenario> scenarios{
    {"two callers", rl::simulate<callers<2, 2>>, 20000},
    {"one who passes by others", rl::simulate<callers<8, 2, 1>>, 20000},
};

const std::vector<model::breakage> breakages{
    {"the turn is given back relaxed", 0, model::damage::relaxed, "lock_word.hpp", "unlock("},
    {"the turn is given back, and nobody woken", 0, model::damage::zero, "lock_word.hpp",
     "unlock("},
    {"the turn is taken by two", 0, model::damage::no_write, "lock_word.hpp", "try_lock("},
    {"nobody says that it waits", 0, model::damage::no_write, "turns.hpp", "::take("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
