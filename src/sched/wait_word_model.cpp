// wait_word.cpp under many interleavings: no waiter for a word is forgotten, whether a bound
// context, a light thread or an OS thread in the kernel; the waker's writes are seen. A forgotten
// waiter is a deadlock. Two buckets, so that the words share one or not.
#include <boost/intrusive/set.hpp>

#include "sched/crew_model.hpp"
#include "sched/suspend.hpp"

#include "sched/wait_word_buckets_model.hpp"

#include "base/run_model.hpp"

namespace artel::sched {

// Alarms as in alarm.cpp, with one at most and a clock that a simulated thread advances.
inline moment model_time;
inline base::spinlock* model_alarm_lock;
inline alarm* model_alarm;

inline void fresh_alarms(base::spinlock& lock)
{
    model_time = 0;
    model_alarm_lock = &lock;
    model_alarm = nullptr;
}

moment now() noexcept
{
    return model_time;
}

bool set_alarm(alarm& a) noexcept
{
    const std::scoped_lock hold(*model_alarm_lock);
    if (a.when <= model_time) {
        model::check(a.ring(a) == nullptr, "rang for who has not been suspended");
    } else {
        model_alarm = &a;
    }
    return true;
}

void clear_alarm(alarm& a) noexcept
{
    const std::scoped_lock hold(*model_alarm_lock);
    if (model_alarm == &a) {
        model_alarm = nullptr;
    }
}

// The alarm thread's part when the time has come.
inline void time_passes() noexcept
{
    fiber::fiber* late = nullptr;
    {
        const std::scoped_lock hold(*model_alarm_lock);
        model_time = 1;
        if (model_alarm != nullptr) {
            late = model_alarm->ring(*model_alarm);
            model_alarm = nullptr;
        }
    }
    if (late != nullptr) {
        make_ready(*late);
    }
}

}  // namespace artel::sched

namespace {

using namespace artel;

using word = std::atomic<std::uint32_t>;

// Words at fixed addresses: their buckets must not differ when relacy repeats an interleaving.
alignas(word) char places[2][sizeof(word)];

struct words : sched::fresh_buckets {
    word& first = *new (places[0]) word(0);
    word& second = *new (places[1]) word(0);
    ~words()
    {
        first.~word();
        second.~word();
    }
    static void wait_until_set(word& w)
    {
        // acquire: as every user of a futex does.
        while (w.load(std::memory_order_acquire) == 0) {
            sched::wait_word(w, 0);
        }
    }
};

// Two contexts wait for one word, and one of them then for another; the waker sets both and wakes
// all.
struct wake_everybody : rl::test_suite<wake_everybody, 3>, sched::model_crew<3, 3>, words {
    model::plain<int> result;
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            wait_until_set(first);
            model::check(result.get() == 1, "result not seen");
            if (i == 1) {
                wait_until_set(second);
            }
            return;
        }
        result.set(1);
        sched::linger(sched::long_enough);
        first.store(1, std::memory_order_release);
        sched::wake_word(first, sched::wake_all);
        second.store(1, std::memory_order_release);
        sched::wake_word(second, sched::wake_all);
        sched::linger(sched::after_push);
    }
};

// A semaphore: two posts by two threads that wake one waiter each, two waiters that take one each.
struct wake_one : rl::test_suite<wake_one, 4>, sched::model_crew<4, 4>, words {
    void thread(unsigned i)
    {
        begin(i);
        if (i >= 2) {
            sched::linger(sched::long_enough);
            first.fetch_add(1, std::memory_order_release);
            sched::wake_word(first, 1);
            sched::linger(sched::after_push);
            return;
        }
        for (;;) {
            std::uint32_t n = first.load(std::memory_order_acquire);
            if (n == 0) {
                sched::wait_word(first, 0);
            } else if (first.compare_exchange_strong(n, n - 1, std::memory_order_acquire,
                                                     std::memory_order_relaxed)) {
                return;
            }
        }
    }
};

// No memory for a stack to continue with: the OS thread sleeps in the kernel.
struct in_the_kernel : rl::test_suite<in_the_kernel, 2>, sched::model_crew<2, 2>, words {
    in_the_kernel() { fiber::model_no_memory = true; }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            wait_until_set(first);
            return;
        }
        sched::linger(sched::after_push);
        first.store(1, std::memory_order_release);
        sched::wake_word(first, 1);
        sched::linger(sched::after_push);
    }
};

// A wait with a deadline, and a wake-up without a change of the word: one of the two ends the wait,
// and the result says which.
struct deadline : rl::test_suite<deadline, 3>, sched::model_crew<3, 3>, words {
    base::spinlock alarms;
    deadline() { sched::fresh_alarms(alarms); }
    void thread(unsigned i)
    {
        begin(i);
        switch (i) {
        case 0: {
            const bool woken = sched::wait_word_until(first, 0, 1);
            model::check(woken || sched::model_time == 1, "gave up early");
            second.fetch_add(woken ? 2 : 1, std::memory_order_acq_rel);
            sched::wake_word(second, sched::wake_all);
            break;
        }
        case 1: {
            sched::linger(sched::long_enough);
            const unsigned woken = sched::wake_word(first, 1);
            std::uint32_t how = 0;
            while ((how = second.load(std::memory_order_acquire)) == 0) {
                sched::wait_word(second, 0);
            }
            model::check((how == 2) == (woken == 1), "a wake-up got lost, or was made up");
            break;
        }
        default:
            sched::linger(sched::long_enough);
            sched::time_passes();
            sched::linger(sched::after_push);
            break;
        }
    }
};

// The same with a word that changes, as semaphores use it: no waiter waits for ever, and a waiter
// that gives up takes no wake-up.
struct deadline_and_change : rl::test_suite<deadline_and_change, 3>,
                             sched::model_crew<3, 3>,
                             words {
    base::spinlock alarms;
    deadline_and_change() { sched::fresh_alarms(alarms); }
    void thread(unsigned i)
    {
        begin(i);
        switch (i) {
        case 0:
            sched::wait_word_until(first, 0, 1);
            wait_until_set(first);
            break;
        case 1:
            sched::linger(sched::long_enough);
            first.store(1, std::memory_order_release);
            sched::wake_word(first, 1);
            sched::linger(sched::after_push);
            break;
        default:
            sched::linger(sched::long_enough);
            sched::time_passes();
            sched::linger(sched::after_push);
            break;
        }
    }
};

const std::vector<model::scenario> scenarios{
    {"two waiters, two words", rl::simulate<wake_everybody>, 100000},
    {"wake one each", rl::simulate<wake_one>, 100000},
    {"in the kernel", rl::simulate<in_the_kernel>, 100000},
    {"deadline", rl::simulate<deadline>, 100000},
    {"deadline and change", rl::simulate<deadline_and_change>, 100000},
};

const std::vector<model::breakage> breakages{
    {"no fence in enqueue", 0, model::damage::no_fence, "wait_word.cpp", "enqueue("},
    {"no fence in wake_word", 0, model::damage::no_fence, "wait_word.cpp", "wake_word("},
    {"the word is not compared again", 0, model::damage::zero, "wait_word.cpp", "enqueue("},
    {"waiters are not counted", 0, model::damage::no_write, "wait_word.cpp", "enqueue("},
    {"OS threads are not counted", 2, model::damage::no_write, "wait_word.cpp", "sleep_in_kernel("},
    {"no fence in wake_word, kernel", 2, model::damage::no_fence, "wait_word.cpp", "wake_word("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
