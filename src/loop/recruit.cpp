// Invitations to loops, and what their takers do.
#include "loop/recruit.hpp"

#include "sched/crew.hpp"

namespace artel::loop {
namespace {

std::uint64_t as_word(const void* address) noexcept
{
    return reinterpret_cast<std::uint64_t>(address);
}

// A worker has taken the offer of its share. It has been entered already.
void take_offer(void* carrier, base::work&)
{
    auto& w = *static_cast<sched::worker*>(carrier);
    const sched::offer_line::words said = w.offers.contents();
    descriptor& d = *reinterpret_cast<descriptor*>(said[0]);
    const auto own = static_cast<unsigned>(said[2]);
    const auto recruit = static_cast<unsigned>(said[2] >> 32);
    if (recruit > own + 1) {  // responsible for more than the own slot
        bool unknown = false;
        invite(d, w, own + 1, recruit, unknown);
        spread(d, w, own, 2);
    }
    d.participate(own, descriptor::unpack(said[3]));
    d.leave();
}

void take_ticket(void* carrier, base::work& self)
{
    descriptor& d = *static_cast<ticket&>(self).of;
    auto& w = *static_cast<sched::worker*>(carrier);
    if (d.enter()) {
        if (!d.asked().nodes.allows(w)) {
            sched::worker* const there = d.asked().nodes.pick(w.home);
            d.leave();
            if (there != nullptr && there != &w) {
                sched::post(*there, self, self);  // the ticket's reference goes with it
                return;
            }
        } else {
            if (const unsigned own = d.take_slot(); own != no_slot) {
                spread(d, w, own, 2);
                d.participate(own, {});
            }
            d.leave();
        }
    }
    d.drop_reference();
}

// Offers the first share of [from, to) whose worker looks for work, together with the responsibility for the rest. The shares before it, or all
// when nobody looks for work, are laid out for whoever comes.
void invite_one(descriptor& d, sched::worker& here, unsigned from, unsigned to, bool& unknown) noexcept
{
    const unsigned known = here.home.table_size();
    const bool anywhere = !d.asked().nodes.restricts();
    for (unsigned i = from; i < to; ++i) {
        if (i < known) {
            sched::worker& v = *here.home.at(i);
            if (&v != &here && v.offers.is_open() && (anywhere || d.asked().nodes.allows(v))) {
                d.mark(i, tenure::offered);
                if (unknown) {
                    d.enter_first();
                    unknown = false;
                } else {
                    d.enter_for_another();
                }
                const std::uint64_t place = i | static_cast<std::uint64_t>(to) << 32;
                if (sched::offer(v, take_offer, {as_word(&d), as_word(d.context()), place, descriptor::pack(d.share(i))})) {
                    return;
                }
                d.leave();
            }
        }
        d.lay_out(i);
    }
}

}  // namespace

void invite(descriptor& d, sched::worker& here, unsigned from, unsigned to, bool& unknown) noexcept
{
    if (here.home.oversubscribed()) {
        // Each step of passing on would wait for its worker's turn on a CPU: all at once then.
        for (unsigned i = from; i < to; ++i) {
            invite_one(d, here, i, i + 1, unknown);
        }
        return;
    }
    const unsigned middle = from + (to - from + 1) / 2;
    invite_one(d, here, from, middle, unknown);
    invite_one(d, here, middle, to, unknown);
}

unsigned spread(descriptor& d, sched::worker& here, unsigned own, unsigned tickets) noexcept
{
    if (d.finished() || !d.any_free()) {
        return 0;
    }
    d.add_references(tickets);
    for (unsigned i = 0; i < tickets; ++i) {
        ticket& t = d.at(own).spread[i];
        t.run = take_ticket;
        sched::push(here, t);
    }
    return tickets;
}

void send(descriptor& d, sched::worker& here) noexcept
{
    for (unsigned i = 0; i < d.slots(); ++i) {
        sched::worker* const there = d.asked().nodes.pick(here.home);
        if (there == nullptr) {
            return;
        }
        ticket& t = d.at(i).spread[0];
        t.run = take_ticket;
        d.add_references(1);
        sched::post(*there, t, t);
    }
}

bool offer_waits(descriptor& d, unsigned i) noexcept
{
    return d.tenure_of(i) == tenure::offered && sched::crew::get().at(i)->offers.holds(as_word(&d));
}

bool withdraw(descriptor& d, unsigned i, unit_range& share) noexcept
{
    sched::offer_line::words said{};
    if (!offer_waits(d, i) || !sched::crew::get().at(i)->offers.withdraw(as_word(&d), said)) {
        return false;
    }
    share = descriptor::unpack(said[3]);
    const auto recruit = static_cast<unsigned>(said[2] >> 32);
    for (unsigned other = i + 1; other < recruit; ++other) {
        d.lay_out(other);
    }
    d.leave();  // who was entered for it
    return true;
}

}  // namespace artel::loop
