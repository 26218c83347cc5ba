// construct.cpp, loop.cpp and the files that hand out pieces, under many interleavings, on the real
// crew with a ring of two slots. Members meet loops, sections and singles without barriers in
// between. Each construct differs in size from the one whose slot it reuses. Other members are late
// by as many constructs as the ring has slots, have not entered the region yet, or have left it
// after it was cancelled. Each iteration runs once, in a member that has its loop's bounds; nobody
// opens a slot that a late member may still look at.
#include "worksharing_model.hpp"

#include "base/run_model.hpp"

namespace {

bool leaves_early()
{
    return model::broken("a member leaves before its last piece");
}

// One region of three members that meet all constructs without a barrier.
template <const auto& constructs>
struct without_barriers : rl::test_suite<without_barriers<constructs>, most_members>,
                          sched::model_crew<most_members, most_members>,
                          team_state {
    void before()
    {
        t.size = most_members;
        openmp::begin_region(t);
    }
    void thread(unsigned i)
    {
        this->begin(i);
        openmp::enter_region(members[i]);
        unsigned number = 0;
        for (const construct& c : constructs) {
            if (rl::rand(4) == 0) {
                sched::linger(sched::long_enough);
            }
            meet(members[i], number++, c);
        }
    }
    void after()
    {
        unsigned number = 0;
        for (const construct& c : constructs) {
            all_ran(number++, c.what == kind::single ? 1 : c.count);
        }
    }
};

// One member meets no construct before another has passed all of them.
struct waits_for_one_ahead : rl::test_suite<waits_for_one_ahead, most_members>,
                             sched::model_crew<most_members, most_members>,
                             team_state {
    static constexpr construct all[] = {{kind::loop, 3, {schedule_kind::dynamic, 1}},
                                        {kind::sections, 2},
                                        {kind::loop, 4, {schedule_kind::shared, 1}},
                                        {kind::loop, 5, {schedule_kind::guided, 1}},
                                        {kind::loop, 2, {schedule_kind::dynamic, 1}}};
    std::atomic<bool> has_passed{false};

    void before()
    {
        t.size = most_members;
        openmp::begin_region(t);
    }
    void thread(unsigned i)
    {
        begin(i);
        openmp::enter_region(members[i]);
        while (i == 0 && !has_passed.load(std::memory_order_acquire)) {
            model::yield();
        }
        unsigned number = 0;
        for (const construct& c : all) {
            meet(members[i], number++, c);
        }
        if (i == 1) {
            has_passed.store(true, std::memory_order_release);
        }
    }
    void after()
    {
        unsigned number = 0;
        for (const construct& c : all) {
            all_ran(number++, c.count);
        }
    }
};

// Regions of differing sizes, as those of a hot team: a member that a region does not include is
// late for the next. The first loop of a region may be open before its members start.
struct regions_in_turn : rl::test_suite<regions_in_turn, most_members>,
                         sched::model_crew<most_members, most_members>,
                         team_state {
    static constexpr unsigned sizes[] = {3, 2, 3};
    static constexpr unsigned each = 3;  // constructs of a region
    static constexpr construct all[] = {{kind::loop, 3, {schedule_kind::shared, 1}},
                                        {kind::sections, 2},
                                        {kind::loop, 5, {schedule_kind::guided, 1}},
                                        {kind::loop, 2, {schedule_kind::dynamic, 1}},
                                        {kind::loop, 4, {schedule_kind::shared, 1}},
                                        {kind::loop, 3, {schedule_kind::static_, 1}},
                                        {kind::loop, 5, {schedule_kind::dynamic, 2}},
                                        {kind::loop, 6, {schedule_kind::shared, 1}},
                                        {kind::loop, 2, {schedule_kind::trapezoidal, 1}}};
    std::atomic<unsigned> gate{0};  // region number * 8 + its members
    std::atomic<unsigned> ended{0};

    // Runs the region's constructs, of which the first may already be open.
    void work(member& m, unsigned region)
    {
        openmp::enter_region(m);
        for (unsigned n = (region - 1) * each; n < region * each; ++n) {
            if (t.worksharing.preopened && n == (region - 1) * each) {
                std::uint64_t low = 0;
                std::uint64_t end = 0;
                while (openmp::next_piece(m, low, end)) {
                    for (; low != end; ++low) {
                        run(n, low - 100 * n);
                    }
                }
                openmp::leave(m);
            } else {
                meet(m, n, all[n]);
            }
        }
    }
    void thread(unsigned i)
    {
        begin(i);
        for (unsigned region = 1; region <= std::size(sizes); ++region) {
            const unsigned size = sizes[region - 1];
            if (i == 0) {
                t.size = size;
                openmp::begin_region(t);
                const construct& first = all[(region - 1) * each];
                if (first.schedule.kind == schedule_kind::dynamic) {
                    openmp::preopen_loop(t, bounds((region - 1) * each, first.count),
                                         first.schedule, false);
                }
                gate.store(region, std::memory_order_release);
            } else {
                while (gate.load(std::memory_order_acquire) < region) {
                    model::yield();
                }
                if (i >= size) {
                    continue;
                }
            }
            work(members[i], region);
            ended.fetch_add(1, std::memory_order_acq_rel);
            unsigned all_of_them = 0;
            for (unsigned r = 0; r < region; ++r) {
                all_of_them += sizes[r];
            }
            while (i == 0 && ended.load(std::memory_order_acquire) != all_of_them) {
                model::yield();
            }
        }
    }
    void after()
    {
        for (unsigned n = 0; n < std::size(all); ++n) {
            all_ran(n, all[n].count);
        }
    }
};

// A member cancels the region and leaves before it has met the constructs that the others go
// through, which are more than the ring has slots. The numbers of the next region, to which that
// member comes late, begin after what the others have met.
struct cancelled_region : rl::test_suite<cancelled_region, most_members>,
                          sched::model_crew<most_members, most_members>,
                          team_state {
    static constexpr construct all[] = {{kind::loop, 3, {schedule_kind::dynamic, 1}},
                                        {kind::loop, 5, {schedule_kind::dynamic, 2}},
                                        {kind::sections, 2},
                                        {kind::loop, 4, {schedule_kind::shared, 1}},
                                        {kind::loop, 2, {schedule_kind::dynamic, 1}},
                                        {kind::loop, 6, {schedule_kind::guided, 1}},
                                        {kind::sections, 3}};
    static constexpr unsigned of_first = 4;  // constructs of the region that is cancelled
    std::atomic<unsigned> gate{0};
    std::atomic<unsigned> ended{0};

    void start(unsigned region)
    {
        t.size = most_members;
        t.cancellable = region;
        openmp::begin_region(t);
        gate.store(region, std::memory_order_release);
    }
    void end(std::uint32_t members_that_have)
    {
        ended.fetch_add(1, std::memory_order_acq_rel);
        while (ended.load(std::memory_order_acquire) < members_that_have) {
            model::yield();
        }
    }
    void enter(member& m, unsigned region)
    {
        while (gate.load(std::memory_order_acquire) < region) {
            model::yield();
        }
        openmp::enter_region(m);
    }
    void thread(unsigned i)
    {
        begin(i);
        member& m = members[i];
        if (i == 0) {
            start(1);
        }
        enter(m, 1);
        for (unsigned n = 0; n < of_first; ++n) {
            if (i == 1 && n == 1) {
                t.worksharing.ragged.store(true, std::memory_order_relaxed);
                m.met.leave(1);
                break;
            }
            meet(m, n, all[n]);
        }
        end(most_members);
        if (i == 0) {
            start(2);
        }
        enter(m, 2);
        for (unsigned n = of_first; n < std::size(all); ++n) {
            meet(m, n, all[n]);
        }
    }
    void after()
    {
        for (unsigned n = 0; n < std::size(all); ++n) {
            all_ran(n, all[n].count);
        }
    }
};

constexpr std::array loops{
    construct{kind::loop, 4, {schedule_kind::dynamic, 1}},
    construct{kind::loop, 2, {schedule_kind::dynamic, 2}},
    construct{kind::loop, 7, {schedule_kind::guided, 2}},
    construct{kind::loop, 3, {schedule_kind::shared, 1}},
    construct{kind::loop, 5, {schedule_kind::trapezoidal, 1}},
    construct{kind::loop, 6, {schedule_kind::shared, 2}},
};
constexpr std::array mixed{
    construct{kind::sections, 3},
    construct{kind::single},
    construct{kind::loop, 5, {schedule_kind::static_, 2}},
    construct{kind::sections, 1},
    construct{kind::single},
    construct{kind::sections, 4},
    construct{kind::loop, 0, {schedule_kind::dynamic, 1}},
};
constexpr std::array turns{
    construct{kind::ordered, 3, {schedule_kind::dynamic, 1}},
    construct{kind::ordered, 5, {schedule_kind::static_, 1}},
    construct{kind::ordered, 2, {schedule_kind::dynamic, 1}},
    construct{kind::ordered, 4, {schedule_kind::guided, 1}},
};

const std::vector<model::scenario> scenarios{
    {"loops", rl::simulate<without_barriers<loops>>, 20000},
    {"sections, singles, loops", rl::simulate<without_barriers<mixed>>, 20000},
    {"ordered loops", rl::simulate<without_barriers<turns>>, 20000},
    {"regions of other sizes", rl::simulate<regions_in_turn>, 20000},
    {"a cancelled region", rl::simulate<cancelled_region>, 20000},
    {"one waits for another that is ahead", rl::simulate<waits_for_one_ahead>, 20000},
};

const std::vector<model::breakage> breakages{
    {"constructs are left relaxed", 0, model::damage::relaxed, "construct.hpp", "::leave("},
    {"slots are published relaxed", 0, model::damage::relaxed, "construct.hpp", "::meet("},
    {"a slot is opened by two", 0, model::damage::no_write, "construct.cpp", "::claim_slot("},
    {"a member leaves before its last piece", 0, model::damage::custom},
    {"what all have passed is handed on relaxed", 0, model::damage::relaxed, "construct.cpp",
     "::all_have_passed("},
    {"a piece is taken by two", 0, model::damage::no_write, "loop_piece.cpp", "take_dynamic("},
    {"a single is claimed by two", 1, model::damage::no_write, "construct.hpp", "::claim_single("},
    {"a turn is passed on relaxed", 2, model::damage::relaxed, "ordered_turn.cpp", "::pass("},
    {"no fence when a turn is passed on", 2, model::damage::no_fence, "ordered_turn.cpp",
     "::pass("},
    {"turns do not begin anew", 2, model::damage::no_write, "ordered_turn.cpp", "::begin("},
    {"a detour is announced without a fence", 0, model::damage::no_fence, "construct.cpp",
     "::make_detour("},
    {"what all have passed is told without a fence", 0, model::damage::no_fence, "construct.cpp",
     "::all_have_passed("},
    {"a detour is made by two", 5, model::damage::no_write, "construct.cpp", "::make_detour("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
