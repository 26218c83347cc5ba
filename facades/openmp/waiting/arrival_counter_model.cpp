// arrival_counter.cpp under many interleavings, in regions whose sizes differ: exactly one member
// is the last of each region, and it is the last. A member may be stopped between its count and
// what it does next, while the others end the region and the counter is configured for the next
// one.
#include "base/machine_model.hpp"

#include "arrival_counter.cpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using openmp::arrival_counter;

// The first version of the counter: it compares its count with a number that it reads afterwards.
class late_comparison {
public:
    void configure(unsigned members, unsigned first)
    {
        expected_ = members - first;
        arrived_.store(0, std::memory_order_relaxed);
    }
    bool arrive() noexcept
    {
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != expected_) {
            return false;
        }
        arrived_.store(0, std::memory_order_relaxed);
        return true;
    }

private:
    std::atomic<unsigned> arrived_{0};
    unsigned expected_ = 0;
};

struct region {
    unsigned members;
    unsigned groups;
};

// A master that waits for the last member of each region, and three members, each of which takes
// part in the regions whose size includes it, as in a hot team.
template <region... each>
struct regions_in_turn : rl::test_suite<regions_in_turn<each...>, 4> {
    static constexpr region regions[] = {each...};
    static constexpr unsigned count = sizeof...(each);
    arrival_counter counter;
    late_comparison late;
    std::atomic<unsigned> gate{0};   // region number * 8 + its members
    std::atomic<unsigned> exit{0};   // the last region that has ended
    model::plain<unsigned> done[4];  // the last region that the member has worked in

    void configure(region r)
    {
        counter.configure(r.members, r.groups, 1);
        late.configure(r.members, 1);
    }
    bool arrive(unsigned member)
    {
        return model::broken("compared with what is read afterwards") ? late.arrive()
                                                                      : counter.arrive(member);
    }
    void master()
    {
        for (unsigned r = 1; r <= count; ++r) {
            configure(regions[r - 1]);
            gate.store(r * 8 + regions[r - 1].members, std::memory_order_release);
            while (exit.load(std::memory_order_acquire) != r) {
                model::yield();
            }
            for (unsigned i = 1; i < regions[r - 1].members; ++i) {
                model::check(done[i].get() == r, "a region ended before its members");
            }
        }
        gate.store((count + 1) * 8, std::memory_order_release);
    }
    void member(unsigned number)
    {
        unsigned seen = 0;
        for (;;) {
            unsigned word = seen;
            while ((word = gate.load(std::memory_order_acquire)) == seen) {
                model::yield();
            }
            seen = word;
            if (word % 8 == 0) {
                return;
            }
            if (number >= word % 8) {
                continue;
            }
            done[number].set(word / 8);
            if (arrive(number)) {
                model::check(exit.load(std::memory_order_relaxed) + 1 == word / 8,
                             "a region ended twice");
                exit.store(word / 8, std::memory_order_release);
            }
        }
    }
    void thread(unsigned number)
    {
        model::stop_after_change = true;
        number == 0 ? master() : member(number);
    }
};

using smaller = regions_in_turn<region{4, 1}, region{3, 1}, region{4, 1}>;
using grouped = regions_in_turn<region{4, 2}, region{2, 1}, region{3, 2}, region{4, 4}>;
using growing = regions_in_turn<region{2, 1}, region{3, 3}, region{4, 2}, region{2, 2}>;

const std::vector<model::scenario> scenarios{
    {"smaller, and large again", rl::simulate<smaller>, 50000},
    {"other groups", rl::simulate<grouped>, 50000},
    {"growing", rl::simulate<growing>, 50000},
};

const std::vector<model::breakage> breakages{
    {"compared with what is read afterwards", 0, model::damage::custom},
    {"compared with what is read afterwards", 1, model::damage::custom},
    {"arrivals relaxed", 0, model::damage::relaxed, "arrival_counter.cpp", "::arrive("},
    {"counters are not set back", 0, model::damage::no_write, "arrival_counter.cpp", "::arrive("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
