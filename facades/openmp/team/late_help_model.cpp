// late_help.hpp under many interleavings, in regions whose sizes differ: nobody looks for tasks
// while the master sets the team up for the next region, nobody helps in a region that does not
// include it, and the master sees what helpers did. A member may be stopped anywhere while the
// others continue.
#include "base/machine_model.hpp"

#include "base/spinlock.hpp"
#include "late_help.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;

// A master and two members, in regions that include both of them or one; in each, the highest
// member queues a task. The gate's word is the region's number * 8 + its members.
template <unsigned... sizes>
struct regions_in_turn : rl::test_suite<regions_in_turn<sizes...>, 3> {
    static constexpr unsigned each[] = {sizes...};
    static constexpr unsigned count = sizeof...(sizes);
    std::atomic<bool> used{false};
    std::atomic<unsigned> helpers{0};
    std::atomic<unsigned> gate{0};
    std::atomic<unsigned> arrived[count + 1];
    model::plain<unsigned> set_up;  // the region that the team is set up for
    model::plain<unsigned> tasks;   // number of tasks; changed by one helper at a time here
    base::spinlock queue;

    void help_once(unsigned word, unsigned number)
    {
        const auto same_region = [&] { return gate.load(std::memory_order_acquire) == word; };
        const auto help = [&] {
            model::check(set_up.get() == word / 8, "helps while the team is another region's");
            model::check(number < word % 8, "helps in a region that it has no part in");
            queue.lock();
            tasks.set(tasks.get() + 1);
            queue.unlock();
            model::yield();
            model::check(set_up.get() == word / 8, "helps while the team is another region's");
            return true;
        };
        if (model::broken("a helper is not counted")) {
            if (used.load(std::memory_order_seq_cst) && same_region()) {
                help();
            }
        } else {
            openmp::help_late(used, helpers, same_region, help);
        }
    }
    void master()
    {
        for (unsigned r = 1; r <= count; ++r) {
            if (!model::broken("the master does not wait for helpers")) {
                openmp::end_late_help(used, helpers, [] { model::yield(); });
            }
            set_up.set(r);
            static_cast<void>(tasks.get());
            const unsigned word = r * 8 + each[r - 1];
            gate.store(word, std::memory_order_release);
            while (arrived[r].load(std::memory_order_acquire) != each[r - 1] - 1) {
                help_once(word, 0);
                model::yield();
            }
        }
        openmp::end_late_help(used, helpers, [] { model::yield(); });
        gate.store((count + 1) * 8, std::memory_order_release);
    }
    void member(unsigned number)
    {
        unsigned word = 0;
        bool in_team = false;
        for (;;) {
            unsigned seen = word;
            while ((seen = gate.load(std::memory_order_acquire)) == word) {
                if (in_team) {
                    help_once(word, number);
                }
                model::yield();
            }
            word = seen;
            in_team = number < word % 8;
            if (word % 8 == 0) {
                return;
            }
            if (in_team) {
                model::check(set_up.get() == word / 8, "began before the team was set up");
                if (number == word % 8 - 1) {
                    openmp::note_task(used);
                }
                arrived[word / 8].fetch_add(1, std::memory_order_acq_rel);
            }
        }
    }
    void thread(unsigned number)
    {
        model::stop_after_change = true;
        number == 0 ? master() : member(number);
    }
};

const std::vector<model::scenario> scenarios{
    {"smaller, and large again", rl::simulate<regions_in_turn<3, 2, 3>>, 50000},
    {"small, and larger", rl::simulate<regions_in_turn<2, 3, 2, 3>>, 50000},
};

const std::vector<model::breakage> breakages{
    {"a helper is not counted", 0, model::damage::custom},
    {"the master does not wait for helpers", 0, model::damage::custom},
    {"helpers count themselves relaxed", 0, model::damage::relaxed, "late_help.hpp", "help_late("},
    {"the master looks relaxed", 0, model::damage::relaxed, "late_help.hpp", "end_late_help("},
    {"a task is noted relaxed", 0, model::damage::relaxed, "late_help.hpp", "note_task("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
