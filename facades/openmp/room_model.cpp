// room.cpp and barrier.cpp under many interleavings, on the real crew: nobody who waits in a room
// is forgotten, whether the word changes or another reason to be awake arises; a barrier releases
// nobody early, and can be used again at once. Somebody forgotten is a deadlock.
#include "sched/crew_model.hpp"

#include "arrival_counter.cpp"
#include "barrier.cpp"
#include "room.cpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using openmp::waiting_room;
using openmp::wake_reason;

// How members wait (pass_barrier in task_wait.cpp, without tasks).
void wait_in(waiting_room& room, std::uint64_t old, wake_reason other = {})
{
    while (!room.opened(old) && !other.given()) {
        if (!room.spin(old, rl::rand(2) != 0 ? 3000 : 0, other)) {
            room.sleep_at_home(room.lists(), old, other);
        }
    }
}

// Three members on three workers in two groups meet three times. What they wrote before is seen by
// all after.
struct barrier_phases : rl::test_suite<barrier_phases, 3>, sched::model_crew<3, 3> {
    static constexpr unsigned phases = 2;
    openmp::team_barrier barrier_;
    model::plain<int> written[3][phases];
    unsigned arrived[phases] = {};
    barrier_phases() { barrier_.configure(3, 2); }
    void thread(unsigned i)
    {
        begin(i);
        for (unsigned p = 0; p < phases; ++p) {
            if (i == 0) {
                sched::linger(sched::long_enough);
            }
            written[i][p].set(1);
            const std::uint64_t phase = barrier_.phase();
            ++arrived[p];
            if (barrier_.arrive(i)) {
                barrier_.release();
                sched::linger(sched::after_push);
            } else {
                wait_in(barrier_.room(), phase);
            }
            model::check(arrived[p] == 3, "released early");
            for (auto& of_one : written) {
                model::check(of_one[p].get() == 1,
                             "what was done before the barrier is not seen after it");
            }
        }
    }
};

// A light thread and the context of another worker wait in different lists; the room opens twice.
struct light_threads : rl::test_suite<light_threads, 3>, sched::model_crew<3, 3> {
    waiting_room room_;
    sched::os_event ended;
    model::plain<int> result;
    base::work starter;
    static inline light_threads* self = nullptr;

    light_threads()
    {
        room_.configure(2);
        self = this;
        starter.run = [](void* here, base::work&) {
            sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
        };
    }
    static void live(fiber::fiber&)
    {
        self->wait();
        sched::finish(nullptr, nullptr);
    }
    void wait()
    {
        wait_in(room_, 0);
        model::check(result.get() == 1, "what was done before the opening is not seen");
        wait_in(room_, 1);
        ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            serve();
        } else if (i == 2) {
            wait();
            serve();  // the light thread may have come here
        } else {
            sched::post(number(1), starter, starter);
            result.set(1);
            sched::linger(sched::long_enough);
            room_.open(1);
            sched::linger(sched::long_enough);
            room_.open(2);
            sched::linger(sched::after_push);
            ended.wait_for(2);
            release(1);
            release(2);
        }
    }
};

// Two light threads of one worker sleep in one list, which is posted as a whole; the room opens
// twice, and ends as soon as both are through.
struct posted_list : rl::test_suite<posted_list, 2>, sched::model_crew<2, 2> {
    alignas(waiting_room) char storage_[sizeof(waiting_room)];
    waiting_room& room_ = *new (storage_) waiting_room;
    sched::os_event ended;
    model::plain<int> result;
    base::work starter[2];
    static inline posted_list* self = nullptr;

    posted_list()
    {
        room_.configure(1);
        self = this;
        for (base::work& w : starter) {
            w.run = [](void* here, base::work&) {
                sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
            };
        }
    }
    static void live(fiber::fiber&)
    {
        wait_in(self->room_, 0);
        model::check(self->result.get() == 1, "what was done before the opening is not seen");
        wait_in(self->room_, 1);
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
        starter[0].next = &starter[1];
        sched::post(number(1), starter[0], starter[1]);
        result.set(1);
        sched::linger(sched::long_enough);
        room_.open(1);
        sched::linger(sched::long_enough);
        room_.open(2);
        sched::linger(sched::after_push);
        ended.wait_for(2);
        room_.~waiting_room();
        release(1);
    }
};

// Two members sleep for want of tasks; two tasks come, and each wakes one (call_helpers in
// task_wait.cpp).
struct reasons : rl::test_suite<reasons, 3>, sched::model_crew<3, 3> {
    waiting_room room_;
    std::atomic<int> tasks{0};
    reasons() { room_.configure(2); }
    static bool any(const void* argument)
    {
        return static_cast<const std::atomic<int>*>(argument)->load(std::memory_order_relaxed) > 0;
    }
    void thread(unsigned i)
    {
        begin(i);
        const wake_reason reason{any, &tasks};
        if (i != 0) {
            for (;;) {
                wait_in(room_, 0, reason);
                int n = tasks.load(std::memory_order_acquire);
                if (n > 0 && tasks.compare_exchange_strong(n, n - 1, std::memory_order_acquire,
                                                           std::memory_order_relaxed)) {
                    return;
                }
            }
        }
        for (int n = 0; n < 2; ++n) {
            sched::linger(sched::long_enough);
            tasks.fetch_add(1, std::memory_order_release);
            base::full_fence();
            if (room_.has_sleepers()) {
                room_.wake_one(2);
            }
        }
        sched::linger(sched::after_push);
    }
};

const std::vector<model::scenario> scenarios{
    {"barrier over phases", rl::simulate<barrier_phases>, 100000},
    {"light threads", rl::simulate<light_threads>, 50000},
    {"reasons to be awake", rl::simulate<reasons>, 100000},
    {"a list posted as a whole", rl::simulate<posted_list>, 50000},
};

const std::vector<model::breakage> breakages{
    {"no fence when opening", 0, model::damage::no_fence, "room.cpp", "::wake_lists("},
    {"no fence when lying down", 0, model::damage::no_fence, "room.cpp", "::lie_down("},
    {"the word is not compared again", 0, model::damage::zero, "room.cpp", "::lie_down("},
    {"sleepers are not counted", 0, model::damage::no_write, "room.cpp", "::lie_down("},
    {"arrivals relaxed", 0, model::damage::relaxed, "arrival_counter.cpp", "::arrive("},
    {"open relaxed", 1, model::damage::relaxed, "room.cpp", "::open("},
    {"counters are not set back", 0, model::damage::no_write, "arrival_counter.cpp", "::arrive("},
    {"no fence after a task", 2, model::damage::no_fence, "room_model.cpp", "thread("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
