// Invitations to loops, and what their takers do.
#include "loop/recruit.hpp"

#include "sched/crew.hpp"
#include "sched/push.hpp"

#include <algorithm>

namespace artel::loop {
namespace {

// Loop entries (descriptor::enter_for_others) that are counted for workers before they get their
// offers from the thread that is responsible for their slots.
class entries {
public:
    // Of a loop that only its caller knows: counted with the first offer, or never.
    static entries of_caller(unsigned workers) noexcept { return entries(workers, false); }
    // Counted already by the thread that made the offer.
    static entries of_offer() noexcept { return entries(0, true); }

    void count(descriptor& d) noexcept
    {
        if (!counted_) {
            d.enter_for_others(undecided_);
            counted_ = true;
        }
    }
    // One worker fewer gets an offer.
    void one_less() noexcept { counted_ ? ++unused_ : --undecided_; }
    // Gives back what was counted for workers that did not get an offer. At once, because it writes
    // what all participants share.
    void settle(descriptor& d) noexcept
    {
        if (unused_ != 0) {
            d.leave(unused_);
        }
    }

private:
    entries(unsigned undecided, bool counted) noexcept : undecided_(undecided), counted_(counted) {}

    unsigned undecided_;
    unsigned unused_ = 0;
    bool counted_;
};

void hand_out(descriptor& d, sched::worker& here, unsigned from, unsigned to,
              entries& others) noexcept;

// Runs on a worker that has taken the offer of its share; it has been entered already.
void take_offer(void* carrier, base::work& self)
{
    auto& w = *static_cast<sched::worker*>(carrier);
    descriptor& d = *static_cast<loop_offer&>(self).to;
    __builtin_prefetch(d.context());
    const unsigned own = home_slot(w, d.slots());
    const unsigned recruit = w.offers.argument();
    if (recruit > own + 1) {  // responsible for more than its own slot
        entries others = entries::of_offer();
        hand_out(d, w, own + 1, recruit, others);
        others.settle(d);
        if (!d.how().comes_and_goes) {  // as in take_ticket
            spread(d, w, own, 2);
        }
    }
    d.participate(own, d.share(own));
    d.note_arrival();
    d.leave();
}

void push_ticket(descriptor& d, sched::worker& here, ticket& t) noexcept;

// The ticket is not queued any more. release: pairs with the acquire in call_for_help.
void done_with(ticket& t) noexcept
{
    t.queued.store(false, std::memory_order_release);
}

void take_ticket(void* carrier, base::work& self)
{
    auto& t = static_cast<ticket&>(self);
    descriptor& d = *t.of;
    auto& w = *static_cast<sched::worker*>(carrier);
    if (d.enter()) {
        if (!d.asked().nodes.allows(w)) {
            sched::worker* const there = d.asked().nodes.pick(w.own_crew);
            d.leave();
            if (there != nullptr && there != &w) {
                sched::post(*there, self, self);  // its reference goes with it
                return;
            }
            done_with(t);
        } else {
            done_with(t);
            if (const unsigned own = d.take_slot(); own != no_slot) {
                // otherwise each worker that finds nothing would call two more.
                if (!d.how().comes_and_goes) {
                    spread(d, w, own, 2);
                }
                d.participate(own, {});
                d.note_arrival();
            }
            d.leave();
        }
    } else {
        done_with(t);
    }
    d.drop_reference();
}

void push_ticket(descriptor& d, sched::worker& here, ticket& t) noexcept
{
    d.add_references(1);
    t.run = take_ticket;
    // relaxed: the queue publishes it, and the owner knows it.
    t.queued.store(true, std::memory_order_relaxed);
    sched::push(here, t);
}

// Offers the first share of [from, to) whose worker looks for work, with the responsibility for the
// rest. The shares before it, or all when no worker looks for work, are freed for any worker.
void invite_one(descriptor& d, sched::worker& here, unsigned from, unsigned to,
                entries& others) noexcept
{
    const bool anywhere = !d.asked().nodes.restricts();
    for (unsigned i = from; i < to; ++i) {
        sched::worker* const v = here.own_crew.in_seat(i);
        if (v != nullptr && v != &here && v->offers.is_open() &&
            (anywhere || d.asked().nodes.allows(*v))) {
            d.mark(i, ownership::offered);
            others.count(d);
            if (sched::offer(*v, d.offer(), to)) {
                return;  // with the entries of all from i on
            }
        }
        d.lay_out(i);
        others.one_less();
    }
}

// How many of the `offers` slots that are left the next offer covers. Its taker makes its own first
// offer when we have made one or two more; so a third each time reaches the last worker soonest.
unsigned first_part(unsigned offers) noexcept
{
    return (offers + 2) / 3;
}

// Makes the offers for slots [from, to), a part of them through workers that take one.
void hand_out(descriptor& d, sched::worker& here, unsigned from, unsigned to,
              entries& others) noexcept
{
    if (loop_offer& i = d.offer(); i.run != take_offer) {
        i.run = take_offer;  // once in the descriptor's life, as it is reused
    }
    if (here.own_crew.oversubscribed()) {
        // Each step of passing on would wait for a worker's time on a CPU, so we make all offers at
        // once.
        for (unsigned i = from; i < to; ++i) {
            invite_one(d, here, i, i + 1, others);
        }
        return;
    }
    for (unsigned part = 0; from < to; from += part) {
        part = first_part(to - from);
        invite_one(d, here, from, from + part, others);
    }
}

}  // namespace

static_assert(sched::max_workers <= sched::offer_line::largest_argument);

void prepare_to_invite(sched::worker& here, unsigned slots) noexcept
{
    const unsigned own = home_slot(here, slots);
    const auto prepare = [&](unsigned i) {
        if (i == own || i >= slots) {
            return;
        }
        if (const sched::worker* const v = here.own_crew.in_seat(i); v != nullptr) {
            v->offers.prepare();
        }
    };
    // As in hand_out(): we make all offers ourselves, and most lines come from other CPUs.
    if (here.own_crew.oversubscribed()) {
        for (unsigned i = 0; i < slots; ++i) {
            prepare(i);
        }
    } else {
        prepare(own + 1 < slots ? own + 1 : 0);
        prepare(own + 1 + first_part(slots - own - 1));
    }
}

void invite(descriptor& d, sched::worker& here, unsigned own) noexcept
{
    entries others = entries::of_caller(d.slots() - 1);
    hand_out(d, here, own + 1, d.slots(), others);
    hand_out(d, here, 0, own, others);
    others.settle(d);
}

unsigned spread(descriptor& d, sched::worker& here, unsigned own, unsigned tickets) noexcept
{
    if (d.finished() || !d.any_free()) {
        return 0;
    }
    unsigned pushed = 0;
    for (unsigned i = 0; i < tickets; ++i) {
        // acquire: as in call_for_help; a ticket of the slot's last owner may still be queued.
        if (ticket& t = d.at(own).spread[i]; !t.queued.load(std::memory_order_acquire)) {
            push_ticket(d, here, t);
            ++pushed;
        }
    }
    return pushed;
}

void call_for_help(descriptor& d, unsigned own) noexcept
{
    ticket& t = d.at(own).spread[0];
    // acquire: pairs with done_with(): its taker has read what push_ticket writes.
    if (d.any_free() && !t.queued.load(std::memory_order_acquire)) {
        push_ticket(d, *sched::this_worker(), t);
    }
}

void send(descriptor& d, sched::worker& here) noexcept
{
    const unsigned n = d.slots();
    // Whoever takes a free slot uses its tickets, and must find that this one is queued.
    d.add_references(n);
    for (unsigned i = 0; i < n; ++i) {
        ticket& t = d.at(i).spread[0];
        t.run = take_ticket;
        t.queued.store(true, std::memory_order_relaxed);  // relaxed: lay_out publishes it
    }
    for (unsigned i = 0; i < n; ++i) {
        d.lay_out(i);
    }
    for (unsigned i = 0; i < n; ++i) {
        ticket& t = d.at(i).spread[0];
        if (sched::worker* const there = d.asked().nodes.pick(here.own_crew); there != nullptr) {
            sched::post(*there, t, t);
        } else {
            done_with(t);
            d.drop_reference();
        }
    }
}

bool offer_waits(descriptor& d, unsigned i) noexcept
{
    return d.ownership_of(i) == ownership::offered &&
           sched::crew::get().in_seat(i)->offers.holds(d.offer());
}

bool withdraw(descriptor& d, unsigned i, unit_range& share) noexcept
{
    unsigned recruit = 0;
    if (d.ownership_of(i) != ownership::offered ||
        !sched::crew::get().in_seat(i)->offers.withdraw(d.offer(), recruit)) {
        return false;
    }
    share = d.share(i);
    for (unsigned other = i + 1; other < recruit; ++other) {
        d.lay_out(other);
    }
    d.leave(recruit - i);  // its worker, and those that it was to invite
    return true;
}

void withdraw_all(descriptor& d) noexcept
{
    for (unsigned i = 0; i < d.slots(); ++i) {
        unit_range dropped;
        withdraw(d, i, dropped);
    }
}

}  // namespace artel::loop
