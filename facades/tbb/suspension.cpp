// Suspended tasks, which continue when the program resumes them. The thread that runs the task is
// suspended with its whole stack, so it keeps its identity. Its slot goes to another persona. When
// the task is resumed it needs a slot again: a free one, or that of a thread that has run out of
// tasks or waits. A thread that gave its slot away while it waits gets another one when its wait is
// over.
//
// External threads are counted beside the workers, and there may be no workers. So while an
// external thread has no slot, a persona stands in for it and does not leave: perhaps no other
// thread would run the tasks that are spawned meanwhile. Any persona will do, so only their number
// is kept.
#include "arena.hpp"
#include "sched/crew.hpp"
#include "servers.hpp"

#include <mutex>
#include <utility>

namespace artel::onetbb {

// The state of a suspension; guarded by the lock of the seekers.
struct suspended_task {
    sleeper self;
    wait_node place;
    bool resumed = false;
    bool has_no_slot = false;  // and it sleeps, or is about to
    bool keeps_slot = false;   // and it sleeps: there was no persona for the slot
};

namespace {

// The job of the persona that takes over the slot of a suspended thread.
struct replacement {
    arena& where;
    unsigned index;
    bool counts;
    bool stands_in;
};

abi::r1::suspend_point_type* handle_of(thread& t) noexcept
{
    return reinterpret_cast<abi::r1::suspend_point_type*>(&t);
}

}  // namespace

void arena::resume(thread& t) noexcept
{
    bool external = false;
    {
        const std::scoped_lock hold(seekers_.lock);
        suspended_task& s = *t.suspended;
        s.resumed = true;
        if (!s.has_no_slot) {
            // If it is not asleep yet, it will see that it was resumed.
            if (fiber::fiber* const who = s.keeps_slot ? s.self.poke() : nullptr; who != nullptr) {
                sleeper::wake(who);
            }
            return;
        }
        external = !t.serves;
        seekers_.add(s.place);
        // The thread may get a slot from others at once, and be the last one to leave the arena.
        refer();
    }
    find_slot(external);
    drop();
}

bool arena::stand_in(void* argument)
{
    const replacement r = *static_cast<replacement*>(argument);
    thread& me = this_thread();
    arena* const before = me.in;
    slot* const at = me.at;
    const unsigned index = me.index;
    const std::uint64_t seen = me.observers_seen;
    r.where.occupy(me, r.index);
    me.serves = true;
    me.counts = r.counts;
    me.stands_in = r.stands_in;
    me.observers_seen = 0;
    r.where.serve_slot(me, false);
    me.in = before;
    me.at = at;
    me.index = index;
    me.observers_seen = seen;
    me.serves = false;
    return std::exchange(me.counts, false);
}

void arena::stood_in(void* argument, bool counted)
{
    auto* const r = static_cast<replacement*>(argument);
    arena& a = r->where;
    delete r;
    a.end_service(counted);
}

void arena::suspend(thread& me, void (*f)(void*, abi::r1::suspend_point_type*), void* argument)
{
    suspended_task s;
    s.place.of = &s.self;
    s.place.key = reinterpret_cast<std::uintptr_t>(&me);
    me.suspended = &s;
    // Called on the thread itself; the function may rely on that. The task may be resumed
    // meanwhile.
    f(argument, handle_of(me));
    {
        const std::scoped_lock hold(seekers_.lock);
        if (s.resumed) {
            me.suspended = nullptr;
            return;
        }
    }
    auto* const r = new replacement{*this, me.index, me.counts, false};
    fiber::fiber* const persona = servers::take({stand_in, stood_in, r, this});
    if (persona == nullptr) {
        delete r;
        {
            const std::scoped_lock hold(seekers_.lock);
            s.keeps_slot = true;
            if (s.resumed) {
                me.suspended = nullptr;
                return;
            }
        }
        s.self.sleep();
    } else {
        refer();  // two: for the slot, and for the persona
        refer();
        if (!me.serves) {
            // The thread that wakes the substitute may block in the kernel afterwards.
            sched::crew::get().start_monitor();
        }
        take_back_if_lent(*me.at);
        me.counts = false;
        me.at = nullptr;
        bool resumed = false;
        {
            const std::scoped_lock hold(seekers_.lock);
            s.has_no_slot = true;
            r->stands_in = !me.serves || std::exchange(me.stands_in, false);
            if (!me.serves) {
                // relaxed, both: under the lock.
                absent_.fetch_add(1, std::memory_order_relaxed);
                standing_in_.fetch_add(1, std::memory_order_relaxed);
            }
            resumed = s.resumed;
            if (resumed) {
                seekers_.add(s.place);
            }
        }
        servers::start(*persona);
        if (resumed) {
            find_slot(!me.serves);
        }
        s.self.sleep();
    }
    const std::scoped_lock hold(seekers_.lock);  // the thread that has woken us is done with `s`
    me.suspended = nullptr;
}

}  // namespace artel::onetbb
