// A program compiled in libstdc++'s debug mode, which the library was not: what both see alike. No
// GoogleTest, which is not compiled in debug mode either.
#include <algorithm>
#include <artel/artel.hpp>
#include <artel/process_crew.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, const char* what)
{
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        ++failures;
    }
}

}  // namespace

int main()
{
    std::stop_source stop;
    stop.request_stop();
    const std::vector<unsigned> nodes{0};
    artel::limit limits{.concurrency = 2, .numas = {0}, .stop = stop.get_token()};
    limits.numas = nodes;
    std::atomic<int> calls{0};
    artel::parallel_for(0, 1000, [&](int) { ++calls; }, artel::automatic{}, limits);
    expect(calls == 0, "a loop sees that a stop was requested");
    artel::task_group group(limits);
    group.run([&] { ++calls; });
    expect(group.wait() == artel::group_status::cancelled && calls == 0,
           "a group sees that a stop was requested");
    artel::parallel_for(
        0, 1000, [&](int) { ++calls; }, artel::automatic{}, artel::limit{.numas = limits.numas});
    expect(calls == 1000, "a loop on a node runs every iteration");

    std::vector<int> numbers(100000);
    artel::parallel_for(0, numbers.size(),
                        [&](int i) { numbers[static_cast<std::size_t>(i)] = i * 7919 % 100003; });
    artel::parallel_sort(numbers);
    expect(std::is_sorted(numbers.begin(), numbers.end()), "sorted");

    artel::process_crew crew({.workers = 2, .tries = 1});
    const artel::process_report report = crew.for_each(0, 10, [](std::uint64_t i) {
        if (i == 3) {
            throw std::runtime_error("three");
        }
    });
    expect(report.failures.size() == 1 && report.failures[0].what == "three", "one failure");
    // On a busy machine the first worker may have done everything before the second has begun.
    for (int i = 0; i < 1000 && crew.worker_pids().size() != 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    expect(crew.worker_pids().size() == 2, "two workers");
    return failures;
}
