// What an arena takes over from who makes it or comes to it, and who knows it.
#include "check.hpp"

#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#include <atomic>
#include <cfenv>
#include <cstdint>
#include <oneapi/tbb.h>
#include <thread>

namespace {

template <class Condition>
void wait_for(Condition condition)
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
    wait_for([&] { return mode >= 0; });
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
            wait_for([&] { return ready == 2; });
            a.initialize();
        });
        ++ready;
        wait_for([&] { return ready == 2; });
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
    wait_for([&] { return deleted == rounds; });
}

constexpr named_check checks[] = {
    {"isolation_ends", check_isolation_ends},
    {"attached", check_attached},
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
