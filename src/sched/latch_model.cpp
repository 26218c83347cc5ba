// latch.cpp under many interleavings, and with it the hand-off of fibers: no wake-up is lost, the
// waiter sees the setter's writes, the worker that resumes a light thread sees what that wrote
// before its suspension, no fiber is resumed before its context is saved, and set() does not touch
// a latch that its waiter has destroyed.
#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "sched/latch.cpp"

#include "base/run_model.hpp"

namespace artel::sched {

// A latch whose memory ends with the wait, as that of a task on the spawner's stack.
class short_lived {
public:
    short_lived() { new (&latch_) latch; }
    ~short_lived() {}
    void wait_and_destroy()
    {
        if (model::broken("the waiter is shown before its context is saved")) {
            std::uintptr_t expected = 0;
            if (word().compare_exchange_strong(
                    expected, reinterpret_cast<std::uintptr_t>(this_worker()->current),
                    std::memory_order_acq_rel, std::memory_order_acquire)) {
                linger(long_enough);
                suspend(nullptr, nullptr);
            }
        } else {
            latch_.wait();
        }
        latch_.~latch();
    }
    latch& get() { return latch_; }
    std::atomic<std::uintptr_t>& word()
    {
        return reinterpret_cast<std::atomic<std::uintptr_t>&>(latch_);
    }

private:
    union {
        latch latch_;
    };
};
static_assert(sizeof(latch) == sizeof(std::atomic<std::uintptr_t>));

}  // namespace artel::sched

namespace {

using namespace artel;

// Worker 0's own context waits, worker 1 sets.
struct bound_waiter : rl::test_suite<bound_waiter, 2>, sched::model_crew<2, 2> {
    sched::short_lived latch_;
    model::plain<int> result;
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            latch_.wait_and_destroy();
            model::check(result.get() == 1, "result not seen");
        } else {
            result.set(1);
            sched::linger(sched::long_enough);
            latch_.get().set();
            sched::linger(sched::after_push);
        }
    }
};

// A light thread waits on worker 1, worker 0 sets; the light thread continues on worker 1 or 2.
struct light_thread_waits : rl::test_suite<light_thread_waits, 3>, sched::model_crew<3, 3> {
    struct start : sched::job {
        light_thread_waits* in = nullptr;
    };
    sched::short_lived latch_;
    model::plain<int> result;
    model::plain<int> on_stack;  // stands for the light thread's frames
    sched::os_event ended;
    start starter;
    static inline light_thread_waits* self = nullptr;

    static void live(fiber::fiber&)
    {
        self->on_stack.set(5);
        self->latch_.wait_and_destroy();
        model::check(self->result.get() == 1, "result not seen");
        model::check(self->on_stack.get() == 5, "own frames not seen");
        self->on_stack.set(6);
        self->ended.add();
        sched::finish(nullptr, nullptr);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            serve();
            return;
        }
        self = this;
        starter.run = [](void* here, base::work&) {
            sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
        };
        sched::post(number(1), starter, starter);
        result.set(1);
        sched::linger(sched::long_enough);
        latch_.get().set();
        ended.wait_for(1);
        release(1);
        release(2);
    }
};

// No memory for a stack to continue with: the OS thread itself sleeps. The kernel's futex works on
// half of the latch's word.
struct no_stack : rl::test_suite<no_stack, 2>, sched::model_crew<2, 2> {
    sched::short_lived latch_;
    model::plain<int> result;
    static inline std::atomic<std::uintptr_t>* whole = nullptr;
    no_stack()
    {
        fiber::model_no_memory = true;
        whole = &latch_.word();
        base::os::futex_wait_elsewhere = [](std::atomic<std::uint32_t>& word,
                                            std::uint32_t expected) {
            const bool ours = static_cast<void*>(&word) == whole;
            if (ours) {
                model::futex_wait(*whole, std::uintptr_t{expected});
            }
            return ours;
        };
        base::os::futex_wake_elsewhere = [](std::atomic<std::uint32_t>& word, int count) {
            const bool ours = static_cast<void*>(&word) == whole;
            if (ours) {
                model::futex_wake(*whole, count);
            }
            return ours;
        };
    }
    ~no_stack()
    {
        base::os::futex_wait_elsewhere = nullptr;
        base::os::futex_wake_elsewhere = nullptr;
        latch_.get().~latch();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            latch_.get().wait();
            model::check(result.get() == 1, "result not seen");
        } else {
            result.set(1);
            // wakes by address afterwards, when the memory may be something else: here it still is
            // the latch.
            latch_.get().set();
        }
    }
};

// A waiter gives up: exactly one side is told to free what the latch guards.
struct abandoned : rl::test_suite<abandoned, 2>, sched::model_crew<2, 2> {
    sched::latch latch_;
    model::plain<int> guarded;
    int freed = 0;
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            guarded.set(1);
            if (!latch_.abandon()) {
                ++freed;
                model::check(guarded.get() >= 1, "not seen");
                guarded.set(-1);
            }
        } else if (latch_.set()) {
            ++freed;
            guarded.set(-1);
        }
    }
    void after() { model::check(freed == 1, "freed not once"); }
};

const std::vector<model::scenario> scenarios{
    {"a bound context waits", rl::simulate<bound_waiter>, 200000},
    {"a light thread waits", rl::simulate<light_thread_waits>, 100000},
    {"an OS thread waits", rl::simulate<no_stack>, 100000},
    {"abandoned", rl::simulate<abandoned>, 20000},
};

const std::vector<model::breakage> breakages{
    {"set relaxed", 0, model::damage::relaxed, "latch.cpp", "::set("},
    {"settle relaxed", 1, model::damage::relaxed, "latch.cpp", "::settle("},
    {"the waiter is shown before its context is saved", 1, model::damage::custom},
    {"a set latch is waited for", 0, model::damage::no_write, "latch.cpp", "::settle("},
    {"abandon relaxed", 3, model::damage::relaxed, "latch.cpp", "::abandon("},
    {"no fence before a bound context is woken", 0, model::damage::no_fence, "ready.cpp",
     "make_bound_ready("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
