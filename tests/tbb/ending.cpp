// tbb::finalize: when the scheduler can be waited for, and when something keeps it.
#include "check.hpp"

#define TBB_PREVIEW_WAITING_FOR_WORKERS 1
#include <atomic>
#include <functional>
#include <oneapi/tbb.h>
#include <thread>

namespace {

bool ends()
{
    tbb::task_scheduler_handle handle{tbb::attach{}};
    return tbb::finalize(handle, std::nothrow);
}

bool end_throws()
{
    tbb::task_scheduler_handle handle{tbb::attach{}};
    try {
        tbb::finalize(handle);
        return false;
    } catch (const tbb::unsafe_wait&) {
        return true;
    }
}

void use()
{
    tbb::parallel_for(0, 1000, [](int) {});
}

// What another thread has called, while it is still there; then it ends.
bool ends_beside(const std::function<void()>& call)
{
    std::atomic<int> step{0};
    std::thread other([&] {
        call();
        step = 1;
        while (step != 2) {
            std::this_thread::yield();
        }
    });
    while (step != 1) {
        std::this_thread::yield();
    }
    const bool ended = ends();
    step = 2;
    other.join();
    CHECK(ends());
    return ended;
}

void check_end()
{
    tbb::task_scheduler_handle handle{tbb::attach{}};
    std::thread(use).join();
    bool inside = true;
    tbb::task_group g;
    g.run_and_wait([&] {
        tbb::task_scheduler_handle nested{tbb::attach{}};
        inside = tbb::finalize(nested, std::nothrow);
    });
    CHECK(!inside);
    // Not the last one, whether or not anybody has an arena.
    tbb::task_scheduler_handle another{tbb::attach{}};
    CHECK(!tbb::finalize(another, std::nothrow));
    // Nor while another thread has used the scheduler and may do so again.
    std::atomic<bool> used{false};
    std::atomic<bool> leaves{false};
    std::thread other([&] {
        use();
        used = true;
        while (!leaves) {
            std::this_thread::yield();
        }
    });
    while (!used) {
        std::this_thread::yield();
    }
    CHECK(!tbb::finalize(handle, std::nothrow));
    leaves = true;
    other.join();
    use();
    tbb::task_scheduler_handle last{tbb::attach{}};
    CHECK(tbb::finalize(last, std::nothrow));
    use();
}

// A task_arena keeps the scheduler as long as it refers to an arena.
void check_arenas()
{
    tbb::task_arena a(2);
    CHECK(ends());
    a.initialize();
    CHECK(!ends() && end_throws());
    use();
    CHECK(!ends());
    a.execute([] { CHECK(!ends()); });
    tbb::task_arena same(2);
    tbb::task_arena copied(a);
    same.execute(use);
    a.terminate();
    CHECK(!ends());
    same.terminate();
    CHECK(ends() && !end_throws());
    use();
    tbb::task_arena attached{tbb::attach{}};
    CHECK(attached.is_active() && !ends());
    attached.terminate();
    CHECK(ends());
    tbb::task_arena* left = nullptr;
    std::thread([&] { (left = new tbb::task_arena(2))->initialize(); }).join();
    CHECK(!ends());
    delete left;
    CHECK(ends());
}

// So do threads that have called anything for which they are known to it.
void check_threads()
{
    CHECK(ends_beside([] { (void)tbb::this_task_arena::max_concurrency(); }));
    CHECK(ends_beside([] { (void)tbb::task_arena(2).max_concurrency(); }));
    CHECK(ends_beside([] { tbb::parallel_for(0, 0, [](int) {}); }));
    CHECK(ends_beside([] {
        use();
        CHECK(ends());
    }));
    CHECK(!ends_beside(use));
    CHECK(!ends_beside([] { tbb::task_arena(2).initialize(); }));
    CHECK(!ends_beside([] { tbb::task_arena(2).execute([] {}); }));
    CHECK(!ends_beside([] { tbb::task_group().wait(); }));
    CHECK(!ends_beside([] { tbb::task_group().cancel(); }));
    CHECK(!ends_beside([] { (void)tbb::is_current_task_group_canceling(); }));
    CHECK(!ends_beside([] { tbb::this_task_arena::isolate([] {}); }));
}

// And handles. While there is one, the scheduler stays in use even if nothing else keeps it.
void check_handles()
{
    for (const bool by_other : {false, true}) {
        tbb::task_scheduler_handle a{tbb::attach{}};
        tbb::task_scheduler_handle b{tbb::attach{}};
        tbb::task_scheduler_handle c{tbb::attach{}};
        if (by_other) {
            std::thread(use).join();
        } else {
            use();
        }
        CHECK(!tbb::finalize(a, std::nothrow) && !tbb::finalize(b, std::nothrow));
        CHECK(tbb::finalize(c, std::nothrow));
    }
    tbb::task_scheduler_handle a{tbb::attach{}};
    tbb::task_scheduler_handle b{tbb::attach{}};
    CHECK(tbb::finalize(a, std::nothrow) && tbb::finalize(b, std::nothrow));  // nothing is in use
    // A thread that is refused is no user any more.
    use();
    CHECK(!ends_beside([] {
        use();
        CHECK(!ends());
        use();
    }));
    use();
    std::atomic<bool> refused{false};
    std::thread([&] { refused = !ends(); }).join();
    CHECK(refused && ends());
}

constexpr named_check checks[] = {
    {"end", check_end},
    {"arenas", check_arenas},
    {"threads", check_threads},
    {"handles", check_handles},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
