// construct.cpp, loop.cpp and the files that hand out pieces, under many interleavings, on the real
// crew with a ring of two slots. Members meet loops, sections and singles without barriers in
// between, each of another size than the construct whose slot it reuses, while others are late by
// as many constructs as the ring has slots, have not entered the region yet, or have left it
// cancelled. Each iteration runs once, in a member that has its loop's bounds; nobody opens a slot
// that a late member may still look at.
#define FMT_HEADER_ONLY  // before relacy, which takes errno away
#include <fmt/format.h>

#include "sched/crew_model.hpp"

#include <boost/intrusive/set.hpp>
#include <cstdarg>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/range_word.hpp"
#include "team/team.hpp"

namespace artel::loop {

// Relacy prints what it finds.
std::ostream& operator<<(std::ostream& out, ownership t)
{
    return out << static_cast<int>(t);
}

}  // namespace artel::loop

namespace artel::base {

void write_raw(std::string_view text) noexcept
{
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace artel::base

namespace artel::openmp {

// Stubs for what other files of the facade define.
member::~member() = default;
implicit_task::~implicit_task() = default;
task_allocator::~task_allocator() = default;
void destroy_doacross(doacross*) noexcept {}
void complain_formatted(fmt::string_view format, fmt::format_args) noexcept
{
    base::write_raw({format.data(), format.size()});
}

const global_icvs& globals() noexcept
{
    static const global_icvs fixed;
    return fixed;
}

}  // namespace artel::openmp

#include "sched/no_deadlines_model.hpp"
#include "sched/wait_word_buckets_model.hpp"
#include "waiting/arrival_counter.cpp"
#include "waiting/barrier.cpp"
#include "waiting/wait_queue.cpp"
#include "waiting/wait_until.cpp"
#include "worksharing/construct.cpp"
#include "worksharing/loop.cpp"
#include "worksharing/loop_batches.cpp"
#include "worksharing/loop_piece.cpp"
#include "worksharing/loop_setup.cpp"
#include "worksharing/loop_shares.cpp"
#include "worksharing/ordered_turn.cpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using openmp::member;
using openmp::schedule_kind;
using openmp::team;
using openmp::workshare_slot;

constexpr unsigned most_members = 3;
constexpr unsigned most_iterations = 8;
constexpr unsigned most_constructs = 10;
constexpr unsigned slots = openmp::worksharing_state::ring;

enum class kind { loop, ordered, sections, single };
struct construct {
    kind what = kind::loop;
    unsigned count = 0;
    openmp::loop_schedule schedule = {};
};

// A team, and the iterations that each of its constructs has run.
struct team_state : sched::fresh_buckets {
    member members[most_members];
    team t;
    int ran[most_constructs][most_iterations] = {};
    // The number of the slot's construct; only members in it may read this. Those after the ring's
    // belong to detours, in the order in which they are seen.
    model::plain<unsigned> in_slot[slots + most_constructs];
    std::vector<const workshare_slot*> detours;
    // Changed in ordered regions only, so ordered by nothing else.
    model::plain<unsigned> next_turn[most_constructs];

    team_state()
    {
        t.members = members;
        for (unsigned i = 0; i < most_members; ++i) {
            members[i].in = &t;
            members[i].number = i;
        }
    }
    model::plain<unsigned>& slot_of(const workshare_slot* slot)
    {
        const workshare_slot* const first = t.worksharing.slots.data();
        if (slot >= first && slot < first + slots) {
            return in_slot[slot - first];
        }
        const auto at = std::find(detours.begin(), detours.end(), slot);
        const auto n = static_cast<std::size_t>(at - detours.begin());
        if (at == detours.end()) {
            detours.push_back(slot);
        }
        return in_slot[slots + n];
    }
    model::plain<unsigned>& slot_of(const member& m) { return slot_of(m.position.current); }
    void run(unsigned number, std::uint64_t i)
    {
        model::check(i < most_iterations && ran[number][i]++ == 0, "an iteration was run twice");
    }
    void all_ran(unsigned number, unsigned count)
    {
        for (unsigned i = 0; i < most_iterations; ++i) {
            model::check(ran[number][i] == (i < count ? 1 : 0), "an iteration was lost");
        }
    }

    struct opened {
        team_state* by;
        unsigned number;
    };
    // Loops begin at 100 times their number, so that bounds of another loop are noticed.
    openmp::loop_bounds bounds(unsigned number, unsigned count) const
    {
        return {100 * number, 100 * number + count, 1, count};
    }
    void run_loop(member& m, unsigned number, const construct& c)
    {
        opened first{this, number};
        const auto* const memory = static_cast<const unsigned*>(openmp::start_loop(
            m, bounds(number, c.count), c.schedule, c.what == kind::ordered, sizeof(unsigned),
            [](workshare_slot& slot, void* argument) {
                auto& o = *static_cast<opened*>(argument);
                *static_cast<unsigned*>(slot.memory) = o.number;
                o.by->slot_of(&slot).set(o.number);
            },
            &first));
        const bool early = model::broken("a member leaves before its last piece");
        if (early) {
            openmp::leave(m);
        }
        std::uint64_t low = 0;
        std::uint64_t end = 0;
        while (c.what == kind::ordered ? openmp::next_ordered_piece(m, low, end)
                                       : openmp::next_piece(m, low, end)) {
            model::check(slot_of(m).get() == number && *memory == number, "in another construct");
            for (; low != end; ++low) {
                run(number, low - 100 * number);
                if (c.what == kind::ordered) {
                    openmp::await_turn(m);
                    model::check(next_turn[number].get() == low - 100 * number, "out of turn");
                    next_turn[number].set(next_turn[number].get() + 1);
                }
            }
        }
        model::check(slot_of(m).get() == number && *memory == number, "in another construct");
        if (!early) {
            openmp::leave(m);
        }
    }
    void run_sections(member& m, unsigned number, const construct& c)
    {
        openmp::start_sections(m, c.count);
        while (const unsigned section = openmp::next_section(m)) {
            model::check(section <= c.count, "a section of another construct");
            run(number, section - 1);
        }
        openmp::leave(m);
    }
    void meet(member& m, unsigned number, const construct& c)
    {
        switch (c.what) {
        case kind::loop:
        case kind::ordered: run_loop(m, number, c); break;
        case kind::sections: run_sections(m, number, c); break;
        case kind::single:
            if (openmp::claim_single(m)) {
                run(number, 0);
            }
            break;
        }
    }
};

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
    {"a turn is passed on relaxed", 2, model::damage::relaxed, "ordered_turn.cpp", "::pass_turn("},
    {"no fence when a turn is passed on", 2, model::damage::no_fence, "ordered_turn.cpp",
     "::pass_turn("},
    {"turns do not begin anew", 2, model::damage::no_write, "loop_setup.cpp", "::set_loop("},
    {"a detour is announced without a fence", 0, model::damage::no_fence, "construct.cpp",
     "::make_detour("},
    {"what all have passed is told without a fence", 0, model::damage::no_fence, "construct.cpp",
     "::all_have_passed("},
    {"a detour is made by two", 5, model::damage::no_write, "construct.cpp", "::make_detour("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
