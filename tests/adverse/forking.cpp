// fork() in a process that uses the C++ interface: before any work, after some, out of a loop, a
// task, a light thread, beside threads that work, and a child's child. In each child everything
// works.
#include "work.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace {

// Forks; the child does a bit of everything and ends.
void in_child(const char* where)
{
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        adverse::everything();
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    std::printf("%s: %s\n", where, WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "ok" : "wrong");
}

// The child leaves the loop that its parent was in, as far as it is the child's, and goes on.
void out_of_a_loop()
{
    std::fflush(stdout);
    const pid_t parent = ::getpid();
    pid_t child = 0;
    artel::parallel_for(0, 1, [&](int) { child = ::fork(); });
    if (::getpid() != parent) {
        ::alarm(60);
        adverse::everything();
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    std::printf("out of a loop: %s\n",
                WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "ok" : "wrong");
}

}  // namespace

int main()
{
    in_child("before any work");
    adverse::everything();
    in_child("after work");
    // Every worker forks while the others are in the loop.
    std::mutex one;
    artel::parallel_for(0, 4, [&](int) {
        const std::scoped_lock hold(one);
        in_child("in an iteration");
    });
    artel::task_group group;
    group.run([] { in_child("in a task"); });
    group.wait();
    artel::light_thread([] { in_child("in a light thread"); }).join();
    {
        artel::light_thread waiter;
        artel::binary_semaphore go(0);
        waiter = artel::light_thread([&] {
            while (!go.try_acquire_for(std::chrono::milliseconds(5))) {
            }
        });
        in_child("beside a light thread that waits with a deadline");
        go.release();
        waiter.join();
    }
    {
        std::atomic<bool> end{false};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                while (!end) {
                    adverse::everything();
                }
            });
        }
        for (int i = 0; i < 10; ++i) {
            in_child("beside threads that work");
        }
        end = true;
        for (std::thread& t : threads) {
            t.join();
        }
    }
    out_of_a_loop();
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        adverse::everything();
        in_child("in a child");
        std::fflush(stdout);
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    adverse::everything();
    std::puts("parent: ok");
}
