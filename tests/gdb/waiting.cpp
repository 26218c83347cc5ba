// For the test of the gdb helper: five light threads wait on a latch when stop_here() is called.
#include <artel/artel.hpp>
#include <atomic>
#include <vector>

std::atomic<int> begun{0};

extern "C" __attribute__((noinline)) void stop_here()
{
    asm volatile("" ::: "memory");
}

__attribute__((noinline)) static void wait_for_it(artel::latch& gate)
{
    begun.fetch_add(1, std::memory_order_relaxed);  // relaxed: polled below
    gate.wait();
    // no tail call: the test looks for this function in the backtrace.
    asm volatile("" ::: "memory");
}

int main()
{
    artel::latch gate(1);
    std::vector<artel::light_thread> threads;
    for (int i = 0; i < 5; ++i) {
        threads.emplace_back([&gate] { wait_for_it(gate); });
    }
    while (begun.load(std::memory_order_relaxed) < 5) {  // relaxed: the yield lets them run
        artel::this_light_thread::yield();
    }
    stop_here();
    gate.count_down();
    for (artel::light_thread& thread : threads) {
        thread.join();
    }
    return 0;
}
