// doacross.cpp under many interleavings, on the real crew: each iteration waits for the one before
// it, whose result it then sees. A lost wake-up leaves a member asleep for ever, which relacy
// reports as a deadlock. Loops follow each other without a barrier and differ in size and schedule.
#include "worksharing_model.hpp"

#include "base/run_model.hpp"

namespace {

bool leaves_early()
{
    return false;
}

struct chain {
    unsigned count;
    openmp::loop_schedule schedule;
};

// `fences`: whether members make a fence at each post, or those that go to sleep make one for all.
template <bool fences>
struct chains : rl::test_suite<chains<fences>, most_members>,
                sched::model_crew<most_members, most_members>,
                team_state {
    static constexpr chain all[] = {{4, {schedule_kind::static_, 1}},
                                    {6, {schedule_kind::dynamic, 1}},
                                    {3, {schedule_kind::static_, 0}},
                                    {5, {schedule_kind::guided, 1}}};
    // of each iteration: 1 + that of the one before it
    model::plain<unsigned> results[std::size(all)][most_iterations];

    void before()
    {
        t.size = most_members;
        openmp::begin_region(t);
    }
    void thread(unsigned i)
    {
        this->begin(i);
        openmp::enter_region(members[i]);
        for (unsigned number = 0; number < std::size(all); ++number) {
            run_chain(members[i], number);
        }
    }
    void run_chain(member& m, unsigned number)
    {
        const std::uint64_t count = all[number].count;
        openmp::start_loop(
            m, bounds(number, all[number].count), all[number].schedule, false, 0,
            [](workshare_slot& slot, void* argument) {
                slot.cross = openmp::make_doacross(
                    slot, 1, static_cast<const std::uint64_t*>(argument), most_members);
                slot.cross->posters_fence = fences;
            },
            const_cast<std::uint64_t*>(&count));
        std::uint64_t low = 0;
        std::uint64_t end = 0;
        while (openmp::next_piece(m, low, end)) {
            for (; low != end; ++low) {
                const std::uint64_t i = low - 100 * number;
                run(number, i);
                unsigned before = 0;
                if (i != 0) {
                    const std::uint64_t awaited = i - 1;
                    openmp::wait_doacross(m, &awaited);
                    before = results[number][awaited].get();
                    model::check(before == i, "the iteration before it is not seen");
                }
                if (rl::rand(4) == 0) {
                    sched::linger(sched::long_enough);
                }
                results[number][i].set(before + 1);
                openmp::post_doacross(m, &i);
            }
        }
        openmp::leave(m);
    }
    void after()
    {
        for (unsigned number = 0; number < std::size(all); ++number) {
            all_ran(number, all[number].count);
        }
    }
};

const std::vector<model::scenario> scenarios{
    {"posters make fences", rl::simulate<chains<true>>, 20000},
    {"those that go to sleep make fences", rl::simulate<chains<false>>, 20000},
};

const std::vector<model::breakage> breakages{
    {"an iteration is posted relaxed", 0, model::damage::relaxed, "doacross.cpp",
     "::post_doacross("},
    {"no fence after a post", 0, model::damage::no_fence, "doacross.cpp", "::post_doacross("},
    {"no fence before sleeping", 0, model::damage::no_fence, "doacross.cpp", "::wait_doacross("},
    {"no fence on all threads", 1, model::damage::no_fence, "worksharing_model.hpp",
     "fence_by_others("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
