// wait_word.cpp under many interleavings: nobody who waits for a word is forgotten, whether a bound context, a light thread or an OS thread in the
// kernel; what the waker wrote is seen. A forgotten waiter is a deadlock. Two buckets, so that the words share one or not.
#include "sched/crew_model.hpp"

#include "sched/wait_word.cpp"

#include "base/run_model.hpp"

namespace artel::sched {

// The buckets' simulated atomics live as long as an iteration.
struct fresh_buckets {
    fresh_buckets() { reset_wait_words_after_fork(); }
    ~fresh_buckets()
    {
        for (bucket& b : buckets) {
            b.~bucket();
        }
    }
};

}  // namespace artel::sched

namespace {

using namespace artel;

using word = std::atomic<std::uint32_t>;

// Words at fixed addresses: which bucket they fall into must not differ when relacy repeats an interleaving.
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

// Two contexts wait for one word, and one of them then for another; the waker sets both and wakes all.
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
            } else if (first.compare_exchange_strong(n, n - 1, std::memory_order_acquire, std::memory_order_relaxed)) {
                return;
            }
        }
    }
};

// No memory for a stack to go on with: the OS thread sleeps in the kernel.
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

const std::vector<model::scenario> scenarios{
    {"two waiters, two words", rl::simulate<wake_everybody>, 100000},
    {"wake one each", rl::simulate<wake_one>, 100000},
    {"in the kernel", rl::simulate<in_the_kernel>, 100000},
};

const std::vector<model::breakage> breakages{
    {"no fence in enqueue", 0, model::damage::no_fence, "wait_word.cpp", "enqueue("},
    {"no fence in wake_word", 0, model::damage::no_fence, "wait_word.cpp", "wake_word("},
    {"the word is not compared again", 0, model::damage::zero, "wait_word.cpp", "enqueue("},
    {"waiters are not counted", 0, model::damage::no_write, "wait_word.cpp", "enqueue("},
    {"OS threads are not counted", 2, model::damage::no_write, "wait_word.cpp", "wait_in_kernel("},
    {"no fence in wake_word, kernel", 2, model::damage::no_fence, "wait_word.cpp", "wake_word("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
