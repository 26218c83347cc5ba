// Units in code that may block their OS thread: they occupy no stream meanwhile.
#include "base/os/yield.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/stream_access.hpp"
#include "sched/suspend.hpp"

#include <utility>

namespace artel::sched {
namespace {

// The `after` function of a unit that leaves the OS thread of a guest.
void go_to_member(fiber::carrier& here, fiber::fiber& previous, void*)
{
    previous.run = run_fiber;
    if (!post_to_own_worker(as_worker(here).own_crew, previous)) {
        previous.unit->home->push(previous);
    }
}

}  // namespace

void begin_to_block() noexcept
{
    fiber::fiber& me = *this_worker()->current;
    if (me.stream != nullptr) {
        leave_stream(*std::exchange(me.stream, nullptr));
    }
    // A unit must not block the OS thread of a guest: the guest's bound fiber runs only there, and
    // may be what the unit waits for. So the unit moves to an own worker. The guest may take it
    // back from that one's mail, hence the loop.
    for (bool again = false;; again = true) {
        worker& w = *this_worker();
        if (w.current->stream != nullptr) {
            // There was no own worker, and a stream has brought it back: it blocks where it is now.
            leave_stream(*std::exchange(w.current->stream, nullptr));
            return;
        }
        if (!is_carried_by_guest(w)) {
            return;
        }
        if constexpr (!base::modelled) {
            if (again) {
                w.own_crew.call_reserve();
            }
        }
        const guest_scope scope;
        if (!suspend(go_to_member, nullptr)) {
            return;
        }
    }
}

void end_to_block() noexcept
{
    // A fiber without a stream is suspended by the crew; it is resumed with one.
    if (this_worker()->current->stream == nullptr) {
        const guest_scope scope;
        while (!suspend(stream_access::queue_in_pool, nullptr)) {
            base::os::yield();  // no memory for a scheduling loop
        }
    }
}

}  // namespace artel::sched
