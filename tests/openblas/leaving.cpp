/* usage: leaving STAND_IN, under `artel run` with ARTEL_NUM_THREADS=4

   Calls of an OpenBLAS that end otherwise than by returning: who is counted as inside afterwards.
   Prints "all right", or what is not. */
#include "inside.hpp"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct destroyed {
    bool& flag;
    ~destroyed() { flag = true; }
};

void throw_out(int, void*)
{
    throw std::runtime_error("from within");
}

void exceptions()
{
    for (int i = 0; i < 3000; ++i) {  // more than there are places for calls
        bool gone = false, caught = false;
        try {
            const destroyed d{gone};
            gemm(throw_out, nullptr);
        } catch (const std::runtime_error& e) {
            caught = std::string("from within") == e.what();
        }
        EXPECT(caught && gone);
        if (inside() != 0) {
            EXPECT(inside() == 0);
            break;
        }
    }
    EXPECT(seen_by(gemm) == 1 && inside() == 0);
}

void end_thread(int, void*)
{
    pthread_exit(nullptr);
}

std::atomic<bool> cleaned{false};

void* exits(void*)
{
    struct sets {
        ~sets() { cleaned = true; }
    } const s;
    gemm(end_thread, nullptr);
    return nullptr;
}

sem_t waits;

void wait_to_be_cancelled(int, void*)
{
    sem_post(&waits);
    for (;;) {
        pause();
    }
}

void* is_cancelled(void*)
{
    getrf(wait_to_be_cancelled, nullptr);
    return nullptr;
}

void ends_of_threads()
{
    pthread_t thread{};
    for (int i = 0; i < 1500; ++i) {
        cleaned = false;
        pthread_create(&thread, nullptr, exits, nullptr);
        pthread_join(thread, nullptr);
        if (!cleaned || inside() != 0) {
            EXPECT(cleaned && inside() == 0);
            break;
        }
    }
    sem_init(&waits, 0, 0);
    for (int i = 0; i < 20; ++i) {
        pthread_create(&thread, nullptr, is_cancelled, nullptr);
        sem_wait(&waits);
        EXPECT(inside() == 1);
        pthread_cancel(thread);
        pthread_join(thread, nullptr);
        EXPECT(inside() == 0);
    }
    EXPECT(seen_by(gemm) == 1);
}

thread_local jmp_buf back;

void jump(int, void*)
{
    std::longjmp(back, 1);
}

__attribute__((noinline)) void leave_deep_down(int depth)
{
    volatile char room[200];
    room[0] = static_cast<char>(depth);
    if (depth > 0) {
        leave_deep_down(depth - 1);
    } else {
        gemm(jump, nullptr);
    }
    room[1] = room[0];
}

void* jumps_and_ends(void*)
{
    if (setjmp(back) == 0) {
        leave_deep_down(10);
    }
    return nullptr;
}

void* jumps_and_sleeps(void* until)
{
    if (setjmp(back) == 0) {
        leave_deep_down(20);
    }
    sem_wait(static_cast<sem_t*>(until));
    return nullptr;
}

void long_jumps()
{
    for (int i = 0; i < 1500; ++i) {
        pthread_t thread{};
        pthread_create(&thread, nullptr, jumps_and_ends, nullptr);
        pthread_join(thread, nullptr);
        if (inside() != 0) {
            EXPECT(inside() == 0);
            break;
        }
    }
    // Threads that go on without calling BLAS, seen once somebody else is inside beside them.
    sem_t until;
    sem_init(&until, 0, 0);
    std::vector<pthread_t> threads(3);
    for (pthread_t& each : threads) {
        pthread_create(&each, nullptr, jumps_and_sleeps, &until);
    }
    usleep(50000);
    seen_by(gemm);
    EXPECT(in_the_end(0));
    EXPECT(seen_by(gemm) == 1);
    for (std::size_t i = 0; i < threads.size(); ++i) {
        sem_post(&until);
    }
    for (const pthread_t each : threads) {
        pthread_join(each, nullptr);
    }
    EXPECT(inside() == 0);
    for (int i = 0; i < 5000; ++i) {
        if (setjmp(back) == 0) {
            leave_deep_down(i % 7);
        }
    }
    seen_by(gemm);
    EXPECT(in_the_end(0));
}

void stop(int, void*)
{
    std::exit(7);
}

void end_of_the_process()
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        std::thread([] { gemm(stop, nullptr); }).join();
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

void fork_in_there(int, void* result)
{
    const pid_t child = fork();
    if (child == 0) {
        const bool right = inside() == 1 && seen_by(gemm) == 1;
        // and returns from the call, in the child
        *static_cast<int*>(result) = right ? 1 : 2;
        return;
    }
    int status = 0;
    waitpid(child, &status, 0);
    *static_cast<int*>(result) = WIFEXITED(status) ? 10 + WEXITSTATUS(status) : 20;
}

// A thread in a call, which ends when `until` is posted.
std::thread begin_call(sem_t& until)
{
    std::thread other([&until] {
        gemm(
            [](int, void* u) {
                sem_post(&waits);
                sem_wait(static_cast<sem_t*>(u));
            },
            &until);
    });
    sem_wait(&waits);
    return other;
}

// Beside a call that ends only afterwards: the fork waits for it, in vain.
void forks()
{
    sem_t until;
    sem_init(&until, 0, 0);
    sem_init(&waits, 0, 0);
    std::thread other = begin_call(until);
    int result = 0;
    std::fflush(stdout);
    gemm(fork_in_there, &result);
    if (result < 10) {
        _exit(result == 1 && inside() == 0 && seen_by(gemm) == 1 ? 5 : 6);
    }
    EXPECT(result == 15);
    sem_post(&until);
    other.join();
    EXPECT(inside() == 0);
}

// Beside a call that has had one thread from its beginning, which no fork can harm.
void forks_beside_one_thread()
{
    sem_t until;
    sem_init(&until, 0, 0);
    set_threads(1);
    std::thread other = begin_call(until);
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    EXPECT(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    waitpid(child, nullptr, 0);
    sem_post(&until);
    other.join();
    set_threads(4);
}

// A process with several threads may not make a user namespace, among other things.
void children_have_one_thread()
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const std::filesystem::directory_iterator threads("/proc/self/task");
        _exit(static_cast<int>(std::distance(begin(threads), end(threads))));
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

}  // namespace

int main(int count, char** words)
{
    if (count != 2) {
        return 2;
    }
    if (!load_library(words[1])) {
        return 1;
    }
    exceptions();
    ends_of_threads();
    long_jumps();
    end_of_the_process();
    forks();
    forks_beside_one_thread();
    children_have_one_thread();
    return report();
}
