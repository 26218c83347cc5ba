// OpenMP and oneTBB in one process: loops of one inside of those of the other, and both in turn.
// Prints a line for each case: name, and median and minimum over rounds of the ratio of the time to
// the ideal time.
#include "rounds.hpp"

#include <functional>
#include <omp.h>
#include <oneapi/tbb.h>

namespace {

double now()
{
    return measure_now() * 1e6;
}

void measure(const char* name, const std::function<double()>& times_the_ideal)
{
    print_rounds(name, 3, times_the_ideal);
}

constexpr int outer = 8;
constexpr int inner = 8;
constexpr int repeats = 40;

double openmp_outside(long item)
{
    const double begin = now();
#pragma omp parallel num_threads(outer)
    for (int r = 0; r < repeats; ++r) {
        tbb::parallel_for(0, inner, [=](int) { measure_work(item); }, tbb::simple_partitioner());
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
                    measure_work(item);
                }
            }
        },
        tbb::simple_partitioner());
    return now() - begin;
}

void region(int threads, long item)
{
#pragma omp parallel num_threads(threads)
    measure_work(item);
}

void loop(int threads, long item)
{
    tbb::parallel_for(0, threads, [=](int) { measure_work(item); }, tbb::static_partitioner());
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
    const long item = measure_steps(3e-6);
    const double ideal = 3.0 * outer * inner * repeats / cpus;
    measure("8 members with loops of 8 tasks of 3 us",
            [=] { return openmp_outside(item) / ideal; });
    measure("8 tasks with regions of 8 items of 3 us",
            [=] { return onetbb_outside(item) / ideal; });
    const long longer = measure_steps(20e-6);
    const auto openmp = [=] { region(cpus, longer); };
    const auto onetbb = [=] { loop(cpus, longer); };
    const double alone = 1000 * 20.0;
    measure("regions of 20 us alone", [=] { return in_turn(openmp, openmp) / alone; });
    measure("loops of 20 us alone", [=] { return in_turn(onetbb, onetbb) / alone; });
    measure("both in turn", [=] { return in_turn(openmp, onetbb) / alone; });
}
