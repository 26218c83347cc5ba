// Functions for an arena in which the caller finds no slot, under many interleavings: each runs
// once, in a slot of that arena, whether a slot is freed or a worker comes.
#include "arena_model.hpp"

#include "delegation.cpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using model::linger;
using onetbb::after_change;
using onetbb::arena;
using onetbb::long_enough;
using onetbb::model_arena;
using onetbb::this_thread;

struct counted final : tbb::detail::d1::delegate_base {
    model::plain<int>& runs;
    arena& where;
    counted(model::plain<int>& r, arena& a) : runs(r), where(a) {}
    bool operator()() const override
    {
        model::check(this_thread().in == &where && this_thread().at != nullptr, "run elsewhere");
        runs.set(runs.get() + 1);
        return true;
    }
};

// One thread has the only slot for a while; another one, which is in an arena of its own, wants to
// run something there. There is a worker, or the system gives no threads.
template <bool threads>
struct one_slot : onetbb::arena_suite<one_slot<threads>, 2, 1> {
    model::plain<int> runs;
    arena& a = model_arena(1, 0);
    one_slot()
    {
        a.refer();
        this->crew.no_threads = !threads;
    }
    void program(unsigned i)
    {
        if (i == 0) {
            arena& own = model_arena(2, 1);
            own.enter(this_thread(), false);
            linger(after_change);
            counted f(runs, a);
            onetbb::execute_from_outside(this_thread(), a, f);
            model::check(runs.get() == 1, "not run, or twice");
            own.leave(this_thread());
            own.drop();
        } else if (a.enter(this_thread(), false)) {
            linger(long_enough);
            a.leave(this_thread());
            linger(after_change);
        }
        a.drop();
    }
};

const std::vector<model::scenario> scenarios{
    {"a worker may come", rl::simulate<one_slot<true>>, 60000},
    {"the system gives no threads", rl::simulate<one_slot<false>>, 60000},
};

const std::vector<model::breakage> breakages{
    {"no fence when a slot is free", 1, model::damage::no_fence, "arena_slots.cpp", "::free_up("},
    {"no fence before it falls asleep", 1, model::damage::no_fence, "delegation.cpp",
     "execute_from_outside("},
    {"a slot that is free is not seen", 1, model::damage::zero, "arena_slots.cpp", "::free_up("},
    {"no end is told", 0, model::damage::no_write, "delegation.cpp", "::finish("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
