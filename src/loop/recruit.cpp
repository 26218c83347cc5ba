// Invitations to loops, and what their takers do.
#include "loop/recruit.hpp"

#include "sched/crew.hpp"

namespace artel::loop {
namespace {

void take_part(void* carrier, base::work& self);

void fill(ticket& t, unsigned slot, unsigned recruit) noexcept
{
    t.run = take_part;
    t.slot = slot;
    t.recruit = recruit;
}

// The invited participant, or one who came by chance.
void participate(descriptor& d, sched::worker& w, const ticket& t) noexcept
{
    const unsigned wanted = t.slot;
    const unsigned recruit = t.recruit;
    const unsigned own = wanted != no_slot ? wanted : d.take_slot();
    if (own == no_slot) {
        return;
    }
    // relaxed: tells impatient thieves that the owner is here; they take units by CAS all the same.
    d.at(own).arrived.store(true, std::memory_order_relaxed);
    if (recruit > own + 1) {
        invite(d, w, own + 1, recruit);
    }
    spread(d, w, own, 2);
    d.asked().how->participate(d, own);
}

void take_part(void* carrier, base::work& self)
{
    const ticket& t = static_cast<ticket&>(self);
    descriptor& d = *t.of;
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
            participate(d, w, t);
            d.leave();
        }
    }
    d.drop_reference();
}

// Invites the first idle worker of [from, to) to its slot, and lets it invite the others. Returns whether there was one.
bool invite_one(descriptor& d, sched::worker& here, unsigned from, unsigned to) noexcept
{
    const unsigned known = here.home.table_size();
    for (unsigned i = from; i < to && i < known; ++i) {
        sched::worker& v = *here.home.at(i);
        // relaxed: a guess. If it is wrong the invitation waits in the inbox, and others run the slot's iterations.
        if (&v == &here || !v.idle.load(std::memory_order_relaxed) || !d.asked().nodes.allows(v) || d.take_slot(i) == no_slot) {
            continue;
        }
        ticket& t = d.at(i).invitation;
        fill(t, i, to);
        d.add_references(1);
        sched::post(v, t, t);
        return true;
    }
    return false;
}

bool any_free(descriptor& d) noexcept
{
    for (unsigned i = 0; i < d.slots(); ++i) {
        // relaxed: a look.
        if (!d.at(i).taken.load(std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

}  // namespace

void invite(descriptor& d, sched::worker& here, unsigned from, unsigned to) noexcept
{
    if (from >= to) {
        return;
    }
    const unsigned middle = from + (to - from + 1) / 2;
    invite_one(d, here, from, middle);
    invite_one(d, here, middle, to);
}

unsigned spread(descriptor& d, sched::worker& here, unsigned own, unsigned tickets) noexcept
{
    if (d.finished() || !any_free(d)) {
        return 0;
    }
    d.add_references(tickets);
    for (unsigned i = 0; i < tickets; ++i) {
        ticket& t = d.at(own).spread[i];
        fill(t, no_slot, 0);
        sched::push(here, t);
    }
    return tickets;
}

bool send(descriptor& d, sched::worker& here) noexcept
{
    bool found = false;
    for (unsigned i = 0; i < d.slots(); ++i) {
        sched::worker* const there = d.asked().nodes.pick(here.home);
        if (there == nullptr) {
            break;
        }
        ticket& t = d.at(i).spread[0];
        fill(t, no_slot, 0);
        d.add_references(1);
        sched::post(*there, t, t);
        found = true;
    }
    return found;
}

}  // namespace artel::loop
