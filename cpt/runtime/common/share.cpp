// Entering makes or finds the member's next state in the list; leaving a state drops it when all
// members have moved on.
#include "share.hpp"

#include "team.hpp"

#include <cstdlib>

namespace cp {

namespace {

void step_off(share* s, team& of)
{
    // acq_rel: all accesses of the members happen before it is freed.
    if (s->left.fetch_sub(1, std::memory_order_acq_rel) == 1 && s != &of.first) {
        delete s;
    }
}

}  // namespace

share::~share()
{
    std::free(waves.load(std::memory_order_relaxed));  // relaxed: nobody else is left
}

bool enter_share(thread& me)
{
    team& of = *me.group;
    share* const old = me.at;
    // acquire: pairs with the exchange below, which publishes the initialised construct.
    share* next = old->next.load(std::memory_order_acquire);
    if (next == nullptr) {
        auto* const made = new share(of.n);
        // acq_rel: the same on both sides.
        if (old->next.compare_exchange_strong(next, made, std::memory_order_acq_rel,
                                              std::memory_order_acquire)) {
            next = made;
        } else {
            delete made;
        }
    }
    me.at = next;
    step_off(old, of);
    // relaxed: it only selects one member, and publishes nothing.
    return !next->claimed.load(std::memory_order_relaxed) &&
           !next->claimed.exchange(true, std::memory_order_relaxed);
}

void leave_shares(thread& me)
{
    step_off(me.at, *me.group);
    me.at = nullptr;
}

}  // namespace cp
