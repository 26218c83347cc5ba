// wait_queue.cpp and wait_queue_open.cpp under many interleavings, on the real crew: no waiter is
// forgotten, whether the word changes or another wake reason arises (a forgotten waiter is a
// deadlock).
#include "waiting_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
using openmp::wait_in;
using openmp::wait_queue;
using openmp::wake_reason;

// A light thread and the context of another worker wait in different lists; the queue opens twice.
struct light_threads : rl::test_suite<light_threads, 3>, sched::model_crew<3, 3> {
    wait_queue queue_;
    sched::os_event ended;
    model::plain<int> result;
    base::work starter;
    static inline light_threads* self = nullptr;

    light_threads()
    {
        queue_.configure(2);
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
        wait_in(queue_, 0);
        model::check(result.get() == 1, "what was done before the opening is not seen");
        wait_in(queue_, 1);
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
            queue_.open(1);
            sched::linger(sched::long_enough);
            queue_.open(2);
            sched::linger(sched::after_push);
            ended.wait_for(2);
            release(1);
            release(2);
        }
    }
};

// Two light threads of one worker sleep in one list, which is posted as a whole; the queue opens
// twice, and is destroyed as soon as both have passed.
struct posted_list : rl::test_suite<posted_list, 2>, sched::model_crew<2, 2> {
    alignas(wait_queue) char storage_[sizeof(wait_queue)];
    wait_queue& queue_ = *new (storage_) wait_queue;
    sched::os_event ended;
    model::plain<int> result;
    base::work starter[2];
    static inline posted_list* self = nullptr;

    posted_list()
    {
        queue_.configure(1);
        self = this;
        for (base::work& w : starter) {
            w.run = [](void* here, base::work&) {
                sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
            };
        }
    }
    static void live(fiber::fiber&)
    {
        wait_in(self->queue_, 0);
        model::check(self->result.get() == 1, "what was done before the opening is not seen");
        wait_in(self->queue_, 1);
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
        queue_.open(1);
        sched::linger(sched::long_enough);
        queue_.open(2);
        sched::linger(sched::after_push);
        ended.wait_for(2);
        queue_.~wait_queue();
        release(1);
    }
};

// Two members sleep for want of tasks; two tasks come, and each wakes one member (call_helpers in
// task_wait.cpp).
struct reasons : rl::test_suite<reasons, 3>, sched::model_crew<3, 3> {
    wait_queue queue_;
    std::atomic<int> tasks{0};
    reasons() { queue_.configure(2); }
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
                wait_in(queue_, 0, reason);
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
            if (queue_.has_sleepers()) {
                queue_.wake_one(2);
            }
        }
        sched::linger(sched::after_push);
    }
};

// Regions of a hot team (hot_team.cpp, without tasks), each of another size than the one before:
// the counter of arrivals at the end is configured anew while a late member may still be in it, or
// in the opening of the exit; members that are in no region wait in a list of their own.
struct other_sizes : rl::test_suite<other_sizes, 3>, sched::model_crew<3, 3> {
    static constexpr unsigned sizes[] = {3, 2, 3};
    wait_queue gate_;
    wait_queue exit_;
    openmp::arrival_counter ending_;
    model::plain<std::uint64_t> done[3];  // the last region that the member has worked in

    other_sizes()
    {
        gate_.configure(3);
        exit_.configure(1);
        ending_.configure(3, 2, 1);
    }
    void start(std::uint64_t region, unsigned size, bool grows)
    {
        if (size != 0) {
            ending_.configure(size, size - 1, 1);
        }
        gate_.open(region << 16 | size, grows ? gate_.lists() : gate_.lists() - 1);
    }
    void master()
    {
        std::uint64_t region = 0;
        for (const unsigned size : sizes) {
            ++region;
            start(region, size, region == 1 || size > sizes[region - 2]);
            for (std::uint64_t left = exit_.word(); left != region; left = exit_.word()) {
                if (!exit_.spin(left, rl::rand(2) != 0 ? 3000 : 0)) {
                    exit_.sleep(0, left);
                }
            }
            for (unsigned i = 1; i < size; ++i) {
                model::check(done[i].get() == region, "a region ended before its members");
            }
        }
        start(region + 1, 0, true);
        sched::linger(sched::after_push);
    }
    void member(unsigned number)
    {
        const unsigned spares_list = gate_.lists() - 1;
        bool in_team = true;
        for (std::uint64_t seen = 0;;) {
            std::uint64_t word = gate_.word();
            for (; word == seen; word = gate_.word()) {
                if (!in_team) {
                    gate_.sleep(spares_list, word);
                } else if (!gate_.spin(word, rl::rand(2) != 0 ? 3000 : 0)) {
                    gate_.sleep_at_home(spares_list, word);
                }
            }
            seen = word;
            const auto size = static_cast<unsigned>(word & 0xffff);
            in_team = number < size;
            if (size == 0) {
                return;
            }
            if (in_team) {
                done[number].set(word >> 16);
                if (ending_.arrive(number)) {
                    exit_.open(word >> 16);
                }
            }
        }
    }
    void thread(unsigned i)
    {
        begin(i);
        i == 0 ? master() : member(i);
    }
};

const std::vector<model::scenario> scenarios{
    {"light threads", rl::simulate<light_threads>, 50000},
    {"reasons to be awake", rl::simulate<reasons>, 100000},
    {"a list posted as a whole", rl::simulate<posted_list>, 50000},
    {"regions of other sizes", rl::simulate<other_sizes>, 20000, 40000},
};

const std::vector<model::breakage> breakages{
    {"open relaxed", 0, model::damage::relaxed, "wait_queue_open.cpp", "::open("},
    {"exit relaxed", 3, model::damage::relaxed, "wait_queue_open.cpp", "::open("},
    {"no fence after a task", 1, model::damage::no_fence, "wait_queue_model.cpp", "thread("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
