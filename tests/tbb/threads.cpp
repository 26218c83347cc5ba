// Threads of the program that come to the library and end.
#include "check.hpp"

#define TBB_PREVIEW_WAITING_FOR_WORKERS 1
#include <atomic>
#include <new>
#include <oneapi/tbb.h>
#include <pthread.h>
#include <thread>
#include <vector>

namespace {

void use()
{
    std::atomic<int> ran{0};
    tbb::parallel_for(0, 100, [&](int) { ++ran; });
    CHECK(ran == 100);
}

// A thread that was in other arenas only has a place in one of its own, as far as it can tell.
void check_index()
{
    std::thread([] {
        CHECK(tbb::this_task_arena::current_thread_index() == tbb::task_arena::not_initialized);
        tbb::task_arena(2).execute([] {});
        CHECK(tbb::this_task_arena::current_thread_index() == 0);
    }).join();
}

// Destructors of thread-local objects, and those for keys, use the library when the thread has
// ended: nothing is left of the thread that would keep the scheduler.
void check_destructors()
{
    struct user {
        ~user() { use(); }
    };
    pthread_key_t key{};
    CHECK(pthread_key_create(&key, [](void*) { use(); }) == 0);
    tbb::task_scheduler_handle handle{tbb::attach{}};
    for (const bool first : {false, true}) {
        std::thread([=] {
            if (first) {
                use();
            }
            static thread_local user early;
            CHECK(pthread_setspecific(key, &early) == 0);
            use();
        }).join();
    }
    CHECK(tbb::finalize(handle, std::nothrow));
    CHECK(pthread_key_delete(key) == 0);
}

// Many at once, each with an arena of its own.
void check_crowd()
{
    std::atomic<int> ran{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round) {
                tbb::parallel_for(0, 100, [&](int) { ++ran; });
            }
        });
    }
    for (std::thread& t : threads) {
        t.join();
    }
    CHECK(ran == 64 * 20 * 100);
}

constexpr named_check checks[] = {
    {"index", check_index},
    {"destructors", check_destructors},
    {"crowd", check_crowd},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
