// What one index costs beyond its work: process_crew::for_each and parallel_for over the same loop, out[i] = 2 i. Prints JSON lines
// {"name", "indices", "ns_per_index"}; the least of several rounds, so that what else runs on the machine counts little.
#include <artel/artel.hpp>
#include <artel/process_crew.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <class F>
double least_ns(unsigned rounds, F f)
{
    double least = 1e300;
    for (unsigned i = 0; i < rounds; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        f();
        least = std::min(least, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    return least;
}

void print(const char* name, std::uint64_t indices, double ns)
{
    std::printf("{\"name\": \"%s\", \"indices\": %llu, \"ns_per_index\": %.2f}\n", name, static_cast<unsigned long long>(indices),
                ns / static_cast<double>(indices));
}

}  // namespace

int main(int argc, char** argv)
{
    const unsigned workers = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 2;
    artel::process_crew crew({.workers = workers});
    for (const std::uint64_t n : {std::uint64_t{workers}, std::uint64_t{1000}, std::uint64_t{1000000}}) {
        const unsigned rounds = n > 10000 ? 7 : 200;
        auto* const shared = crew.allocate<std::uint64_t>(n);
        print("process_crew", n, least_ns(rounds, [&] { crew.for_each(0, n, [=](std::uint64_t i) { shared[i] = 2 * i; }); }));
        std::vector<std::uint64_t> own(n);
        auto* const out = own.data();
        print("parallel_for", n,
              least_ns(rounds, [&] { artel::parallel_for(std::uint64_t{0}, n, [=](std::uint64_t i) { out[i] = 2 * i; }); }));
        for (std::uint64_t i = 0; i < n; ++i)
            if (shared[i] != 2 * i || out[i] != 2 * i)
                return 1;
    }
    print("process_crew, made and ended", 1, least_ns(10, [&] { artel::process_crew({.workers = workers}); }));
    return 0;
}
