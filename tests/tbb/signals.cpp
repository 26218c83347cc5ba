// Signal masks and signals of threads that take part in oneTBB's work: those that tasks run on, and
// the program's own, whose OS threads carry others while they wait.
#include "check.hpp"

#include <atomic>
#include <csignal>
#include <mutex>
#include <oneapi/tbb.h>
#include <pthread.h>
#include <set>
#include <unistd.h>

namespace {

using std::chrono::milliseconds;

bool blocks(int signal)
{
    sigset_t now;
    CHECK(pthread_sigmask(SIG_SETMASK, nullptr, &now) == 0);
    return sigismember(&now, signal) == 1;
}

void change(int how, int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    CHECK(pthread_sigmask(how, &set, nullptr) == 0);
}

// What a task blocks stays blocked for its thread, in whichever arena it runs, and for no other.
void check_masks()
{
    const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
    std::mutex m;
    std::set<pthread_t> blockers;
    tbb::task_arena a(3);
    tbb::task_arena b(3);
    std::atomic<int> done{0};
    const auto all = [&](int count) { wait_for([&] { return done == count; }); };
    for (int i = 0; i < 20; ++i) {
        a.enqueue([&] {
            {
                const std::scoped_lock lock(m);
                if (blockers.empty()) {
                    change(SIG_BLOCK, SIGUSR2);
                    blockers.insert(pthread_self());
                }
            }
            std::this_thread::sleep_for(milliseconds(1));
            ++done;
        });
    }
    all(20);
    for (int round = 0; round < 20; ++round) {
        done = 0;
        const auto look = [&] {
            {
                const std::scoped_lock lock(m);
                CHECK(blocks(SIGUSR2) == (blockers.count(pthread_self()) != 0));
            }
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            ++done;
        };
        for (int i = 0; i < 10; ++i) {
            a.enqueue(look);
            b.enqueue(look);
        }
        all(20);
    }
}

std::atomic<int> caught{0};
std::atomic<pthread_t> catcher{};

void on_signal(int /*number*/)
{
    catcher = pthread_self();
    ++caught;
}

// A signal for a thread comes while its task runs, and to that thread.
void check_signals()
{
    struct sigaction action = {};
    action.sa_handler = on_signal;
    CHECK(sigaction(SIGUSR1, &action, nullptr) == 0);
    tbb::task_arena a(2);
    for (int round = 0; round < 20; ++round) {
        std::atomic<bool> runs{false};
        std::atomic<bool> done{false};
        pthread_t target{};
        const int before = caught;
        a.enqueue([&] {
            const bool waits = round % 2 == 0;  // until it is unblocked
            if (waits) {
                change(SIG_BLOCK, SIGUSR1);
            }
            target = pthread_self();
            runs = true;
            if (waits) {
                std::this_thread::sleep_for(milliseconds(2));
                CHECK(caught == before);
                change(SIG_UNBLOCK, SIGUSR1);
            }
            wait_for([&] { return caught != before; });
            done = true;
        });
        wait_for([&] { return runs.load(); });
        CHECK(pthread_kill(target, SIGUSR1) == 0);
        wait_for([&] { return done.load(); });
        CHECK(caught == before + 1);
        CHECK(pthread_equal(catcher, target));
    }
}

// A task waits for a signal that it blocks.
void check_waits()
{
    tbb::task_arena a(2);
    std::atomic<bool> runs{false};
    std::atomic<bool> done{false};
    pthread_t target{};
    a.enqueue([&] {
        change(SIG_BLOCK, SIGUSR2);
        target = pthread_self();
        runs = true;
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR2);
        int got = 0;
        CHECK(sigwait(&set, &got) == 0 && got == SIGUSR2);
        change(SIG_UNBLOCK, SIGUSR2);
        done = true;
    });
    wait_for([&] { return runs.load(); });
    CHECK(pthread_kill(target, SIGUSR2) == 0);
    wait_for([&] { return done.load(); });
}

// A signal for a thread of the program that waits for tasks is handled meanwhile, by that thread.
void check_waiting_thread()
{
    struct sigaction action = {};
    action.sa_handler = on_signal;
    CHECK(sigaction(SIGUSR1, &action, nullptr) == 0);
    const pthread_t waits = pthread_self();
    const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
    tbb::task_arena a(3);
    for (int round = 0; round < 10; ++round) {
        a.execute([&] {
            tbb::task_group g;
            std::atomic<bool> started{false};
            std::atomic<bool> alone{false};
            g.run([&] {
                started = true;
                // No yields: they may take this task to the OS thread of the one that waits.
                while (!alone) {
                    std::this_thread::sleep_for(milliseconds(1));
                }
                std::this_thread::sleep_for(milliseconds(5));  // the other waits by now
                const int before = caught;
                CHECK(pthread_kill(waits, SIGUSR1) == 0);
                while (caught == before) {
                    std::this_thread::sleep_for(milliseconds(1));
                }
                CHECK(caught == before + 1 && pthread_equal(catcher, waits));
            });
            wait_for([&] { return started.load(); });  // on another thread
            alone = true;
            g.wait();
        });
    }
}

// What a thread has raised, and blocks, it can wait for in the kernel.
void raise_and_suspend()
{
    change(SIG_BLOCK, SIGUSR1);
    const int before = caught;
    CHECK(raise(SIGUSR1) == 0);
    CHECK(caught == before);
    sigset_t none;
    sigemptyset(&none);
    alarm(30);  // ends the program
    sigsuspend(&none);
    alarm(0);
    CHECK(caught == before + 1 && pthread_equal(catcher, pthread_self()));
    CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0);
    CHECK(caught == before + 1);
    change(SIG_UNBLOCK, SIGUSR1);
    CHECK(caught == before + 2);
}

void check_suspended()
{
    struct sigaction action = {};
    action.sa_handler = on_signal;
    CHECK(sigaction(SIGUSR1, &action, nullptr) == 0);
    tbb::parallel_for(0, 1000, [](int) {});
    raise_and_suspend();
    tbb::task_arena a(2);
    for (int round = 0; round < 10; ++round) {
        std::atomic<bool> done{false};
        a.enqueue([&] {
            raise_and_suspend();
            done = true;
        });
        wait_for([&] { return done.load(); });
    }
}

// A thread that has used oneTBB can be cancelled while it waits for a signal.
void check_cancelled()
{
    std::atomic<bool> waits{false};
    std::thread t([&] {
        tbb::parallel_for(0, 1000, [](int) {});
        change(SIG_BLOCK, SIGUSR2);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR2);
        waits = true;
        int got = 0;
        sigwait(&set, &got);
    });
    wait_for([&] { return waits.load(); });
    std::this_thread::sleep_for(milliseconds(10));
    CHECK(pthread_cancel(t.native_handle()) == 0);
    t.join();
}

}  // namespace

int main(int words_count, char** words)
{
    const named_check checks[] = {
        {"masks", check_masks},         {"signals", check_signals},
        {"waits", check_waits},         {"waiting_thread", check_waiting_thread},
        {"suspended", check_suspended}, {"cancelled", check_cancelled}};
    run_checks(checks, words_count, words);
    std::puts("good");
    return 0;
}
