// What a group is left with: by an exception, by a cancellation around it, and in calls between it
// and its task.
#include "check.hpp"

#include <atomic>
#include <list>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_for_each.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

// Of newer headers than the ones that this is compiled against.
namespace tbb::detail::r1 {
d1::task* current_task_ptr();
}

namespace {

template <class Function>
bool throws(Function f)
{
    try {
        f();
    } catch (int) {
        return true;
    }
    return false;
}

// The exception is thrown once, where the algorithm was called; the context stays cancelled until
// it is reset.
void check_exception_is_taken()
{
    tbb::task_group_context c;
    const auto run = [&](bool bad) {
        return throws([&] {
            tbb::parallel_for(
                0, 3,
                [&](int) {
                    if (bad) {
                        throw 1;
                    }
                },
                tbb::simple_partitioner(), c);
        });
    };
    CHECK(run(true));
    CHECK(!run(false));
    CHECK(c.is_group_execution_cancelled());
    c.reset();
    CHECK(!run(false));
    CHECK(!c.is_group_execution_cancelled());
    CHECK(run(true));
}

// The algorithm's own task waits for the bodies in the same group: it takes the exception, and must
// pass it on.
void check_exception_passes_a_waiting_task()
{
    const std::list<int> all(200, 1);
    for (int round = 0; round < 200; ++round) {
        CHECK(throws(
            [&] { tbb::parallel_for_each(all.begin(), all.end(), [](int x) { throw x; }); }));
    }
}

// Tasks of a cancelled group throw to come to their end sooner: nobody who waits gets that. An
// exception after the context was reset is one again.
void check_exception_after_cancellation()
{
    tbb::task_group g;
    const auto leave = [&] {
        g.cancel();
        throw 1;
    };
    CHECK(g.run_and_wait(leave) == tbb::task_group_status::canceled);
    g.run(leave);
    CHECK(g.wait() == tbb::task_group_status::canceled);

    tbb::task_group_context around;
    bool seen_inside = false;
    const auto outer = [&](int) {
        seen_inside = throws([&] {
            tbb::parallel_for(0, 1, [&](int) {
                around.cancel_group_execution();
                throw 2;
            });
        });
    };
    CHECK(!throws([&] { tbb::parallel_for(0, 1, outer, around); }));
    CHECK(!seen_inside);
    CHECK(around.is_group_execution_cancelled());
    around.reset();
    CHECK(throws([&] { tbb::parallel_for(0, 1, [](int) { throw 3; }, around); }));
}

// A group that was waited for is used again, though all around it stays cancelled.
void check_group_in_cancelled_one()
{
    tbb::task_group outer;
    std::atomic<int> ran{0};
    outer.run_and_wait([&] {
        tbb::task_group inner;
        inner.run([&] { outer.cancel(); });
        CHECK(inner.wait() == tbb::task_group_status::canceled);
        inner.run([&] {
            // Its own children are what it is.
            tbb::parallel_for(0, 10, [&](int) { ++ran; });
        });
        CHECK(inner.wait() == tbb::task_group_status::complete);
        CHECK(ran == 10);
        // Something else that is cancelled changes nothing; what is made now is cancelled.
        tbb::task_group_context another(tbb::task_group_context::isolated);
        another.cancel_group_execution();
        inner.run([&] { ++ran; });
        CHECK(inner.wait() == tbb::task_group_status::complete);
        CHECK(ran == 11);
        tbb::task_group late;
        late.run([&] { ++ran; });
        CHECK(late.wait() == tbb::task_group_status::canceled);
        CHECK(ran == 11);
        // And it can still be cancelled itself.
        inner.run([&] { inner.cancel(); });
        CHECK(inner.wait() == tbb::task_group_status::canceled);
    });
}

// The running task is the same one in all that it calls in its arena.
void check_running_task()
{
    using tbb::detail::r1::current_task_ptr;
    CHECK(current_task_ptr() == nullptr);
    tbb::task_group g;
    g.run_and_wait([] {
        auto* const mine = current_task_ptr();
        CHECK(mine != nullptr);
        tbb::task_arena here{tbb::task_arena::attach()};
        here.execute([&] { CHECK(current_task_ptr() == mine); });
        tbb::this_task_arena::isolate([&] { CHECK(current_task_ptr() == mine); });
        tbb::task_arena other(2);
        other.execute([&] { CHECK(current_task_ptr() == nullptr); });
        tbb::parallel_for(0, 100, [](int) {});
        CHECK(current_task_ptr() == mine);
    });
    CHECK(current_task_ptr() == nullptr);
}

constexpr named_check checks[] = {
    {"exception_is_taken", check_exception_is_taken},
    {"exception_passes_a_waiting_task", check_exception_passes_a_waiting_task},
    {"exception_after_cancellation", check_exception_after_cancellation},
    {"group_in_cancelled_one", check_group_in_cancelled_one},
    {"running_task", check_running_task},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
