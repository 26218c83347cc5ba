// A persona yields to the others on its worker. A master hands the personas in its queues over to
// the crew's own threads, and yields only if these cannot take them all.
#include "blocked_member.hpp"

#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/isolation.hpp"
#include "sched/suspend.hpp"
#include "sched/yield_round.hpp"

namespace artel::openmp {

namespace {

bool in_team(const sched::worker& w) noexcept
{
    return w.current->type == fiber::kind::persona ||
           (w.current->type == fiber::kind::bound && !sched::outside_scope(w));
}

}  // namespace

bool may_let_others_go_on(const sched::worker& w) noexcept
{
    return in_team(w) && fiber::this_tls().calls_out == 0 && !sched::isolated(w) &&
           !foreign::members_are_threads() && w.own_crew.usual_signal_mask(w);
}

bool let_others_go_on(bool far) noexcept
{
    if (sched::this_worker()->current->type == fiber::kind::persona) {
        return sched::yield_in_round(far);
    }
    return !sched::pass_personas_on() && sched::yield_in_round(false);
}

sched::worker* blocking_master() noexcept
{
    sched::worker& w = *sched::this_worker();
    return w.kind == sched::role::guest && w.current == &w.base ? &w : nullptr;
}

}  // namespace artel::openmp
