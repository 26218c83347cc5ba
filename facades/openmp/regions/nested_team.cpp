// Tickets, claims and the end of nested regions.
#include "nested_team.hpp"

#include "base/fp_control.hpp"
#include "binding.hpp"
#include "fiber/signals.hpp"
#include "foreign/thread_persona.hpp"
#include "member_personas.hpp"
#include "sched/crew.hpp"
#include "sched/program_regions.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"
#include "tasking/stalled_tasks.hpp"
#include "tasking/task_wait.hpp"
#include "told_region.hpp"

#include <algorithm>
#include <bit>

namespace artel::openmp {

namespace {

constexpr unsigned most_spares = 4;

}  // namespace

nested_team::nested_team(unsigned capacity) : capacity_(capacity), storage_(new member[capacity])
{
    members = storage_.get();
    for (unsigned i = 0; i < capacity; ++i) {
        members[i].number = i;
        members[i].in = this;
    }
    reserve(capacity);
    exit_.configure(1);
    exit_.waits_for(this);
    barrier.queue().waits_for(this);
    tasking.add_queue(exit_, 1);
    claims = &next_;
    ticket_.run = take_ticket;
    ticket_.of = this;
    crew_generation = fork_generation();
}

// Called by the master on `w`. In a busy crew the master takes the ticket back within a fraction of
// a microsecond.
void nested_team::queue_ticket(sched::worker& w) noexcept
{
    w.count_concurrent(1);
    w.tasks.delay_thieves(true);
    sched::push(w, ticket_);
}

// Called, on the OS thread of `w`, when a ticket was taken out of a deque and is not passed on.
void nested_team::forget_ticket(sched::worker& w) noexcept
{
    w.count_concurrent(-1);
    w.tasks.delay_thieves(false);
}

void nested_team::drop() noexcept
{
    // acq_rel: the last holder frees the team after all uses by others.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete this;
    }
}

nested_team* nested_team::take_spare(member& m, unsigned size)
{
    const nested_team* busy = nullptr;
    for (nested_team** at = &m.spare; *at != nullptr; at = &(*at)->next_spare) {
        nested_team* const t = *at;
        if (t->capacity() < size || t->crew_generation != fork_generation()) {
            continue;
        }
        if (t->idle()) {
            *at = t->next_spare;
            return t;
        }
        busy = busy != nullptr ? busy : t;
    }
    auto* const made = new nested_team(std::bit_ceil(size));
    if (busy != nullptr) {
        // It stands in for a team that a late claim still refers to. With its members' places they
        // do not seem to have moved, which would be displayed (OMP_DISPLAY_AFFINITY). Teams inside
        // of it are made anew, and displayed.
        for (unsigned i = 0; i < size; ++i) {
            made->members[i].where = busy->members[i].where;
            made->members[i].displayed = busy->members[i].displayed;
        }
    }
    return made;
}

void nested_team::keep_spare(member& m, nested_team* t) noexcept
{
    t->next_spare = m.spare;
    m.spare = t;
    unsigned n = 1;
    for (nested_team* s = t; s->next_spare != nullptr; s = s->next_spare) {
        if (++n > most_spares) {
            nested_team* const oldest = s->next_spare;
            s->next_spare = oldest->next_spare;
            oldest->release();
            return;
        }
    }
}

void nested_team::start(unsigned n, const icv_set& icvs, region_function function,
                        void* data) noexcept
{
    icvs_ = icvs;
    // A thread beyond those for which the crew has room is none of its workers; it has teams of
    // one.
    if (n > 1) {
        const sched::worker& here = *sched::this_worker();
        blocked_ = fiber::blocked_by(here);
        claim_.works_for = claim_last_.works_for = sched::purpose_of(here, this);
    }
    function_ = function;
    data_ = data;
    ++region_;
    // relaxed (all three): published by the push of the ticket.
    tasking.used.store(false, std::memory_order_relaxed);
    next_.store(1, std::memory_order_relaxed);
    // A cancelled region may have left members counted in at a barrier. relaxed, both: the team is
    // idle; published as above.
    if (configured_ != n || cancelled.load(std::memory_order_relaxed)) {
        const unsigned groups = groups_of(n);
        barrier.configure(n, groups);
        ending.configure(n, groups);
        configured_ = n;
        cancelled.store(false, std::memory_order_relaxed);
    }
    if (n > 1 && foreign::members_are_threads()) {
        start_threads(n);
    } else if (n > 1) {
        references_.store(2, std::memory_order_relaxed);  // relaxed: nobody else knows the team
        queue_ticket(*sched::this_worker());
    }
}

// Where personas are OS threads each runs one member, and all begin at once: no thread could run
// another member while one waits.
void nested_team::start_threads(unsigned n) noexcept
{
    // Set before the first can end. relaxed: nobody else knows the team.
    references_.store(n, std::memory_order_relaxed);
    base::work* next = acquire_personas(n - 1);
    while (next != nullptr) {
        auto& persona = static_cast<fiber::fiber&>(*next);
        next = next->next;  // a persona that was started may be in the pool again
        foreign::assign(persona, as_thread_);
        foreign::start_thread_persona(persona);
    }
}

void nested_team::run_as_thread(void* argument)
{
    nested_team& t = *static_cast<nested_team*>(argument);
    t.run_one();
    fiber::this_tls().local = nullptr;
    t.drop();
}

// Called with the ticket in hand: a persona that will claim members; the ticket is passed on if
// more than one is left.
fiber::fiber& nested_team::persona_for_ticket(sched::worker& w) noexcept
{
    // relaxed: it only grows; a stale value costs one needless look.
    if (next_.load(std::memory_order_relaxed) + 1 >= size) {
        forget_ticket(w);  // no longer needed; the persona takes over its reference
        return acquire_persona(claim_last_);
    }
    // The persona holds a reference of its own; the ticket keeps the other.
    references_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the ticket holds one
    sched::push(w, ticket_);
    return acquire_persona(claim_);
}

// Runs on a scheduling loop. The ticket exists as long as it is queued; after the drop the team may
// be freed.
void nested_team::take_ticket(void* here, base::work& ticket)
{
    nested_team& t = *static_cast<ticket_work&>(ticket).of;
    sched::worker& w = *static_cast<sched::worker*>(here);
    if (!has_unclaimed(t)) {
        forget_ticket(w);
        t.drop();
        return;
    }
    // Members run foreign code.
    if (sched::send_to_others(w, ticket, t.claim_.works_for)) {
        return;
    }
    sched::run_now(w, t.persona_for_ticket(w));
}

void nested_team::run_last(void* argument)
{
    nested_team& t = *static_cast<nested_team*>(argument);
    t.run_members();
    t.drop();
}

void nested_team::run_many(void* argument)
{
    nested_team& t = *static_cast<nested_team*>(argument);
    t.run_members();
    // Usually no worker has taken the ticket that we passed on: it must not stay in the deque until
    // this worker is idle.
    if (sched::worker& w = *sched::this_worker(); sched::take_back(w, t.ticket_)) {
        forget_ticket(w);
        t.drop();
    }
    t.drop();
}

// Claims and runs one member; false when none is left.
bool nested_team::run_one()
{
    // relaxed: the members' data were published by the push of the ticket, or with the assignment.
    const unsigned number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= size) {
        return false;
    }
    member& m = members[number];
    fiber::this_tls().local = &m;
    if (foreign::members_are_threads()) {
        bind_member_thread(m.where);
    }
    fiber::begin_with_mask(*sched::this_worker(), blocked_);
    base::set_fp_control(fp_control);
    start_member(*this, m, icvs_);
    if (tool.told) [[unlikely]] {
        ompt::run_member(m, function_, data_);
    } else {
        function_(data_);
    }
    end_part(m);
    if (ending.arrive(number)) {
        exit_.open(region_);
    }
    return true;
}

void nested_team::run_members()
{
    while (run_one()) {
    }
    fiber::this_tls().local = nullptr;
}

// Called by the master before it waits: if nobody has taken the ticket, a persona runs the members
// at once, without the detour over a scheduling loop.
void nested_team::run_rest_here(std::uint64_t left) noexcept
{
    sched::worker& w = *sched::this_worker();
    // When a bound fiber sleeps on a word, as here, its OS thread may run foreign code meanwhile.
    const bool carries = w.current->type == fiber::kind::bound || sched::may_carry(w);
    if (!carries || foreign::members_are_threads() || !has_unclaimed(*this) ||
        !sched::take_back(w, ticket_)) {
        return;
    }
    exit_.sleep(0, left, tasks_reason(*this), &persona_for_ticket(w));
}

void nested_team::join() noexcept
{
    if (ending.arrive(0)) {
        await_external_task_ends(*this);
        end_watch(*this);
        return;
    }
    std::uint64_t left = exit_.word();
    if (left != region_) {
        run_rest_here(left);
    }
    for (left = exit_.word(); left != region_; left = exit_.word()) {
        // relaxed: an estimate.
        const bool helped = tasking.used.load(std::memory_order_relaxed) &&
                            help_with_tasks(members[0]);
        if (!helped &&
            (has_unclaimed(*this) || !exit_.spin(left, member_spin(), tasks_reason(*this)))) {
            exit_.sleep(0, left, tasks_reason(*this));
        }
    }
    await_external_task_ends(*this);
    end_watch(*this);
}

}  // namespace artel::openmp
