// Arenas: slots, observers and limits of threads; what an arena takes over from who makes it or
// comes to it, and who knows it.
#include "check.hpp"

#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <oneapi/tbb.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

// Never sleeps: threads that have waited here for each other go on at the same time.
template <class Condition>
void yield_until(Condition condition)
{
    while (!condition()) {
        std::this_thread::yield();
    }
}

// A call of execute() is not isolated, in the caller's own arena neither.
void check_isolation_ends()
{
    tbb::task_arena one(1);
    one.execute([&] {
        tbb::task_group group;
        bool ran = false;
        group.run([&] { ran = true; });
        tbb::this_task_arena::isolate([&] { one.execute([&] { group.wait(); }); });
        CHECK(ran);
    });
}

struct open_arena : tbb::task_arena {
    using tbb::task_arena::task_arena;
    tbb::task_arena::priority level() const { return my_priority; }
};

void check_attached()
{
    for (const auto level : {tbb::task_arena::priority::low, tbb::task_arena::priority::normal,
                             tbb::task_arena::priority::high}) {
        tbb::task_arena a(2, 1, level);
        a.execute([=] { CHECK(open_arena(tbb::task_arena::attach{}).level() == level); });
    }
    tbb::parallel_for(0, 10, [](int) {});
    CHECK(open_arena(tbb::task_arena::attach{}).level() == tbb::task_arena::priority::normal);
}

// What is enqueued has the floating-point settings of the time when the arena was made.
void check_settings()
{
    tbb::parallel_for(0, 10, [](int) {});
    std::fesetround(FE_UPWARD);
    tbb::task_arena a(2);
    a.initialize();
    std::fesetround(FE_TONEAREST);
    std::atomic<int> mode{-1};
    a.enqueue([&] { mode = std::fegetround(); });
    yield_until([&] { return mode >= 0; });
    CHECK(mode == FE_UPWARD);
}

// An observer and its arena's user make the arena at the same time: there is one.
void check_made_once()
{
    struct counting_observer : tbb::task_scheduler_observer {
        std::atomic<int> entries{0};
        explicit counting_observer(tbb::task_arena& a) : tbb::task_scheduler_observer(a) {}
        void on_scheduler_entry(bool) override { ++entries; }
    };
    for (int round = 0; round < 3000; ++round) {
        tbb::task_arena a(1);
        counting_observer o(a);
        std::atomic<int> ready{0};
        std::thread user([&] {
            ++ready;
            yield_until([&] { return ready == 2; });
            a.initialize();
        });
        ++ready;
        yield_until([&] { return ready == 2; });
        o.observe(true);
        user.join();
        a.execute([] {});
        CHECK(o.entries == 1);
        o.observe(false);
    }
}

// A task that was enqueued is the last one to know its arena. Where it goes wrong, memory that was
// freed is used, which a build with AddressSanitizer finds.
void check_last_task()
{
    std::atomic<int> deleted{0};
    constexpr int rounds = 2000;
    for (int round = 0; round < rounds; ++round) {
        auto* const a = new tbb::task_arena(2);
        a->enqueue([a, &deleted] {
            delete a;
            ++deleted;
        });
    }
    yield_until([&] { return deleted == rounds; });
}

void check_arenas()
{
    tbb::task_arena two(2);
    CHECK(two.max_concurrency() == 2);
    std::atomic<int> in{0};
    std::atomic<int> most{0};
    two.execute([&] {
        CHECK(tbb::this_task_arena::max_concurrency() == 2);
        tbb::parallel_for(0, 1000, [&](int) {
            const int now = ++in;
            int seen = most;
            while (seen < now && !most.compare_exchange_weak(seen, now)) {
            }
            CHECK(tbb::this_task_arena::current_thread_index() < 2);
            --in;
        });
    });
    CHECK(most <= 2);
    CHECK(two.execute([] { return 42; }) == 42);
    bool thrown = false;
    try {
        two.execute([] { throw std::runtime_error("out of an arena"); });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
    // What is enqueued runs though nobody waits in the arena.
    tbb::task_arena one(1);
    std::atomic<int> done{0};
    for (int i = 0; i < 100; ++i) {
        one.enqueue([&] { ++done; });
        two.enqueue([&] { ++done; });
    }
    while (done != 200) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // More threads than slots.
    std::vector<std::thread> threads;
    std::atomic<int> executed{0};
    for (int i = 0; i < 6; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 100; ++k) {
                one.execute([&] { tbb::parallel_for(0, 10, [&](int) { ++executed; }); });
            }
        });
    }
    for (std::thread& t : threads) {
        t.join();
    }
    CHECK(executed == 6000);
}

class watcher : public tbb::task_scheduler_observer {
public:
    explicit watcher(tbb::task_arena& a) : tbb::task_scheduler_observer(a) { observe(true); }
    ~watcher() override { observe(false); }
    void on_scheduler_entry(bool) override
    {
        const std::lock_guard hold(lock_);
        CHECK(inside_.insert(std::this_thread::get_id()).second);
        ++entries;
    }
    void on_scheduler_exit(bool) override
    {
        const std::lock_guard hold(lock_);
        CHECK(inside_.erase(std::this_thread::get_id()) == 1);
        ++exits;
    }
    std::atomic<int> entries{0};
    std::atomic<int> exits{0};

private:
    std::mutex lock_;
    std::set<std::thread::id> inside_;
};

void check_observers()
{
    tbb::task_arena a(4);
    watcher w(a);
    for (int i = 0; i < 20; ++i) {
        a.execute([] { tbb::parallel_for(0, 1000, [](int) {}); });
    }
    CHECK(w.entries >= 20);
    CHECK(w.exits >= 20);
}

void check_controls()
{
    using control = tbb::global_control;
    const std::size_t usual = control::active_value(control::max_allowed_parallelism);
    {
        control one(control::max_allowed_parallelism, 1);
        CHECK(control::active_value(control::max_allowed_parallelism) == 1);
        const auto me = std::this_thread::get_id();
        tbb::parallel_for(0, 1000, [&](int) { CHECK(me == std::this_thread::get_id()); });
        std::atomic<bool> ran{false};
        tbb::task_arena a;
        a.enqueue([&] { ran = true; });
        while (!ran) {
            std::this_thread::yield();
        }
    }
    CHECK(control::active_value(control::max_allowed_parallelism) == usual);
}

// Threads that wait for each other all come, as many as were allowed.
void check_all_come()
{
    constexpr int n = 6;
    tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, n);
    tbb::task_arena a(n);
    std::atomic<int> here{0};
    a.execute([&] {
        tbb::parallel_for(
            0, n,
            [&](int) {
                ++here;
                while (here < n) {
                    std::this_thread::yield();
                }
            },
            tbb::static_partitioner());
    });
    CHECK(here == n);
}

// Each node, and any node, by number: what a program does that has an arena for each.
void check_nodes()
{
    const std::vector<tbb::numa_node_id> nodes = tbb::info::numa_nodes();
    CHECK(!nodes.empty());
    std::vector<tbb::numa_node_id> asked = nodes;
    // A copy: the constant has no address that could be passed.
    asked.push_back(int{tbb::task_arena::automatic});
    for (const tbb::numa_node_id node : asked) {
        CHECK(node >= 0 || node == tbb::task_arena::automatic);
        const int n = tbb::info::default_concurrency(node);
        CHECK(n >= 1 && n <= tbb::info::default_concurrency());
        tbb::task_arena a(tbb::task_arena::constraints{node, tbb::task_arena::automatic});
        CHECK(a.max_concurrency() == n);
        std::atomic<int> ran{0};
        a.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
        CHECK(ran == 100);
    }
    CHECK(nodes.size() != 1 ||
          tbb::info::default_concurrency(nodes[0]) == tbb::info::default_concurrency());
    // Where the machine is known, its only node is no "any".
    CHECK(nodes.front() >= 0);
}

constexpr named_check checks[] = {
    {"arenas", check_arenas},
    {"observers", check_observers},
    {"controls", check_controls},
    {"all_come", check_all_come},
    {"isolation_ends", check_isolation_ends},
    {"attached", check_attached},
    {"nodes", check_nodes},
    {"settings", check_settings},
    {"made_once", check_made_once},
    {"last_task", check_last_task},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
