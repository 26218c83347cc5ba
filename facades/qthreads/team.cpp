// A team counts its qthreads and subteams; who leaves last writes the founder's result, and leaves
// the team above in turn.
#include "team.hpp"

namespace artel::qthreads {
namespace {

team the_default_team;
std::atomic<unsigned> last_team{1};  // relaxed: numbers only need to differ

}  // namespace

team& default_team() noexcept
{
    return the_default_team;
}

team* found_team(task& founder, team* parent)
{
    auto* const t = new team;
    t->id = last_team.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: see last_team
    t->parent = parent;
    t->result = founder.result;
    t->flags = founder.flags;
    if (parent != nullptr) {
        enter(*parent);
    }
    return t;
}

void enter(team& t) noexcept
{
    if (&t != &the_default_team) {
        // relaxed: the caller is a member that has not left.
        t.alive.fetch_add(1, std::memory_order_relaxed);
    }
}

void leave(team& t) noexcept
{
    for (team* at = &t; at != nullptr && at != &the_default_team;) {
        // acq_rel: publishes what all members did, and the founder's value, to the last one.
        if (at->alive.fetch_sub(1, std::memory_order_acq_rel) != 1) {
            return;
        }
        team* const above = at->parent;
        deliver(at->flags, at->result, at->value);
        delete at;
        at = above;
    }
}

}  // namespace artel::qthreads

extern "C" {

unsigned qt_team_id(void)
{
    const artel::qthreads::task* const me = artel::qthreads::self();
    return me != nullptr ? me->in->id : 0;
}
// For a function that the interface once had, which ended the other tasks of a team. Nothing
// interrupts them, so there is nothing to do.
void qt_team_critical_section(int) {}
unsigned qt_team_parent_id(void)
{
    const artel::qthreads::task* const me = artel::qthreads::self();
    return me != nullptr && me->in->parent != nullptr ? me->in->parent->id : 0;
}
}
