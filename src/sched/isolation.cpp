// Isolation is a count in the fiber. Also the search for a construct's own task below younger work
// in its deque.
#include "sched/isolation.hpp"
#include "sched/push.hpp"

#include <artel/isolation.hpp>

namespace artel::sched {

bool take_back_from_below(worker& w, base::work& item) noexcept
{
    base::work* above = nullptr;  // the oldest first
    base::work* taken = nullptr;
    while ((taken = w.tasks.pop()) != nullptr && taken != &item) {
        taken->next = above;
        above = taken;
    }
    while (above != nullptr) {
        base::work* const next = above->next;
        put_back(w, *above);
        above = next;
    }
    return taken != nullptr;
}

}  // namespace artel::sched

namespace artel::detail {

bool open_isolation() noexcept
{
    sched::worker* const w = sched::crew::get().enter();
    if (w != nullptr) {
        ++w->current->isolated;
    }
    return w != nullptr;
}

void close_isolation() noexcept
{
    // It has not been suspended since, so this is the same worker. In the child of a fork that was
    // made meanwhile no fiber is isolated.
    if (sched::worker* const w = sched::this_worker(); w != nullptr && w->current->isolated != 0) {
        --w->current->isolated;
    }
}

}  // namespace artel::detail
