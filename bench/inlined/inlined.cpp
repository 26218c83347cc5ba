// Loop bodies that the compiler sees, as programs write them: ten typical ones, each as a plain
// loop, under the default partitioner, under static_, and under OpenMP's static schedule. (In the
// loop suite, ../suite, the work of an iteration is compiled once, out of line.) With one thread,
// so that only the code that the compiler has made of the bodies differs. Prints, per body,
// nanoseconds per iteration of the four: minimum and median of interleaved windows, and the ratio
// of the default to the better of plain and static_, and to OpenMP, of minima and of medians. ./run
// builds it with several compilers and options.
//
// OpenMP shows what is possible for a parallel loop: in a plain loop the compiler knows the values
// around it (that n is a quotient by 64, that a captured address can be read), in an outlined one
// it does not.
//
// `inlined BODY FORM TIMES` (FORM: plain, automatic, static, openmp) runs one of them alone, for
// counting instructions.
#include "kernels.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <vector>

namespace {

double now()
{
    return std::chrono::duration<double, std::nano>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Nanoseconds per iteration over some 0.3 ms.
double window(int (*run)(data&), data& d)
{
    const double start = now();
    double iterations = 0;
    do {
        iterations += run(d);
    } while (now() - start < 3e5);
    return (now() - start) / iterations;
}

double median(std::vector<double>& v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv)
{
    ::setenv("ARTEL_NUM_THREADS", "1", 1);
    ::omp_set_num_threads(1);
    static data d;
    if (argc == 4) {
        for (const kernel& k : kernels) {
            for (int f = 0; f < forms; ++f) {
                if (!std::strcmp(k.name, argv[1]) && !std::strcmp(form_names[f], argv[2])) {
                    for (int i = std::atoi(argv[3]); i > 0; --i) {
                        k.run[f](d);
                    }
                }
            }
        }
        return 0;
    }
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 60;
    std::printf("%-16s %9s %9s %9s %9s   %-25s   %s\n", "ns/iteration", "plain", "automatic",
                "static", "openmp", "automatic/best of p., s.", "automatic/openmp");
    for (const kernel& k : kernels) {
        std::vector<double> times[forms];
        for (int r = 0; r < rounds; ++r) {
            for (int f = 0; f < forms; ++f) {
                times[(f + r) % forms].push_back(window(k.run[(f + r) % forms], d));
            }
        }
        double least[forms];
        double middle[forms];
        for (int f = 0; f < forms; ++f) {
            middle[f] = median(times[f]);
            least[f] = times[f].front();
        }
        std::printf(
            "%-16s %9.3f %9.3f %9.3f %9.3f   %6.3f (median %6.3f)   %6.3f (median %6.3f)\n", k.name,
            least[0], least[1], least[2], least[3], least[1] / std::min(least[0], least[2]),
            middle[1] / std::min(middle[0], middle[2]), least[1] / least[3], middle[1] / middle[3]);
    }
    return 0;
}
