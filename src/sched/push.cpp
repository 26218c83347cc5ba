// The named forms, which wake their worker from sleep, and post_to_own_worker, which picks one in
// turn; push itself is inline.
#include "sched/push.hpp"

namespace artel::sched {

void post(worker& to, base::work& first, base::work& last) noexcept
{
    to.mail.post(first, last);
    // pairs with parker::prepare: the sleeper sees the post or we see it parked.
    base::full_fence();
    if (wake_from_sleep(to)) {
        return;
    }
    // relaxed: ordered by the fence. See crew_workers::vacate and ends_now.
    if (to.vacant.load(std::memory_order_relaxed)) [[unlikely]] {
        to.own_crew.forward_mail(to);
        return;
    }
    // relaxed: a hint. An idle worker that spins sees the post itself; a busy one may need help
    // from another.
    if (!to.idle.load(std::memory_order_relaxed) && &to != this_worker()) {
        to.own_crew.notify(&to);
    }
}

bool offer(worker& to, base::work& work, unsigned argument) noexcept
{
    if (!to.offers.make(work, argument)) {
        return false;
    }
    // pairs with parker::prepare: the sleeper sees the offer or we see it parked.
    base::full_fence();
    wake_from_sleep(to);
    return true;
}

worker* any_own_worker(crew& c) noexcept
{
    static std::atomic<unsigned> turn{0};
    const unsigned limit = c.own_worker_limit();
    // relaxed: any will do.
    return limit != 0 ? c.own_worker(turn.fetch_add(1, std::memory_order_relaxed) % limit)
                      : nullptr;
}

bool post_to_own_worker(crew& c, base::work& item) noexcept
{
    worker* const to = any_own_worker(c);
    if (to == nullptr) {
        return false;
    }
    post(*to, item, item);
    return true;
}

// A full push with its notify: a worker that took its last look while the item was out of the deque
// has not seen it.
[[gnu::noinline, gnu::cold]] void put_back(worker& w, base::work& item) noexcept
{
    push(w, item);
}

}  // namespace artel::sched
