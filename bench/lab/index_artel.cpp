// The loop of index.h by process_crew (--what process_crew) or by parallel_for (--what
// parallel_for), and what a crew of processes costs to make.
#include "index.h"

#include <artel/artel.hpp>
#include <artel/process_crew.hpp>

#include <cstring>
#include <memory>
#include <vector>

namespace {

struct loop {
    artel::process_crew* crew;  // or none: parallel_for
    std::uint64_t* out;
    std::uint64_t n;
};

double run_loops(long count, void* context)
{
    const auto& it = *static_cast<loop*>(context);
    auto* const out = it.out;
    const double begin = measure_now();
    for (long i = 0; i < count; ++i)
        if (it.crew != nullptr)
            it.crew->for_each(0, it.n, [=](std::uint64_t index) { out[index] = 2 * index; });
        else
            artel::parallel_for(std::uint64_t{0}, it.n,
                                [=](std::uint64_t index) { out[index] = 2 * index; });
    return measure_now() - begin;
}

double make_crews(long count, void* context)
{
    const auto workers = *static_cast<unsigned*>(context);
    const double begin = measure_now();
    for (long i = 0; i < count; ++i) {
        artel::process_crew crew({.workers = workers});
        crew.for_each(0, workers, [](std::uint64_t) {});
    }
    return measure_now() - begin;
}

}  // namespace

int main(int argc, char** argv)
{
    measure_options options;
    measure_parse(&options, argc, argv);
    auto workers = static_cast<unsigned>(options.threads);
    const bool processes = std::strcmp(options.what, "process_crew") == 0;
    std::unique_ptr<artel::process_crew> crew;
    if (processes)
        crew = std::make_unique<artel::process_crew>(
            artel::process_crew_options{.workers = workers});
    for (const auto& length : index_lengths) {
        const auto n = length.indices == 0 ? std::uint64_t{workers}
                                           : static_cast<std::uint64_t>(length.indices);
        std::vector<std::uint64_t> own(processes ? 0 : n);
        loop it{crew.get(), processes ? crew->allocate<std::uint64_t>(n) : own.data(), n};
        measure_run(length.measure, length.unit, length.scale, &options, run_loops, &it, "");
        for (std::uint64_t i = 0; i < n; ++i)
            if (it.out[i] != 2 * i)
                return 1;
    }
    if (processes)
        measure_run("make", "ms", 1e3, &options, make_crews, &workers, "");
    return 0;
}
