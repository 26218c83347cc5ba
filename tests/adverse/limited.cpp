// Does everything once, perhaps on several threads of its own, and prints how many threads the
// process then has: for limits that somebody else sets.
//
// usage: limited [OWN_THREADS [ROUNDS [LIGHT_THREADS_AT_ONCE [LIGHT_THREADS]]]]
#include "work.hpp"

#include <artel.h>
#include <fstream>
#include <string>

namespace {

int threads_of_the_process()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Threads:")) {
            return std::stoi(line.substr(8));
        }
    }
    return -1;
}

// Light threads that all wait at once: each needs a stack of its own.
void many_stacks(int n)
{
    artel::latch together(n);
    std::vector<artel::light_thread> threads;
    threads.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        threads.emplace_back([&] { together.arrive_and_wait(); });
    }
    for (artel::light_thread& t : threads) {
        t.join();
    }
}

// Light threads that wait for the crowd to thin out only, with as many stacks as there may be.
void many_that_wait_for_nobody(int n)
{
    std::atomic<int> count{0};
    std::vector<artel::light_thread> threads;
    threads.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        threads.emplace_back([&] {
            artel::this_light_thread::sleep_for(std::chrono::milliseconds(1));
            ++count;
        });
    }
    for (artel::light_thread& t : threads) {
        t.join();
    }
    adverse::expect(count == n, "light threads without memory");
}

}  // namespace

int main(int argc, char** argv)
{
    const int own = argc > 1 ? std::atoi(argv[1]) : 1;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
    const int stacks = argc > 3 ? std::atoi(argv[3]) : 0;
    const int many = argc > 4 ? std::atoi(argv[4]) : 0;
    const auto work = [&] {
        for (int i = 0; i < rounds; ++i) {
            adverse::everything();
        }
        if (stacks != 0) {
            many_stacks(stacks);
        }
        many_that_wait_for_nobody(many);
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < own; ++i) {
        threads.emplace_back(work);
    }
    work();
    for (std::thread& t : threads) {
        t.join();
    }
    std::printf("everything works, %u workers, %d threads\n", artel_num_threads(),
                threads_of_the_process());
}
