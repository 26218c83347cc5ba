// sleeper.hpp under many interleavings, on the real crew: every waiter is woken, whether it is a
// persona, a thread of the program in the crew or one outside of it, and its nodes are not touched
// once it continues, when their part of the stack is reused.
#include "sched/crew_model.hpp"
#include "sched/no_deadlines_model.hpp"

#include "sleeper.cpp"

#include "base/run_model.hpp"

namespace artel::onetbb {

// The simulated objects of the buckets live as long as an iteration.
struct fresh_buckets {
    fresh_buckets() { new (&buckets) std::array<bucket, 1U << bucket_bits>; }
    ~fresh_buckets() { std::destroy_at(&buckets); }
    fresh_buckets(const fresh_buckets&) = delete;
    fresh_buckets& operator=(const fresh_buckets&) = delete;
};

}  // namespace artel::onetbb

namespace {

using namespace artel;
using model::linger;
using sched::after_push;
using sched::long_enough;

// What is waited for.
struct gate {
    std::atomic<unsigned> open{0};
    model::plain<int> result;

    std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(this); }
    [[gnu::noinline]] void wait_there()
    {
        // acquire: pairs with let_go().
        while (open.load(std::memory_order_acquire) == 0) {
            onetbb::sleep_at(address(), 0,
                             [this] { return open.load(std::memory_order_acquire) == 0; });
        }
    }
    // The part of the stack that held the nodes is overwritten after the wait.
    [[gnu::noinline]] static void overwrite()
    {
        volatile unsigned char used[1024];
        for (volatile unsigned char& b : used) {
            b = 0xee;
        }
    }
    void wait()
    {
        wait_there();
        overwrite();
        model::check(result.get() == 1, "what was done before is not seen");
    }
    void wake()
    {
        if (!model::broken("no fence before who waits is looked for")) {
            base::full_fence();
        }
        onetbb::wake_at(address(), ~0U, [](const onetbb::wait_node&) { return true; });
        linger(after_push);
    }
    void let_go()
    {
        linger(long_enough);
        result.set(1);
        // release: pairs with wait().
        open.store(1, std::memory_order_release);
        wake();
    }
};

// A light thread, in the place of a persona.
struct persona : rl::test_suite<persona, 2>, sched::model_crew<2, 2>, onetbb::fresh_buckets {
    gate g;
    model::os_event ended;
    base::work starter;
    static inline persona* self = nullptr;
    static void live(fiber::fiber&)
    {
        self->g.wait();
        self->ended.add();
        sched::finish(nullptr, nullptr);
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            serve();
            return;
        }
        self = this;
        starter.run = [](void* here, base::work&) {
            sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
        };
        sched::post(number(1), starter, starter);
        g.let_go();
        ended.wait_for(1);
        release(1);
    }
};

// A thread of the program that takes part.
struct external : rl::test_suite<external, 2>, sched::model_crew<2, 2>, onetbb::fresh_buckets {
    gate g;
    void thread(unsigned i)
    {
        begin(i);
        i == 0 ? g.wait() : g.let_go();
    }
};

// A thread that takes no part. Two threads wake it.
struct outside : rl::test_suite<outside, 3>, sched::model_crew<1, 1>, onetbb::fresh_buckets {
    gate g;
    void thread(unsigned i)
    {
        if (i == 0) {
            g.wait();
        } else if (i == 1) {
            g.let_go();
        } else {
            linger(long_enough);
            g.wake();
        }
    }
};

const std::vector<model::scenario> scenarios{
    {"a persona", rl::simulate<persona>, 60000},
    {"a thread of the program", rl::simulate<external>, 60000},
    {"a thread outside of the crew", rl::simulate<outside>, 60000},
};

const std::vector<model::breakage> breakages{
    {"no fence before who waits is looked for", 0, model::damage::custom},
    {"no fence before the last look", 0, model::damage::no_fence, "sleeper.hpp", "sleep_at("},
    {"nobody is seen to sleep", 0, model::damage::no_write, "sleeper.cpp", "::switched_away("},
    {"no fence before who waits is looked for", 1, model::damage::custom},
    {"who sleeps is not woken", 1, model::damage::zero, "sleeper.cpp", "::poke("},
    {"no fence before who waits is looked for", 2, model::damage::custom},
    {"no fence before the last look", 2, model::damage::no_fence, "sleeper.hpp", "sleep_at("},
    {"the kernel is not asked to wake", 2, model::damage::zero, "sleeper.cpp", "::poke("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
