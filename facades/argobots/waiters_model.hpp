// Eventuals and how contexts wait for them (waiters.hpp) on the real crew, for a model: one alarm,
// and eventuals whose memory is reused at once. The model includes it, once, as its first header.
#pragma once

#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "eventual.hpp"
#include "sched/latch.cpp"

namespace artel::sched {

// No deadline has passed when a wait begins.
moment now() noexcept
{
    return 0;
}

// One alarm, which rings when the model's clock says so.
inline base::spinlock* alarms = nullptr;
inline alarm* the_alarm = nullptr;

bool set_alarm(alarm& a) noexcept
{
    const std::scoped_lock hold(*alarms);
    the_alarm = &a;
    return true;
}
void clear_alarm(alarm&) noexcept
{
    const std::scoped_lock hold(*alarms);
    the_alarm = nullptr;
}
inline void ring_alarm()
{
    fiber::fiber* woken = nullptr;
    {
        const std::scoped_lock hold(*alarms);
        if (alarm* const a = std::exchange(the_alarm, nullptr); a != nullptr) {
            woken = a->ring(*a);
        }
    }
    if (woken != nullptr) {
        make_ready(*woken);
    }
}

}  // namespace artel::sched

namespace artel::argobots {

bool waiter_list::remove(waiter& w) noexcept
{
    if (first != &w || w.next != nullptr) {
        return false;  // at most one waits
    }
    first = nullptr;
    return true;
}

void wake(waiter& w) noexcept
{
    sched::make_ready(*w.who);
}

// The waiters on their stacks, while these places are in use.
inline const void* suspended[2] = {};

struct suspended_here {
    explicit suspended_here(const void* w) noexcept
        : at(suspended[0] == nullptr ? suspended[0] : suspended[1])
    {
        at = w;
    }
    ~suspended_here() { at = nullptr; }
    const void*& at;
};

void block(fiber::after_switch after, void* argument) noexcept
{
    const suspended_here mark(argument);
    if (model::broken("a waiter joins before its context is saved")) {
        sched::worker& here = *sched::this_worker();
        after(here, *here.current, argument);
        sched::linger(sched::long_enough);
        sched::suspend(nullptr, nullptr);
        return;
    }
    while (!sched::suspend(after, argument)) {
        model::yield();
    }
}

// An eventual whose memory is used for something else after destroy().
class short_lived {
public:
    short_lived()
    {
        new (&of_) eventual{};
        // relaxed: nobody else knows it.
        of_.set.store(false, std::memory_order_relaxed);
    }
    ~short_lived() {}
    eventual& get() { return of_; }
    void destroy() { std::destroy_at(&of_); }

private:
    union {
        eventual of_;
    };
};

}  // namespace artel::argobots
