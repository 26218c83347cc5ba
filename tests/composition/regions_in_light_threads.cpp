// OpenMP in light threads: each has settings of its own, which are not those of the next one or of
// its joiner, and nothing is kept of it when it has ended.
#include <artel/light_thread.hpp>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <malloc.h>
#include <omp.h>
#include <thread>
#include <vector>

namespace {

std::atomic<int> wrong{0};

void check_and_change_settings(int usual)
{
    wrong += omp_get_max_threads() != usual;
    omp_set_num_threads(usual + 7);
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members += 1;
    wrong += members != 2;
    wrong += omp_get_max_threads() != usual + 7;
}

void round_of_many(int usual)
{
    std::vector<artel::light_thread> all;
    for (int i = 0; i < 10; ++i) {
        all.emplace_back([usual] { check_and_change_settings(usual); });
    }
    for (artel::light_thread& t : all) {
        t.join();
    }
    std::atomic<bool> done{false};
    artel::light_thread elsewhere([&] {
        check_and_change_settings(usual);
        done = true;
    });
    while (!done) {
        std::this_thread::yield();
    }
    elsewhere.join();
}

// Joined before any worker comes for them: their joiner, an OS thread, runs them.
void join_at_once(int usual)
{
    for (int i = 0; i < 100; ++i) {
        artel::light_thread t([usual] { check_and_change_settings(usual); });
        t.join();
    }
}

long threads()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

std::size_t used() noexcept
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

}  // namespace

int main()
{
    const int usual = omp_get_max_threads();
    for (int i = 0; i < 50; ++i) {
        round_of_many(usual);
    }
    join_at_once(usual);
    const long threads_before = threads();
    for (int i = 0; i < 3; ++i) {
        join_at_once(usual);
        std::thread(join_at_once, usual).join();
    }
    const bool has_more = threads() > threads_before + 40;
    wrong += has_more;
    const std::size_t before = used();
    for (int i = 0; i < 300; ++i) {
        round_of_many(usual);
    }
    const std::size_t grown = used() - before;
    const bool keeps = grown < std::size_t{1} << 31 && grown > std::size_t{2} << 20;
    wrong += keeps;
    wrong += omp_get_max_threads() != usual;
    std::printf("wrong: %d, grown by %zu KiB, %s\n", wrong.load(), keeps ? grown / 1024 : 0,
                has_more ? "threads were left" : "no thread was left");
    return wrong != 0;
}
