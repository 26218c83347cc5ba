// Starting and joining hot teams. A region is one and a half barriers: the gate opens (members
// start), members arrive (the last one wakes the master), and then wait at the gate again, spinning
// or suspended. Between the arrival of the last member and the next opening only the master touches
// the team, apart from late helpers (team/late_help.hpp). With two members a region moves one cache
// line to the member and one back, the least with which two threads can synchronise.
#include "hot_team.hpp"

#include "base/fp_control.hpp"
#include "base/os/yield.hpp"
#include "binding.hpp"
#include "fiber/signals.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/program_regions.hpp"
#include "sched/suspend.hpp"
#include "tasking/stalled_tasks.hpp"
#include "tasking/task_wait.hpp"
#include "team/late_help.hpp"
#include "told_region.hpp"

#include <algorithm>

namespace artel::openmp {

hot_team::hot_team(unsigned capacity)
    : capacity_(capacity), storage_(new member[capacity]), starts_(new member_start[capacity])
{
    static std::atomic<unsigned> teams{0};
    // relaxed: only spreads teams. The first one begins with own thread 0.
    first_home_ = teams.fetch_add(1, std::memory_order_relaxed) * (sched::crew::get().width() - 1);
    hot = true;
    members = storage_.get();
    crew_generation = fork_generation();
    reserve(capacity);
    const unsigned lists = std::min(sched::crew::get().width(), 64u);
    gate_.configure(lists + 1);  // the last list is for members outside the current team
    exit_.configure(1);
    exit_.waits_for(this);
    barrier.queue().waits_for(this);
    tasking.add_queue(gate_, lists);
    tasking.add_queue(exit_, 1);
    for (unsigned i = 0; i < capacity; ++i) {
        members[i].number = i;
        members[i].in = this;
    }
}

hot_team::~hot_team() = default;

// The main loop of a member's persona.
void hot_team::live(void* argument)
{
    const member_start& s = *static_cast<member_start*>(argument);
    hot_team& t = *s.in;
    member& m = t.members[s.number];
    fiber::this_tls().local = &m;
    fiber::begin_with_mask(*sched::this_worker(), s.blocked);
    const unsigned absent_list = t.gate_.lists() - 1;
    bool in_team = true;
    std::uint64_t last_region = UINT64_MAX - 1;  // that this member was in; at first, none
    for (;;) {
        std::uint64_t word = t.gate_.word();
        while (word == m.gate_seen) {
            if (in_team && t.help_after_arrival(m, word)) {
                // ran a task; look again
            } else if (!in_team) {
                t.gate_.sleep(absent_list, word);
            } else if (!t.gate_.spin(word, member_spin(), tasks_reason(t))) {
                t.gate_.sleep_at_home(absent_list, word, tasks_reason(t));
            }
            word = t.gate_.word();
        }
        m.gate_seen = word;
        in_team = m.number < gate_members(word);
        if (gate_members(word) == 0) {
            break;  // disbanded
        }
        if (!in_team) {
            continue;
        }
        const std::uint64_t region = word >> 16;
        if (t.shares_fp_control || region != last_region + 1) {
            base::set_fp_control(t.fp_control);
        }
        last_region = region;
        if (foreign::members_are_threads()) {
            bind_member_thread(m.where);
        } else {
            // The team of a league's root may have another master than last time.
            sched::this_worker()->current->works_for = t.purpose_;
            if (m.home != nullptr) {
                go_home(*m.home);
            }
        }
        start_member(t, m, t.icvs_);
        // Copied before the call: once we have arrived the master may write the next note.
        const wait_queue::note what = t.gate_.noted();
        const auto function = reinterpret_cast<region_function>(what.first);
        if (t.tool.told) [[unlikely]] {
            ompt::run_member(m, function, reinterpret_cast<void*>(what.second));
        } else {
            function(reinterpret_cast<void*>(what.second));
        }
        end_part(m);
        if (t.ending.arrive(m.number)) {
            t.exit_.open(region);
        }
    }
    sched::this_worker()->current->home = nullptr;  // the persona belongs to the pool again
    fiber::this_tls().local = nullptr;              // the member is freed with the team
    if (t.retirement_ != nullptr) {
        t.retirement_->enrol_this_persona();
    }
    // release: pairs with the acquire in disband. After it this persona must not touch the team.
    t.leaving_.fetch_sub(1, std::memory_order_release);
}

// Members that arrived early may still be looking for tasks of others.
void hot_team::settle() noexcept
{
    end_late_help(tasking.used, helpers_, [] {
        if (!sched::yield()) {
            base::cpu_relax();
        }
    });
}

void hot_team::start(unsigned n, const icv_set& icvs, region_function function, void* data) noexcept
{
    const bool grows = n > gate_members(gate_.word());
    const bool more_personas = personas_ < n;
    purpose_ = sched::purpose_of(*sched::this_worker(), this);
    if (more_personas) {
        foreign::members_are_threads() ? add_threads(n) : add_personas(n);
    }
    // A cancelled region may have left arrivals counted at a barrier. relaxed: its members have all
    // arrived at the end.
    if (configured_ != n || cancelled.load(std::memory_order_relaxed)) {
        const unsigned groups = groups_of(n);
        barrier.configure(n, groups);
        // the master does not arrive; it waits for the last arrival.
        ending.configure(n, groups, 1);
        configured_ = n;
        cancelled.store(false, std::memory_order_relaxed);  // relaxed: published by the gate
    }
    set_if_changed(icvs_, icvs);
    gate_.noted() = {reinterpret_cast<std::uintptr_t>(function),
                     reinterpret_cast<std::uintptr_t>(data)};
    const std::uint64_t word = gate_word((gate_.word() >> 16) + 1, n);
    gate_.open(word, grows ? gate_.lists() : gate_.lists() - 1);
    if (more_personas) {
        // In a large team the members go first: spinning on each other matters only after
        // milliseconds. In a small one the new monitor thread runs while this thread waits.
        if (n > small) {
            sched::crew::get().start_monitor_soon();
        } else {
            sched::crew::get().start_monitor();
        }
    }
}

// Between its arrival and the next region a member runs tasks of members still at work.
bool hot_team::help_after_arrival(member& m, std::uint64_t gate_word) noexcept
{
    return help_late(
        tasking.used, helpers_, [&] { return gate_.word() == gate_word; },
        [&] { return help_with_tasks(m); });
}

void hot_team::join() noexcept
{
    const std::uint64_t region = gate_.word() >> 16;
    for (std::uint64_t left = exit_.word(); left != region; left = exit_.word()) {
        if (help_after_arrival(members[0], gate_.word()) ||
            exit_.spin(left, member_spin(), tasks_reason(*this))) {
            continue;
        }
        exit_.sleep(0, left, tasks_reason(*this));
    }
    await_external_task_ends(*this);
    end_watch(*this);
}

void hot_team::disband(foreign::retirement* end) noexcept
{
    retirement_ = end;
    leaving_.store(personas_ - 1, std::memory_order_relaxed);  // relaxed: published by the gate
    gate_.open(gate_word((gate_.word() >> 16) + 1, 0));
    // acquire: pairs with the release of each leaving persona.
    while (leaving_.load(std::memory_order_acquire) != 0) {
        if (!sched::yield()) {
            base::os::yield();
        }
    }
}

}  // namespace artel::openmp
