// Tasks that are suspended, and go on when the program says so. The thread that runs the task is
// suspended with its whole stack, so that it has its identity when it goes on; its slot goes to
// another persona, and when the task is resumed it needs one again. That is one that is free, or
// that of a thread which comes to the end of its tasks, or which waits: that one gets another slot
// when what it waits for has come.
//
// An external thread comes on top of the workers, of which there may be none. So while one has no
// slot some persona stands in for it, which does not leave: nobody else might come for the tasks
// that others make meanwhile. Any persona will do, so that only their numbers are kept.
#include "arena.hpp"
#include "control.hpp"
#include "light_caller.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"
#include "servers.hpp"

#include <mutex>
#include <utility>

namespace artel::onetbb {

// Of a thread whose task is being suspended; guarded by the lock of the seekers.
struct suspended_task {
    sleeper self;
    bunk place;
    bool resumed = false;
    bool has_no_slot = false;  // and sleeps, or is about to
    bool keeps_slot = false;   // and sleeps: there was no other thread for it
};

namespace {

// What goes on in the slot of who is suspended.
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

// Gives the slot, which is the caller's, to one that wants it, and with it the place among the
// arena's workers, or for an external thread, that `from` has; nullptr: the slot was free. `stays`:
// it will want one again.
bool arena::grant(unsigned index, thread* from, bool stays) noexcept
{
    if (!slot_wanted()) {
        return false;
    }
    const bool counts = from != nullptr && from->counts;
    fiber::fiber* who = nullptr;
    bool keeps_count = false;
    {
        const std::scoped_lock hold(seekers_.lock);
        bunk* const b = seekers_.first;
        if (b == nullptr) {
            return false;
        }
        thread& t = *reinterpret_cast<thread*>(b->key);
        take_back_if_lent(slot_[index]);
        occupy(t, index);
        if (!t.serves && index >= shape_.reserved) {
            t.at->lent = true;
            lent_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see first_for_workers
        }
        keeps_count = counts && t.serves;
        t.counts = keeps_count;
        // relaxed, all: under the lock.
        unsigned absent = absent_.load(std::memory_order_relaxed);
        unsigned standing_in = standing_in_.load(std::memory_order_relaxed);
        if (from != nullptr) {
            absent += stays && !from->serves ? 1 : 0;
            standing_in -= std::exchange(from->stands_in, false) ? 1 : 0;
        }
        if (!t.serves) {
            --absent;
        } else if (!keeps_count && standing_in < absent) {
            t.stands_in = true;
            ++standing_in;
        }
        // relaxed, both: as above; too_many_stand_in is asked after a fence.
        absent_.store(absent, std::memory_order_relaxed);
        standing_in_.store(standing_in, std::memory_order_relaxed);
        who = b->of->poke();
        seekers_.remove(*b);
    }
    sleeper::wake(who);
    // pairs with the fence of one that stands in and falls asleep.
    base::full_fence();
    if (too_many_stand_in()) {
        wake_stand_in();
    }
    if (counts && !keeps_count) {
        one_worker_less();
    }
    return true;
}

bool arena::hand_slot_over(thread& me, bool stays) noexcept
{
    if (!grant(me.index, &me, stays)) {
        return false;
    }
    me.counts = false;
    me.at = nullptr;
    return true;
}

// With the lock of the seekers held.
void arena::stands_in_no_more(thread& t) noexcept
{
    t.stands_in = false;
    standing_in_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
}

void arena::end_standing_in(thread& t) noexcept
{
    if (t.stands_in) {
        const std::scoped_lock hold(seekers_.lock);
        stands_in_no_more(t);
    }
}

// Whether one that has nothing to do stays, since it stands in for somebody; if not, it does so no
// more.
bool arena::must_stay(thread& me) noexcept
{
    if (!me.stands_in || !too_many_stand_in()) {
        return me.stands_in;
    }
    const std::scoped_lock hold(seekers_.lock);
    if (too_many_stand_in()) {
        stands_in_no_more(me);
    }
    return me.stands_in;
}

void arena::give_free_slot() noexcept
{
    const int i = free_slot();
    if (i >= 0 && !grant(static_cast<unsigned>(i), nullptr, false)) {
        free_up(static_cast<unsigned>(i));
    }
}

// For a thread that has none.
void arena::get_slot(thread& me) noexcept
{
    sleeper self;
    const stay wanting(seekers_, self, reinterpret_cast<std::uintptr_t>(&me), 0);
    find_slot(!me.serves);
    self.sleep();
}

// For one whose slot went to another.
void arena::wait_without_slot(thread& me, const abi::d1::wait_context& until) noexcept
{
    const auto address = reinterpret_cast<std::uintptr_t>(&until);
    while (!until.done()) {
        sleep_at(address, 0, [&] { return !until.done(); });
    }
    get_slot(me);
}

void arena::resume(thread& t) noexcept
{
    bool external = false;
    {
        const std::scoped_lock hold(seekers_.lock);
        suspended_task& s = *t.suspended;
        s.resumed = true;
        if (!s.has_no_slot) {
            // Else it has not come to sleep.
            if (fiber::fiber* const who = s.keeps_slot ? s.self.poke() : nullptr; who != nullptr) {
                sleeper::wake(who);
            }
            return;
        }
        external = !t.serves;
        seekers_.add(s.place);
        // It may get a slot from others at once, and be the last one to leave the arena.
        refer();
    }
    find_slot(external);
    drop();
}

// After somebody has come to want one.
void arena::find_slot(bool external) noexcept
{
    // pairs with the fence in free_up().
    base::full_fence();
    // Its own slot, most likely.
    if (external && wake_stand_in()) {
        return;
    }
    give_free_slot();
    if (slot_wanted()) {
        wake_sleeper(anybody);
    }
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
    const sched::guest_scope scope;
    suspended_task s;
    s.place.of = &s.self;
    s.place.key = reinterpret_cast<std::uintptr_t>(&me);
    me.suspended = &s;
    // On the thread itself, as it may rely on that; it may be resumed meanwhile.
    f(argument, handle_of(me));
    {
        const std::scoped_lock hold(seekers_.lock);
        if (s.resumed) {
            me.suspended = nullptr;
            return;
        }
    }
    auto* const r = new replacement{*this, me.index, me.counts, false};
    fiber::fiber* const persona = sched::this_worker() == nullptr
                                      ? nullptr
                                      : servers::take({stand_in, stood_in, r});
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
            // Who wakes the one that stands in may be blocked in the kernel afterwards.
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
    const std::scoped_lock hold(seekers_.lock);  // whoever has woken us is done with `s`
    me.suspended = nullptr;
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::thread;

void suspend(void (*f)(void*, suspend_point_type*), void* argument)
{
    if (artel::onetbb::call_for_light_thread([&] { suspend(f, argument); })) {
        return;
    }
    thread& me = artel::onetbb::this_thread_in_arena();
    me.in->suspend(me, f, argument);
}

void resume(suspend_point_type* point)
{
    thread& t = *reinterpret_cast<thread*>(point);
    t.in->resume(t);
}

suspend_point_type* current_suspend_point()
{
    return reinterpret_cast<suspend_point_type*>(&artel::onetbb::this_thread_in_arena());
}

}  // namespace tbb::detail::r1
