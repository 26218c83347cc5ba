// Running a loop: from the request to the last participant's leave.
#include "loop/loop.hpp"

#include "loop/descriptor.hpp"
#include "loop/recruit.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <array>

namespace artel::loop {
namespace {

// Takes the caller's own stealable ticket back, if it is still the youngest work of the worker we are on. If not, its taker finds the loop closed.
void withdraw_ticket(descriptor& d, ticket& t) noexcept
{
    if (sched::take_back(*sched::this_worker(), t)) {  // the body may have brought us to another one
        d.drop_reference();
    }
}

void take_part_as_caller(descriptor& d, sched::late_guest_scope& scope) noexcept
{
    sched::worker& w = *scope.here();
    const unsigned own = home_slot(w, d.slots());
    d.mark(own, tenure::owned);
    bool unknown = true;
    invite(d, w, own + 1, d.slots(), unknown);
    invite(d, w, 0, own, unknown);
    scope.count();  // after the offers: it touches what all workers share
    const unsigned pushed = spread(d, w, own, 1);
    d.participate(own, d.share(own));
    if (pushed != 0) {
        withdraw_ticket(d, d.at(own).spread[0]);
    }
}

// For a caller that may not run iterations itself: the others do it.
void see_through(descriptor& d, sched::late_guest_scope& scope) noexcept
{
    scope.count();
    for (unsigned i = 0; i < d.slots(); ++i) {
        d.lay_out(i);
    }
    send(d, *scope.here());
    d.await_others();
}

// After a stop or an exception nobody may look for the shares that are still offered.
void retract(descriptor& d) noexcept
{
    for (unsigned i = 0; i < d.slots(); ++i) {
        unit_range dropped;
        withdraw(d, i, dropped);
    }
}

// Without workers or memory: the plain loop.
void run_alone(const request& r)
{
    std::int64_t step = r.grain;
    if (r.how->whole_when_alone) {
        // One call; where a stop may be requested, 64 of them.
        step = r.stop.stop_possible() ? std::max(r.grain, (r.end / 64 - r.begin / 64)) : r.end - r.begin;
    }
    for (std::int64_t at = r.begin; at < r.end && !r.stop.stop_requested();) {
        const std::int64_t end = r.end - at > step ? at + step : r.end;
        r.body(r.context, at, end, 0);
        at = end;
    }
}

}  // namespace

const algorithm* by_name(std::string_view name) noexcept
{
    for (const algorithm* const a : std::array{&automatic, &static_, &simple}) {
        if (a->name == name) {
            return a;
        }
    }
    return nullptr;
}

unsigned width(unsigned concurrency) noexcept
{
    const unsigned all = sched::crew::get().width();
    return concurrency != 0 ? std::min(concurrency, all) : all;
}

void run(const request& r)
{
    if (r.begin >= r.end) {
        return;
    }
    const std::uint64_t iterations = static_cast<std::uint64_t>(r.end) - static_cast<std::uint64_t>(r.begin);
    const std::uint64_t pieces = (iterations - 1) / static_cast<std::uint64_t>(std::max<std::int64_t>(1, r.grain)) + 1;
    const auto slots = static_cast<unsigned>(std::min<std::uint64_t>(width(r.concurrency), pieces));
    if (slots == 1 && !r.nodes.restricts()) {
        run_alone(r);
        return;
    }
    sched::late_guest_scope scope;
    if (scope.here() != nullptr) {
        prepare_to_invite(*scope.here(), slots);
    }
    descriptor* const d = scope.here() != nullptr ? descriptor::make(r, slots) : nullptr;
    if (d == nullptr) {
        run_alone(r);
        return;
    }
    if (r.nodes.allows(*scope.here()) || r.nodes.pick(scope.here()->home) == nullptr) {
        take_part_as_caller(*d, scope);
    } else {
        see_through(*d, scope);
    }
    if (d->stopped()) {
        retract(*d);
    }
    d->close();
    if (d->stopped()) {
        d->clear();
    }
    const std::exception_ptr error = d->take_error();
    d->drop_reference();
    if (error) {
        std::rethrow_exception(error);
    }
}

}  // namespace artel::loop
