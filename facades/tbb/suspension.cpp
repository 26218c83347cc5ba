// Tasks that are suspended, and go on when the program says so. The thread that runs the task is
// suspended with its whole stack, so that it has its identity when it goes on; its slot goes to
// another persona, and when the task is resumed it needs one again. That is one that is free, or
// that of a thread which comes to the end of its tasks, or which waits: that one gets another slot
// when what it waits for has come.
#include "arena.hpp"
#include "base/log.hpp"
#include "control.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"

namespace artel::onetbb {

namespace {

// What goes on in the slot of who is suspended. Lives until the program's function is called.
struct replacement {
    arena& where;
    unsigned index;
    thread& suspended;
    void (*f)(void*, abi::r1::suspend_point_type*);
    void* argument;
    bool counts;
};

abi::r1::suspend_point_type* handle_of(thread& t) noexcept
{
    return reinterpret_cast<abi::r1::suspend_point_type*>(&t);
}

}  // namespace

// Gives the slot, which is the caller's, to one that wants it, and with it the place among the
// arena's workers, if it has that.
bool arena::grant(unsigned index, bool counts) noexcept
{
    if (!slot_wanted()) {
        return false;
    }
    fiber::fiber* who = nullptr;
    bool keeps_count = false;
    {
        const std::scoped_lock hold(seekers_.lock);
        bunk* const b = seekers_.first;
        if (b == nullptr) {
            return false;
        }
        thread& t = *reinterpret_cast<thread*>(b->key);
        occupy(t, index);
        keeps_count = counts && t.serves;
        t.counts = keeps_count;
        who = b->of->poke();
        seekers_.remove(*b);
    }
    sleeper::wake(who);
    if (counts && !keeps_count) {
        one_worker_less();
    }
    return true;
}

bool arena::hand_slot_over(thread& me) noexcept
{
    if (!grant(me.index, me.counts)) {
        return false;
    }
    me.counts = false;
    me.at = nullptr;
    return true;
}

void arena::give_free_slot() noexcept
{
    const int i = free_slot(0);
    if (i >= 0 && !grant(static_cast<unsigned>(i), false)) {
        // release: pairs with enter().
        slot_[i].occupied.store(false, std::memory_order_release);
    }
}

// For a thread that has none.
void arena::get_slot(thread& me) noexcept
{
    sleeper self;
    const stay wanting(seekers_, self, reinterpret_cast<std::uintptr_t>(&me), 0);
    // pairs with the fence in leave().
    base::full_fence();
    give_free_slot();
    wake_sleeper(anybody);
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
    bunk& b = *t.suspended;
    {
        const std::scoped_lock hold(seekers_.lock);
        seekers_.add(b);
    }
    // pairs with the fence in leave().
    base::full_fence();
    give_free_slot();
    if (slot_wanted()) {
        wake_sleeper(anybody);
    }
}

void arena::stand_in(void* argument)
{
    const replacement r = *static_cast<replacement*>(argument);
    thread& me = this_thread();
    arena* const before = me.in;
    slot* const at = me.at;
    const unsigned index = me.index;
    const std::uint64_t seen = me.observers_seen;
    arena& a = r.where;
    a.occupy(me, r.index);
    me.serves = true;
    me.counts = r.counts;
    me.observers_seen = 0;
    // Afterwards the suspended one may be gone.
    r.f(r.argument, handle_of(r.suspended));
    a.serve_slot(me, false);
    me.in = before;
    me.at = at;
    me.index = index;
    me.observers_seen = seen;
    me.serves = false;
    a.end_service(me);
}

void arena::suspend(thread& me, void (*f)(void*, abi::r1::suspend_point_type*),
                    void* argument) noexcept
{
    const sched::guest_scope scope;
    sleeper self;
    bunk place;
    place.of = &self;
    place.key = reinterpret_cast<std::uintptr_t>(&me);
    me.suspended = &place;
    replacement r{*this, me.index, me, f, argument, me.counts};
    const foreign::assignment a{stand_in, &r};
    int error = 0;
    fiber::fiber* const persona = sched::this_worker() == nullptr
                                      ? nullptr
                                      : foreign::acquire_persona(a, stack_size(), error);
    if (persona == nullptr) {
        // It keeps its slot, and the OS thread sleeps in it until it is resumed.
        base::fatal("no thread for what follows a suspended task");
    }
    refer();  // two: for the slot, and for the persona
    refer();
    me.counts = false;
    me.at = nullptr;
    if (foreign::members_are_threads()) {
        foreign::start_thread_persona(*persona);
    } else {
        sched::make_ready(*persona);
    }
    self.sleep();
    me.suspended = nullptr;
    const std::scoped_lock hold(seekers_.lock);  // whoever has woken us is done with `place`
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::thread;

void suspend(void (*f)(void*, suspend_point_type*), void* argument)
{
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
