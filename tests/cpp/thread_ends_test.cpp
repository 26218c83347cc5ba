// Threads that end (pthread_exit, pthread_cancel) in the program's code that the library has
// called.
#include <artel/artel.hpp>

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string_view>

namespace {

using end_of_thread = void (*)();

void by_exit()
{
    ::pthread_exit(nullptr);
}

void by_cancellation()
{
    ::pthread_cancel(::pthread_self());
    ::pthread_testcancel();
}

constexpr const char* message = "artel: a thread ended \\(pthread_exit, or a cancellation\\)";

class thread_ends : public ::testing::TestWithParam<end_of_thread> {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    template <class F>
    void ends_the_program(F what)
    {
        if (const char* const width = std::getenv("ARTEL_NUM_THREADS");
            width != nullptr && std::string_view(width) == "1") {
            GTEST_SKIP() << "with one worker a loop is its caller's alone";
        }
#if defined(__SANITIZE_THREAD__)
        if (GetParam() == by_exit) {
            GTEST_SKIP() << "ThreadSanitizer's own pthread_exit fails a check on light threads";
        }
#endif
#if defined(__SANITIZE_ADDRESS__)
        if (GetParam() == by_cancellation) {
            GTEST_SKIP() << "AddressSanitizer keeps the marks of frames that a cancellation has "
                            "unwound, and fails a check of its own on them";
        }
#endif
        EXPECT_EXIT(what(), ::testing::KilledBySignal(SIGABRT), message);
    }
};

TEST_P(thread_ends, in_an_iteration)
{
    ends_the_program([] { artel::parallel_for(0, 1000, [](int) { GetParam()(); }); });
}

TEST_P(thread_ends, in_one_of_few_iterations)
{
    ends_the_program([] { artel::parallel_for(0, 2, [](int) { GetParam()(); }); });
}

TEST_P(thread_ends, in_a_share)
{
    ends_the_program(
        [] { artel::parallel_for(0, 1000, [](int) { GetParam()(); }, artel::static_{}); });
}

TEST_P(thread_ends, in_an_iteration_of_a_worker)
{
    ends_the_program([] {
        const pthread_t caller = ::pthread_self();
        for (;;) {
            artel::parallel_for(0, 1000, [caller](int) {
                if (::pthread_equal(caller, ::pthread_self()) == 0) {
                    GetParam()();
                }
            });
        }
    });
}

TEST_P(thread_ends, in_a_task_of_a_group)
{
    ends_the_program([] {
        artel::task_group group;
        for (int i = 0; i < 10; ++i) {
            group.run([] { GetParam()(); });
        }
        group.wait();
    });
}

TEST_P(thread_ends, in_a_task_that_a_worker_has_taken)
{
    ends_the_program([] {
        std::atomic<bool> begun{false};
        artel::parallel_invoke([&] { begun.wait(false); },
                               [&] {
                                   begun = true;
                                   begun.notify_all();
                                   GetParam()();
                               });
    });
}

TEST_P(thread_ends, in_a_light_thread)
{
    ends_the_program([] { artel::light_thread([] { GetParam()(); }).join(); });
}

// Nobody else has to do with it.
TEST_P(thread_ends, in_a_single_iteration_is_the_end_of_the_thread_alone)
{
    struct noted {
        std::atomic<int> unwound{0};
        end_of_thread how;
    } seen{{}, GetParam()};
    pthread_t thread{};
    ASSERT_EQ(::pthread_create(
                  &thread, nullptr,
                  [](void* argument) -> void* {
                      auto& s = *static_cast<noted*>(argument);
                      artel::parallel_for(0, 1, [&s](int) {
                          struct guard {
                              std::atomic<int>& count;
                              ~guard() { ++count; }
                          } const here{s.unwound};
                          s.how();
                      });
                      return nullptr;
                  },
                  &seen),
              0);
    ASSERT_EQ(::pthread_join(thread, nullptr), 0);
    EXPECT_EQ(seen.unwound, 1);
    std::atomic<int> after{0};
    artel::parallel_for(0, 1000, [&](int) { ++after; });
    EXPECT_EQ(after, 1000);
}

INSTANTIATE_TEST_SUITE_P(ways, thread_ends, ::testing::Values(by_exit, by_cancellation),
                         [](const auto& way) {
                             return way.param == by_exit ? "exit" : "cancellation";
                         });

}  // namespace
