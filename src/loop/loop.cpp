// Running a loop, from the request until the last participant has left.
#include "loop/loop.hpp"

#include "base/options.hpp"
#include "loop/descriptor.hpp"
#include "loop/recruit.hpp"
#include "loop/serial.hpp"
#include "loop/site.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/push.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace artel::loop {
namespace {

// The number of participants: at most one per piece of a grain. For a range that is not empty.
unsigned slots_for(const request& r) noexcept
{
    const std::uint64_t pieces = (iterations_of(r) - 1) / static_cast<std::uint64_t>(
                                                              std::max<std::int64_t>(1, r.grain)) +
                                 1;
    return static_cast<unsigned>(std::min<std::uint64_t>(width(r.concurrency), pieces));
}

// Takes the caller's own stealable ticket back, if it is still the youngest work of the current
// worker. If not, its taker finds the loop closed.
void withdraw_ticket(descriptor& d, ticket& t) noexcept
{
    // the body may have moved us to another worker.
    if (sched::take_back(*sched::this_worker(), t)) {
        // release: pairs with the acquire in spread and call_for_help.
        t.queued.store(false, std::memory_order_release);
        d.drop_reference();
    }
}

void take_part_as_caller(descriptor& d, sched::late_guest_scope& scope) noexcept
{
    sched::worker& w = *scope.here();
    const unsigned own = home_slot(w, d.slots());
    d.mark(own, ownership::owned);
    d.begin_with(own);
    unsigned pushed = 0;
    if (d.how().begins_with == layout::caller) {
        for (unsigned i = 0; i < d.slots(); ++i) {
            if (i != own) {
                d.lay_out(i);
            }
        }
        scope.count();
    } else {
        invite(d, w, own);
        scope.count();  // after the offers: it touches cache lines that all workers share
        pushed = spread(d, w, own, 1);
    }
    d.participate(own, d.share(own));
    if (pushed != 0 || d.how().comes_and_goes) {
        withdraw_ticket(d, d.at(own).spread[0]);
    }
    if (d.how().comes_and_goes) {
        if (d.stopped()) {
            withdraw_all(d);  // workers that have not come yet need not
        }
        d.await_others();
    }
}

// For a caller that may not run iterations itself: others do.
void see_through(descriptor& d, sched::late_guest_scope& scope) noexcept
{
    scope.count();
    d.begin_with(0);
    send(d, *scope.here());
    d.await_others();
}

// Runs the loop among participants. `slots`: slots_for(r).
void share_out(const request& r, unsigned slots, site* memory)
{
    sched::late_guest_scope scope;
    if (scope.here() != nullptr) {
        prepare_to_invite(*scope.here(), slots);
    }
    descriptor* const d = scope.here() != nullptr ? descriptor::make(r, slots) : nullptr;
    if (d == nullptr) {
        run_serially(r);
        return;
    }
    d->remember_in(memory);
    if (r.nodes.allows(*scope.here()) || r.nodes.pick(scope.here()->own_crew) == nullptr) {
        take_part_as_caller(*d, scope);
    } else {
        see_through(*d, scope);
    }
    if (d->stopped()) {
        withdraw_all(*d);  // no participant may be left to take the shares that are still offered
    }
    d->close();
    if (d->stopped()) {
        d->clear();
    }
    if (memory != nullptr) {
        memory->note_shared(d->somebody_came());
    }
    const std::exception_ptr error = d->take_error();
    d->drop_reference();
    if (error) {
        std::rethrow_exception(error);
    }
}

// A loop of fewer cycles is not worth another worker: the time for one to come, and to wait for it.
// A worker that shares its CPU must first get time on it.
constexpr std::uint64_t serial_below = 2000;
constexpr std::uint64_t serial_below_oversubscribed = 20000;

// A loop inside of a width_scope: with as many other participants as there are places.
void run_within(const request& r, artel::detail::width_budget& scope)
{
    const sched::places others(scope, slots_for(r) - 1);
    request limited = r;
    limited.within = &scope;
    limited.concurrency = 1 + others.count();
    run(limited);
}

}  // namespace

std::span<const algorithm* const> algorithms() noexcept
{
    static constexpr std::array all{&automatic, &static_,   &simple,   &dynamic,       &guided,
                                    &lazy,      &heartbeat, &timespan, &timespan_grain};
    return all;
}

const algorithm* by_name(std::string_view name) noexcept
{
    for (const algorithm* const a : algorithms()) {
        if (a->name == name) {
            return a;
        }
    }
    return nullptr;
}

choice find_out_what_is_chosen() noexcept
{
    const base::option_values& options = base::options();
    const choice found = options.loop != base::loop_choice::automatic || options.loop_grain != 0
                             ? choice::some
                             : choice::none;
    what_is_chosen.store(found, std::memory_order_relaxed);  // relaxed: as in any_chosen
    return found;
}

void take_chosen(request& r) noexcept
{
    if (!any_chosen()) [[likely]] {
        return;
    }
    const base::option_values& options = base::options();
    r.how = algorithms()[static_cast<std::size_t>(options.loop)];
    // Loops that ask for no grain have 1.
    r.grain = options.loop_grain != 0 ? static_cast<std::int64_t>(options.loop_grain)
              : r.grain > 1           ? r.grain
                                      : 0;
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
    if (artel::detail::width_budget* const scope = r.within == nullptr ? sched::width_here()
                                                                       : nullptr;
        scope != nullptr) [[unlikely]] {
        run_within(r, *scope);
        return;
    }
    const std::uint64_t iterations = iterations_of(r);
    if (r.grain <= 0 && r.how->default_pieces != 0) {
        request chosen = r;
        const std::uint64_t pieces = std::uint64_t{r.how->default_pieces} * width(r.concurrency);
        chosen.grain = static_cast<std::int64_t>(std::max<std::uint64_t>(1, iterations / pieces));
        run(chosen);
        return;
    }
    const unsigned slots = slots_for(r);
    if (slots == 1 && !r.nodes.restricts()) {
        run_serially(r);
        return;
    }
    if (r.how->whole != nullptr) {
        r.how->whole(r, slots);
        return;
    }
    site* const memory = r.how->learns ? &site::of(r.from != 0 ? r.from : site_key_of(r.body))
                                       : nullptr;
    // If there are no more iterations than workers, they may be meant to wait for each other,
    // although parallel_for does not promise that they run at the same time.
    if (memory != nullptr && iterations > slots && !r.nodes.restricts() &&
        !r.stop.stop_possible()) {
        const std::uint64_t limit = sched::crew::get().oversubscribed()
                                        ? serial_below_oversubscribed
                                        : serial_below;
        if (memory->average.expects_less(iterations, limit)) {
            if (const std::int64_t left = run_while_short(r, *memory, limit); left != r.begin) {
                request rest = r;
                rest.end = left;
                share_out(rest, slots_for(rest), memory);
            } else if (sched::crew::get().nobody_to_spare()) {
                memory->note_shared(false);
            }
            return;
        }
    }
    share_out(r, slots, memory);
}

}  // namespace artel::loop
