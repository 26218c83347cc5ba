// A use of most of oneTBB, and children in which it is tried.
#pragma once

#include "check.hpp"

#include <atomic>
#include <cerrno>
#include <oneapi/tbb.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

inline long sum_of(int n)
{
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, n, 16), 0L,
        [](const tbb::blocked_range<int>& r, long s) {
            for (int i = r.begin(); i != r.end(); ++i) {
                s += i;
            }
            return s;
        },
        std::plus<>());
}

inline constexpr int many = 20000;
inline constexpr long right = static_cast<long>(many) * (many - 1) / 2;

inline void run_a_group()
{
    std::atomic<int> ran{0};
    tbb::task_group group;
    for (int i = 0; i < 100; ++i) {
        group.run([&] { ++ran; });
    }
    group.wait();
    CHECK(ran == 100);
}

inline void use_everything()
{
    CHECK(sum_of(many) == right);
    run_a_group();
    tbb::task_arena arena(2);
    arena.execute([] { CHECK(sum_of(many) == right); });
    std::atomic<bool> done{false};
    arena.enqueue([&] { done = true; });
    while (!done) {
        std::this_thread::yield();
    }
}

// Runs f in a child, which has a minute.
template <class Function>
void in_child(Function f)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        f();
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::fprintf(stderr, "a child's status is %#x\n", static_cast<unsigned>(status));
        std::exit(1);
    }
}
