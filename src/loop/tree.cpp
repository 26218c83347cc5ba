// How a task of the tree is executed: its part for a timespan, then the rest, which thieves may
// take. Who gets which part is in tree_distribution.cpp.
#include "loop/tree.hpp"

#include "base/os/yield.hpp"
#include "loop/serial.hpp"
#include "loop/tree_run.hpp"
#include "sched/guest_scope.hpp"
#include "sched/push.hpp"

#include <algorithm>

namespace artel::loop {

void tree::run_node(void* carrier, base::work& self)
{
    auto& n = static_cast<tree_task&>(self);
    n.of->execute(n, *static_cast<sched::worker*>(carrier));
}

unsigned tree::take_number(const sched::worker& here) noexcept
{
    const unsigned n = d_.slots();
    const unsigned home = home_slot(here, n);
    for (unsigned i = 0; i < n; ++i) {
        const unsigned at = home + i < n ? home + i : home + i - n;
        if (d_.take_number(at)) {
            return at;
        }
    }
    return no_slot;
}

void tree::execute(tree_task& n, sched::worker& here) noexcept
{
    if (const auto& nodes = d_.asked().nodes; !nodes.allows(here)) {
        if (sched::worker* const there = nodes.pick(home_); there != nullptr && there != &here) {
            send(n, *there);
            return;
        }
    }
    // A thread that finds no number leaves its task, fences, and tries once more; a thread that
    // gives a number back fences, and checks for tasks that were left: one of the two sees the
    // other. A task that is held keeps the tree alive, so the last one is dropped last.
    tree_task* alive = nullptr;
    tree_task* next = &n;
    unsigned number = take_number(here);
    if (number == no_slot) {
        n.references.fetch_add(1, std::memory_order_relaxed);  // relaxed: we hold one already
        alive = &n;
        deferred_.add(n);
        base::full_fence();  // pairs with the one below
        number = take_number(here);
        if (number == no_slot) {
            drop(alive);
            return;
        }
        next = deferred_.take();
    }
    for (;;) {
        while (next != nullptr) {
            perform(*next, number);
            if (alive != nullptr) {
                drop(alive);
            }
            alive = next;
            next = deferred_.take();
            if (next == nullptr) {
                next = take_back();
            }
        }
        d_.give_number(number);
        base::full_fence();      // pairs with the one above
        if (!deferred_.any()) {  // ordered by the fence
            break;
        }
        number = take_number(*sched::this_worker());
        if (number == no_slot) {
            break;  // the holders of the numbers check when they give them back
        }
        next = deferred_.take();
    }
    drop(alive);
}

void tree::perform(tree_task& n, unsigned number) noexcept
{
    if (d_.stopped()) {
        return;
    }
    if (n.last - n.first > 1) {
        distribute(n, number);
    }
    const std::uint32_t done = run_for_timespan(n.units, number);
    const std::uint32_t grain = measured_grain_ ? std::max(d_.grain_units(), done)
                                                : d_.grain_units();
    while (n.units.size() / 2 >= grain && !d_.stopped()) {
        const std::uint32_t middle = n.units.first + n.units.size() / 2;
        tree_task* const half = make(n, {middle, n.units.last}, n.first, n.first + 1);
        if (half == nullptr) {
            break;
        }
        n.units.last = middle;
        sched::push(*sched::this_worker(), *half);  // the body may have moved us to another worker
    }
    if (!n.units.empty() && !d_.stopped()) {
        d_.run_apart(n.units, number);
    }
}

std::uint32_t tree::run_for_timespan(unit_range& units, unsigned number) noexcept
{
    const std::uint32_t all = units.size();
    const std::uint64_t start = base::cycles();
    std::uint64_t passed = 0;
    for (std::uint32_t piece = d_.grain_units();
         !units.empty() && passed < how_.timespan && !d_.stopped();) {
        const std::uint32_t next = units.first + std::min(piece, units.size());
        d_.run_apart({units.first, next}, number);
        units.first = next;
        passed = std::max<std::uint64_t>(base::cycles() - start, 1);
        // Twice as many as last time, if that fits into the rest of the timespan.
        const auto done = static_cast<double>(all - units.size());
        const double fits = passed < how_.timespan ? done * (static_cast<double>(how_.timespan) /
                                                                 static_cast<double>(passed) -
                                                             1)
                                                   : 0;
        const double twice = std::min(2.0 * piece, 1e9);
        piece = std::max(d_.grain_units(),
                         static_cast<std::uint32_t>(std::min(twice, std::max(fits, 1.0))));
    }
    return all - units.size();
}

bool tree::time_has_passed() const noexcept
{
    return base::cycles() - start_ >= how_.timespan;
}

// The caller's part when its share is done. It gives all workers the timespan to begin with theirs,
// unless there is other work here, and then starts what they have not: it must not wait for busy
// workers.
void tree::help() noexcept
{
    while (!done_.is_set()) {
        sched::worker& here = *sched::this_worker();
        base::work* const item = here.tasks.pop();
        if (item != nullptr && item->run == run_node && static_cast<tree_task*>(item)->of == this) {
            execute(static_cast<tree_task&>(*item), here);
            continue;
        }
        if (item != nullptr) {
            sched::put_back(here, *item);  // none of ours lies below it
        } else if (!time_has_passed() && !here.has_work()) {
            if (home_.oversubscribed()) {
                base::os::yield();
            } else {
                base::cpu_relax();
            }
            continue;
        }
        let_take_back();
        // A body may have moved us to a worker that may not run the loop.
        tree_task* const n = d_.asked().nodes.allows(here) ? sent_.take_back() : nullptr;
        if (n == nullptr) {
            return;
        }
        execute(*n, here);
    }
}

// From now on participants that have finished take back what others have not started.
void tree::let_take_back() noexcept
{
    taking_back_.store(true, std::memory_order_relaxed);  // relaxed: ordered by the fence
    base::full_fence();                                   // pairs with the one in take_back().
}

void tree::run(sched::worker& caller) noexcept
{
    if (d_.asked().nodes.allows(caller)) {
        execute(root_, caller);
        help();
    } else if (sched::worker* const there = d_.asked().nodes.pick(home_); there != nullptr) {
        let_take_back();  // the caller does not come to help
        sched::post(*there, root_, root_);
    } else {
        execute(root_, caller);
    }
    done_.wait();
    sent_.forget();
}

void run_along_tree(const request& r, unsigned slots, bool measured_grain)
{
    sched::late_guest_scope scope;
    descriptor* const d = scope.here() != nullptr ? descriptor::make(r, slots) : nullptr;
    if (d == nullptr) {
        run_serially(r);
        return;
    }
    d->free_numbers();
    scope.count();
    {
        tree t(*d, *scope.here(),
               r.distributed != nullptr ? *r.distributed : distribution_for(slots), measured_grain);
        t.run(*scope.here());
    }
    d->close();
    const std::exception_ptr error = d->take_error();
    d->drop_reference();
    if (error) {
        std::rethrow_exception(error);
    }
}

}  // namespace artel::loop
