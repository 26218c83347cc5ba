// One process of the loop suite: what it was asked for, and how its benchmarks sample and verify.
//
// A benchmark is a function template over the competitor, so that all competitors run the same
// text; a competitor is a class with
//     competitor(int workers, std::string_view variant);
//     static const char* symbol();
//     template <class F> void within(const F& f);
//     template <class F> void each(long count, const F& f);
// The calling thread is one of the workers where the runtime allows it. symbol() names an exported
// function of the runtime's library; "" for a library of headers only. within() runs f where loops
// are to be started from. each() calls f(0) to f(count - 1) in parallel and returns when all are
// done. As far as the runtime can, the class also has
//     template <class F> void inner(long count, const F& f);
//     template <class F, class G> void both(const F& f, const G& g);
// void free_threads(); inner() is each() inside an iteration of each(); both() is fork and join,
//     used recursively; other functions are described with the benchmarks that need them. A runtime
//     without one of them prints no measure for the benchmarks that need it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../measure/measure.h"

namespace artel::bench {

class session {
public:
    session(int argc, char** argv, const char* symbol)
    {
        measure_parse(&options_, argc, argv);
        symbol_ = symbol;
    }

    int threads() const { return options_.threads; }
    const measure_options& options() const { return options_; }
    bool oversubscribed() const { return options_.threads > measure_cpus(); }

    // The sizes to go through: `few` of them, the `usual` ones or `all`, as --scale says, or the
    // one of --size.
    std::vector<long> sizes(std::vector<long> few, std::vector<long> usual,
                            std::vector<long> all) const
    {
        if (options_.size > 0)
            return {options_.size};
        return options_.scale == 0 ? few : options_.scale == 1 ? usual : all;
    }

    // Samples operation(), prints its time under "<name>/<size>" in microseconds divided by
    // `parts`.
    template <class Operation>
    void sample(const std::string& name, long size, const Operation& operation, double parts = 1,
                const char* unit = "us") const
    {
        const auto body = [](long count, void* context) {
            const auto& once = *static_cast<const Operation*>(context);
            const double start = measure_now();
            for (long i = 0; i < count; ++i)
                once();
            return measure_now() - start;
        };
        measure_run((name + "/" + std::to_string(size)).c_str(), unit,
                    (*unit == 'n' ? 1e9 : 1e6) / parts, &options_, body,
                    const_cast<void*>(static_cast<const void*>(&operation)), extra(size).c_str());
    }

    // Prints one measure from samples taken otherwise.
    void print(const std::string& name, long size, const char* unit,
               std::vector<double>& values) const
    {
        measure_print((name + "/" + std::to_string(size)).c_str(), unit, &options_, values.data(),
                      static_cast<long>(values.size()), 1, extra(size).c_str());
    }

    // Ends the process when a result is wrong: its times would be worthless.
    void verify(bool right, const std::string& what) const
    {
        if (right)
            return;
        std::fprintf(stderr, "%s %s: wrong result: %s\n", options_.what, options_.variant,
                     what.c_str());
        std::exit(1);
    }

private:
    std::string extra(long size) const
    {
        return ",\"size\":" + std::to_string(size) + ",\"verified\":true,\"library\":\"" +
               measure_library(symbol_) + "\"";
    }

    measure_options options_{};
    const char* symbol_ = "";
};

}  // namespace artel::bench
