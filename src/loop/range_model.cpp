// The words of a slot under many interleavings (range_word.hpp, and offer.hpp for shares on their
// way): each unit is run exactly once, in any mix of claims, steals, withdrawals and late workers;
// a slot's number has one participant at a time, which sees its predecessor's writes.
#include "base/machine_model.hpp"

#include "loop/range_word.hpp"
#include "sched/offer.hpp"

#include "base/run_model.hpp"

namespace artel::loop {

// Relacy prints what it finds.
std::ostream& operator<<(std::ostream& out, ownership t)
{
    return out << static_cast<int>(t);
}

}  // namespace artel::loop

namespace {

using namespace artel;
using loop::unit_range;

// Counts the runs of each unit.
template <unsigned units>
struct counted {
    int ran[units] = {};
    void run(unit_range r)
    {
        for (std::uint32_t i = r.first; i < r.last; ++i) {
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

// Slot 0 has all units and an owner that takes them one by one; the others steal halves into slots
// of their own, and from each other.
struct claim_and_steal : rl::test_suite<claim_and_steal, 3>, counted<5> {
    loop::range_word slot[3];
    void before() { slot[0].put({0, 5}); }
    void thread(unsigned own)
    {
        for (;;) {
            for (unit_range r; !(r = slot[own].claim(1)).empty();) {
                run(r);
            }
            unit_range stolen;
            for (unsigned i = 1; i < 3 && stolen.empty(); ++i) {
                stolen = slot[(own + i) % 3].take_back_half(1);
            }
            if (stolen.empty()) {
                return;
            }
            slot[own].put(stolen);
        }
    }
    void after() { all_ran(); }
};

// The same, but a thief takes all units: they are few, or it takes all in any case.
struct claim_and_take_all : rl::test_suite<claim_and_take_all, 2>, counted<4> {
    loop::range_word slot[2];
    void before() { slot[0].put({0, 4}); }
    void thread(unsigned own)
    {
        for (unit_range r; own == 0 && !(r = slot[0].claim(1)).empty();) {
            run(r);
        }
        if (own == 1) {
            run(slot[0].take_back_half(3));
            run(slot[0].claim(~0u));
        }
    }
    void after() { all_ran(); }
};

// A closed range: the share of a worker that has not arrived is in no slot but in its offer. Thread
// 0 sets the loop up, offers share 1 and, having run its own, withdraws the offer if it is still
// there, or takes from the slot. Thread 1 is the worker: it may come, put its share into its slot,
// and run it.
struct closed_share : rl::test_suite<closed_share, 2>, counted<4> {
    sched::offer_line line;
    base::work offer;
    loop::range_word slot[2];
    loop::ownership_word ownership[2];
    model::plain<int> set_up;
    void thread(unsigned i)
    {
        if (i == 0) {
            set_up.set(7);
            ownership[1].mark(loop::ownership::offered);
            const bool made = line.make(offer, 1);
            slot[0].put({0, 2});
            if (!made) {
                run({2, 4});
            }
            for (unit_range r; !(r = slot[0].claim(1)).empty();) {
                run(r);
            }
            unsigned argument = 0;
            if (made && ownership[1].look() == loop::ownership::offered &&
                line.withdraw(offer, argument)) {
                model::check(argument == 1, "the argument of the offer");
                run({2, 4});
            }
            run(slot[1].take_back_half(1));
            return;
        }
        line.open();
        for (int look = 0; look < 4; ++look) {
            if (line.waits()) {
                if (base::work* const taken = line.take(); taken != nullptr) {
                    model::check(taken == &offer && line.argument() == 1, "what was offered");
                    model::check(set_up.get() == 7, "set-up not seen");
                    slot[1].put({2, 4});
                    for (unit_range r; !(r = slot[1].claim(1)).empty();) {
                        run(r);
                    }
                    return;
                }
            }
            base::cpu_relax();
        }
        if (!line.close()) {
            if (line.take() != nullptr) {
                run({2, 4});
            }
        }
    }
    void after() { all_ran(); }
};

// A free slot with its share, and two workers that happen to come. The one that gets the slot
// begins with that share, then puts its stolen units into it; the other takes from it. Nobody
// overwrites the share.
struct laid_out : rl::test_suite<laid_out, 3>, counted<6> {
    loop::range_word slot[2];
    loop::ownership_word ownership;
    void before() { slot[0].put({0, 3}); }
    void thread(unsigned i)
    {
        if (i == 0) {
            slot[1].put({3, 6});
            ownership.lay_out();
            for (unit_range r; !(r = slot[0].claim(1)).empty();) {
                run(r);
            }
            return;
        }
        if (!ownership.take()) {
            return;
        }
        for (int round = 0; round < 2; ++round) {
            for (unit_range r; !(r = slot[1].claim(1)).empty();) {
                run(r);
            }
            if (const unit_range stolen = slot[0].take_back_half(1); !stolen.empty()) {
                slot[1].put(stolen);
            }
        }
        run(slot[1].claim(~0u));
    }
    void after()
    {
        run(slot[1].claim(~0u));  // if nobody came
        all_ran();
    }
};

// A participant leaves its slot and another one comes: one at a time under a number, and in order.
struct given_up : rl::test_suite<given_up, 3> {
    loop::ownership_word ownership;
    model::plain<int> under_number;
    void before() { under_number.set(0); }
    void thread(unsigned i)
    {
        if (i == 0) {
            under_number.set(1);
            ownership.lay_out();
            return;
        }
        for (int tries = 0; tries < 3; ++tries) {
            if (ownership.take()) {
                const int seen = under_number.get();
                model::check(seen >= 1, "what the last one did is not seen");
                under_number.set(seen + 1);
                ownership.lay_out();
            }
            base::cpu_relax();
        }
    }
};

// Numbers as locks (tree.hpp).
struct numbers : rl::test_suite<numbers, 3> {
    loop::range_word slot;
    model::plain<int> under_number;
    int turns = 0;
    void before()
    {
        under_number.set(0);
        slot.put({5, 5});  // an empty slot of the last loop
        slot.reset();
    }
    void thread(unsigned)
    {
        for (int tries = 0; tries < 3; ++tries) {
            if (slot.lock()) {
                under_number.set(under_number.get() + 1);
                ++turns;
                slot.unlock();
            }
            base::cpu_relax();
        }
    }
    void after() { model::check(under_number.get() == turns && turns > 0, "a turn is lost"); }
};

// One counter, taken from by fixed pieces and by parts.
struct common : rl::test_suite<common, 3>, counted<9> {
    loop::common_counter counter;
    void before() { counter.reset(); }
    void thread(unsigned i)
    {
        for (;;) {
            const unit_range r = i == 0 ? counter.take_part(4, 1, 9) : counter.take(2, 9);
            if (r.empty()) {
                return;
            }
            run(r);
        }
    }
    void after() { all_ran(); }
};

const std::vector<model::scenario> scenarios{
    {"claims against thieves", rl::simulate<claim_and_steal>, 200000, 200000},
    {"claims against who takes all", rl::simulate<claim_and_take_all>, 100000, 100000},
    {"a share that is on its way", rl::simulate<closed_share>, 200000, 200000},
    {"a share laid out for whoever comes", rl::simulate<laid_out>, 200000, 200000},
    {"a slot given up and taken again", rl::simulate<given_up>, 100000, 100000},
    {"numbers", rl::simulate<numbers>, 100000, 100000},
    {"a counter that all share", rl::simulate<common>, 100000, 100000},
};

const std::vector<model::breakage> breakages{
    {"claim does not write", 0, model::damage::no_write, "range_word.hpp", "range_word::claim("},
    {"a thief does not write", 0, model::damage::no_write, "range_word.hpp", "::take_back_half("},
    {"what was stolen is not put anywhere", 0, model::damage::no_write, "range_word.hpp", "::put("},
    {"who takes all does not write", 1, model::damage::no_write, "range_word.hpp",
     "::take_back_half("},
    {"the offer is not withdrawn", 2, model::damage::no_write, "offer.hpp", "::withdraw("},
    {"the offer is not taken", 2, model::damage::no_write, "offer.hpp", "::take("},
    {"the offer publishes relaxed", 2, model::damage::relaxed, "offer.hpp", "::make("},
    {"the worker takes relaxed", 2, model::damage::relaxed, "offer.hpp", "::take("},
    {"a slot is laid out relaxed", 3, model::damage::relaxed, "range_word.hpp", "::lay_out("},
    {"a slot is taken by two", 3, model::damage::no_write, "range_word.hpp",
     "ownership_word::take("},
    {"a slot is taken relaxed", 3, model::damage::relaxed, "range_word.hpp",
     "ownership_word::take("},
    {"a slot is given up relaxed", 4, model::damage::relaxed, "range_word.hpp", "::lay_out("},
    {"a given-up slot is taken relaxed", 4, model::damage::relaxed, "range_word.hpp",
     "ownership_word::take("},
    {"a number is given back relaxed", 5, model::damage::relaxed, "range_word.hpp", "::unlock("},
    {"a number is taken relaxed", 5, model::damage::relaxed, "range_word.hpp", "::lock("},
    {"a number is taken by two", 5, model::damage::no_write, "range_word.hpp", "::lock("},
    {"numbers are not reset", 5, model::damage::no_write, "range_word.hpp", "::reset("},
    {"a part of the counter is taken by two", 6, model::damage::no_write, "range_word.hpp",
     "::take_part("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
