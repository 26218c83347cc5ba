// Making suspended fibers ready: in the caller's queue, at home, or on their own OS thread.
#include "sched/crew.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/stream.hpp"
#include "sched/suspend.hpp"

namespace artel::sched {

void make_ready(fiber::fiber& f) noexcept
{
    if (f.unit != nullptr) [[unlikely]] {
        make_unit_ready(f);
        return;
    }
    worker* const w = this_worker();
    if (f.type == fiber::kind::bound || w == nullptr) {
        make_ready_at_home(f);
        return;
    }
    f.run = run_fiber;
    if (w->ready.push(&f)) {
        w->own_crew.notify(w);
    } else {
        post(*w, f, f);
    }
}

worker& home_of(const fiber::fiber& f) noexcept
{
    worker& last = as_worker(*f.last);
    const bool reserve = last.kind == role::reserve;
    // A reserve keeps what it carries, whatever its home: a light thread that spins on others needs
    // an OS thread of its own each time. relaxed: only a matter of speed; a retiring reserve still
    // runs what it is given.
    if (reserve && !last.retiring.load(std::memory_order_relaxed)) {
        return last;
    }
    if (f.home != nullptr) {
        return as_worker(*f.home);
    }
    if (reserve) {
        const unsigned own = last.own_crew.own_worker_count();
        if (worker* const other = own != 0
                                      ? last.own_crew.own_worker(static_cast<unsigned>(f.id % own))
                                      : nullptr;
            other != nullptr) {
            return *other;
        }
    }
    return last;
}

void make_bound_ready(fiber::fiber& f) noexcept
{
    worker& w = as_worker(*f.last);
    // release: pairs with the acquire in take_own_ready.
    w.own_ready.store(true, std::memory_order_release);
    // pairs with parker::prepare: the sleeper sees own_ready or we see it parked.
    base::full_fence();
    wake_from_sleep(w);
}

void make_pinned_ready(worker& w) noexcept
{
    // release: pairs with the acquire in take_pinned.
    w.pinned_ready.store(true, std::memory_order_release);
    // pairs with parker::prepare: the sleeper sees pinned_ready or we see it parked.
    base::full_fence();
    wake_from_sleep(w);
}

void make_ready_at_home(fiber::fiber& f) noexcept
{
    if (f.unit != nullptr) [[unlikely]] {
        make_unit_ready(f);
        return;
    }
    if (f.type == fiber::kind::bound) {
        make_bound_ready(f);
        return;
    }
    f.run = run_fiber;
    post(home_of(f), f, f);
}

void make_ready_at_home(fiber::fiber& first, fiber::fiber& last) noexcept
{
    worker& home = home_of(first);
    fiber::fiber* begin = nullptr;  // of the fibers that are not posted yet
    fiber::fiber* end = nullptr;
    for (fiber::fiber* f = &first; f != nullptr;) {
        fiber::fiber& here = *f;
        f = f == &last ? nullptr : static_cast<fiber::fiber*>(f->next);
        if (here.unit != nullptr) [[unlikely]] {
            // Units go where their streams look for them.
            make_unit_ready(here);
            continue;
        }
        here.run = run_fiber;
        if (begin == nullptr) {
            begin = &here;
        } else {
            end->next = &here;
        }
        end = &here;
    }
    if (begin != nullptr) {
        post(home, *begin, *end);
    }
}

}  // namespace artel::sched
