// oneTBB in the child of a fork, whatever the threads that do not exist there were doing.
#include "process.hpp"

#include <atomic>
#include <thread>

namespace {

void check_children()
{
    in_child(use_everything);  // nothing has been used so far, unless another check came first
    for (int round = 0; round < 10; ++round) {
        use_everything();
        in_child(use_everything);
    }
    // While others are at work, and in an arena.
    std::atomic<bool> stop{false};
    std::thread other([&] {
        while (!stop) {
            sum_of(many);
        }
    });
    tbb::task_arena arena(2);
    for (int round = 0; round < 10; ++round) {
        in_child(use_everything);
        arena.execute([] { in_child(use_everything); });
    }
    stop = true;
    other.join();
    // In a task: the child has only the thread that runs it.
    for (int round = 0; round < 10; ++round) {
        std::atomic<int> forked{0};
        tbb::parallel_for(0, 100, [&](int) {
            if (forked++ == 0) {
                in_child([] { CHECK(sum_of(many) == right); });
            }
        });
    }
    use_everything();
}

// A thief looks at the tasks of the thread that forks, and may take none of them.
void check_thief()
{
    constexpr int tasks = 10000;
    tbb::task_arena arena(2);
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> there{0};
        std::atomic<bool> may_search{false};
        std::atomic<int> ran{0};
        tbb::detail::d1::wait_context until{1};
        std::thread thief([&] {
            arena.execute([&] {
                tbb::this_task_arena::isolate([&] {
                    tbb::task_group_context own;
                    ++there;
                    while (!may_search) {
                        std::this_thread::yield();
                    }
                    tbb::detail::d1::wait(until, own);
                });
            });
        });
        arena.execute([&] {
            tbb::task_group group;
            for (int i = 0; i < tasks; ++i) {
                group.run([&] { ++ran; });
            }
            while (there != 1) {
                std::this_thread::yield();
            }
            may_search = true;
            in_child([&] {
                group.wait();
                CHECK(ran == tasks);
            });
            until.release();
            group.wait();
        });
        thief.join();
    }
}

// Another thread is in a call of an observer, which does not end in the child.
void check_observer()
{
    struct slow_observer : tbb::task_scheduler_observer {
        std::atomic<bool> called{false};
        std::atomic<bool> may_go_on{false};
        explicit slow_observer(tbb::task_arena& a) : tbb::task_scheduler_observer(a)
        {
            observe(true);
        }
        void on_scheduler_entry(bool worker) override
        {
            if (worker) {
                called = true;
                while (!may_go_on) {
                    std::this_thread::yield();
                }
            }
        }
    };
    tbb::task_arena arena(2);
    slow_observer o(arena);
    arena.enqueue([] {});
    while (!o.called) {
        std::this_thread::yield();
    }
    in_child([&] { o.observe(false); });
    o.may_go_on = true;
    o.observe(false);
}

constexpr named_check checks[] = {
    {"children", check_children},
    {"thief", check_thief},
    {"observer", check_observer},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
