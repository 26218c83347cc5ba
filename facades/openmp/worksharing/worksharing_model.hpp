// A team whose members meet constructs, on the real crew with a ring of two slots, for a model:
// construct.cpp, loop.cpp and the files that hand out pieces, with stubs for the rest of the
// facade. Each iteration is noted, and must run once, in a member that has its loop's bounds.
// Included once, by the model, first.
#pragma once

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

namespace artel::base::os {

bool prepare_fence_on_all_threads() noexcept
{
    return true;
}

// Stricter than the kernel's, whose fence is made by one side for both.
bool fence_on_all_threads() noexcept
{
    full_fence();
    return true;
}

void fence_by_others() noexcept
{
    full_fence();
}

}  // namespace artel::base::os

namespace artel::openmp {

// Stubs for what other files of the facade define.
member::~member() = default;
implicit_task::~implicit_task() = default;
task_allocator::~task_allocator() = default;
void complain_formatted(fmt::string_view format, fmt::format_args) noexcept
{
    base::write_raw({format.data(), format.size()});
}

std::uint64_t member_spin() noexcept
{
    return rl::rand(2) != 0 ? 3000 : 0;
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
#include "waiting/wait_queue_open.cpp"
#include "waiting/wait_until.cpp"
#include "worksharing/construct.cpp"
#include "worksharing/doacross.cpp"
#include "worksharing/loop.cpp"
#include "worksharing/loop_batches.cpp"
#include "worksharing/loop_piece.cpp"
#include "worksharing/loop_setup.cpp"
#include "worksharing/loop_shares.cpp"
#include "worksharing/ordered_turn.cpp"

namespace {

using namespace artel;
using openmp::member;
using openmp::schedule_kind;
using openmp::team;
using openmp::workshare_slot;

// Defined by the model: whether members leave loops before their last piece.
bool leaves_early();

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
    // Changed in ordered regions only, whose order alone prevents races here.
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
        const bool early = leaves_early();
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

}  // namespace
