// OpenMP and oneTBB in one process: loops of one inside of those of the other, and both in turn.
// Prints a line for each case: name, median and minimum over rounds of the time over the ideal one.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <omp.h>
#include <oneapi/tbb.h>
#include <vector>

namespace {

constexpr int rounds = 15;

double now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double, std::micro>(clock::now().time_since_epoch()).count();
}

void work(long steps)
{
    std::uint64_t state = 1;
    for (long i = 0; i < steps; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        asm volatile("" : "+r"(state));
    }
}

// Steps of work() that take so many microseconds when nobody interrupts them.
long steps_of(double microseconds)
{
    double best = 1e9;
    for (int i = 0; i < 300; ++i) {
        const double begin = now();
        work(20000);
        best = std::min(best, now() - begin);
    }
    return static_cast<long>(20000 / best * microseconds);
}

// `round` returns its time over the ideal one.
void measure(const char* name, const std::function<double()>& round)
{
    round();
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        times.push_back(round());
    }
    std::sort(times.begin(), times.end());
    std::printf("%s\t%.3f\t%.3f\n", name, times[times.size() / 2], times.front());
    std::fflush(stdout);
}

constexpr int outer = 8;
constexpr int inner = 8;
constexpr int repeats = 40;

double openmp_outside(long item)
{
    const double begin = now();
#pragma omp parallel num_threads(outer)
    for (int r = 0; r < repeats; ++r) {
        tbb::parallel_for(0, inner, [=](int) { work(item); }, tbb::simple_partitioner());
    }
    return now() - begin;
}

double onetbb_outside(long item)
{
    const double begin = now();
    tbb::parallel_for(
        0, outer,
        [=](int) {
            for (int r = 0; r < repeats; ++r) {
#pragma omp parallel for num_threads(inner) schedule(dynamic)
                for (int i = 0; i < inner; ++i) {
                    work(item);
                }
            }
        },
        tbb::simple_partitioner());
    return now() - begin;
}

void region(int threads, long item)
{
#pragma omp parallel num_threads(threads)
    work(item);
}

void loop(int threads, long item)
{
    tbb::parallel_for(0, threads, [=](int) { work(item); }, tbb::static_partitioner());
}

template <class First, class Second>
double in_turn(First first, Second second)
{
    const double begin = now();
    for (int i = 0; i < 500; ++i) {
        first();
        second();
    }
    return now() - begin;
}

}  // namespace

int main()
{
    const int cpus = omp_get_num_procs();
    const long item = steps_of(3);
    const double ideal = 3.0 * outer * inner * repeats / cpus;
    measure("8 members with loops of 8 tasks of 3 us",
            [=] { return openmp_outside(item) / ideal; });
    measure("8 tasks with regions of 8 items of 3 us",
            [=] { return onetbb_outside(item) / ideal; });
    const long longer = steps_of(20);
    const auto openmp = [=] { region(cpus, longer); };
    const auto onetbb = [=] { loop(cpus, longer); };
    const double alone = 1000 * 20.0;
    measure("regions of 20 us alone", [=] { return in_turn(openmp, openmp) / alone; });
    measure("loops of 20 us alone", [=] { return in_turn(onetbb, onetbb) / alone; });
    measure("both in turn", [=] { return in_turn(openmp, onetbb) / alone; });
}
