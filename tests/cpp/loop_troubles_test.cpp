// Loops whose workers do not come: busy for as long as the loop lasts, refused by the system, or
// only on another NUMA node.
#include "support.hpp"

#include <algorithm>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Ends the process when a test hangs: the signal's default is its end, which ctest reports.
class limit_of_time {
public:
    explicit limit_of_time(unsigned seconds) { ::alarm(seconds); }
    limit_of_time(const limit_of_time&) = delete;
    limit_of_time& operator=(const limit_of_time&) = delete;
    ~limit_of_time() { ::alarm(0); }
};

}  // namespace

TEST(loop_troubles, workers_that_are_busy_until_after_the_loop_are_not_waited_for)
{
    const limit_of_time limit(100);
    test::with_all_algorithms([](const auto& how) {
        std::atomic<bool> over{false};
        std::atomic<unsigned> begun{0};
        artel::task_group others;
        const unsigned busy = std::min(artel_num_threads() - 1, 4u);
        for (unsigned i = 0; i < busy; ++i) {
            others.run([&] {
                ++begun;
                while (!over) {
                    std::this_thread::yield();
                }
            });
        }
        // one that has not begun could be run by the loop's caller while it waits, and would not
        // end.
        while (begun < busy) {
            std::this_thread::yield();
        }
        std::atomic<int> ran{0};
        artel::parallel_for(0, 100, [&](int) { ++ran; }, how);
        over = true;
        others.wait();
        EXPECT_EQ(ran, 100);
    });
}

TEST(loop_troubles, threads_that_the_system_refuses_are_not_waited_for)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer forbids new threads in the child of a program with threads";
#endif
    // In a child, whose crew is new; as a user with one process, which is this one.
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(30);
        const rlimit none{1, 1};
        if (::setrlimit(RLIMIT_NPROC, &none) != 0 ||
            (::getuid() == 0 && ::setresuid(65533, 65533, 65533) != 0)) {
            ::_exit(2);
        }
        bool complete = true;
        test::with_all_algorithms([&](const auto& how) {
            for (int loop = 0; loop < 3; ++loop) {
                std::atomic<int> ran{0};
                artel::parallel_for(0, 1000, [&](int) { ++ran; }, how);
                complete = complete && ran == 1000;
            }
        });
        ::_exit(complete ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
        GTEST_SKIP() << "no right to become another user";
    }
    EXPECT_EQ(status, 0);
}

// On a machine with one node the restriction is void; ctest runs it on a description of two, too.
TEST(loop_troubles, loops_on_another_node_than_the_callers_end)
{
    const limit_of_time limit(100);
    std::thread([] {
        artel::parallel_for(0, 10, [](int) {});
        cpu_set_t first;
        CPU_ZERO(&first);
        CPU_SET(0, &first);
        ::sched_setaffinity(0, sizeof first, &first);
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
        for (int loop = 0; loop < 20000 && std::chrono::steady_clock::now() < until; ++loop) {
            std::atomic<int> ran{0};
            const int n = 1 + loop % 4;
            test::with_all_algorithms([&](const auto& how) {
                artel::parallel_for(0, n, [&](int) { ++ran; }, how, artel::limit{.numas = {1}});
            });
            ASSERT_EQ(ran, 9 * n);
        }
    }).join();
}
