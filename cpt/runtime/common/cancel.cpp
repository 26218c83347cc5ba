// Cancellation of regions, worksharing constructs and task groups.
#include "interface.hpp"
#include "settings.hpp"
#include "team.hpp"
#include "wait.hpp"

using namespace cp;

extern "C" {

int __cp_cancel(unsigned what, int really)
{
    thread& me = *current();
    if (!settings().cancellation) {
        return 0;
    }
    if (!really) {
        return __cp_cancellation_point(what);
    }
    // relaxed: a member that does not see it yet executes a little more.
    if (what == 1) {
        team& of = *me.group;
        of.cancelled.store(true, std::memory_order_relaxed);
        wake(&of.generation);
    } else if (what == 8) {
        if (task_group* const group = cancellable(me.now->group); group != nullptr) {
            group->cancelled.store(true, std::memory_order_relaxed);
        }
    } else {
        me.at->cancelled.store(true, std::memory_order_relaxed);
    }
    return 1;
}

int __cp_cancellation_point(unsigned what)
{
    thread& me = *current();
    if (!settings().cancellation) {
        return 0;
    }
    // relaxed: as above.
    if ((what & 6) != 0 && me.at->cancelled.load(std::memory_order_relaxed)) {
        return 1;
    }
    if (const task_group* const group = cancellable(me.now->group);
        what == 8 && group != nullptr && group->cancelled.load(std::memory_order_relaxed)) {
        return 1;
    }
    if (me.group->cancelled.load(std::memory_order_relaxed)) {
        return 1;
    }
    // A member that looks again and again waits for another one, which may need the stream.
    if (++me.looks % 64 == 0) {
        step_aside(me);
    }
    return 0;
}

}  // extern "C"
