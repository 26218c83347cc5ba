// config.hpp — sorting in place: a million 64-bit keys in four orders, and strings kept in order
// where equal. The figure is wall time per element.
//
// A competitor is a class with
//     explicit Competitor(int workers);
//     template <class It> void sort(It first, It last);
//     template <class It> void stable_sort(It first, It last);
//     static const char* symbol();
//     static constexpr bool stable;
// The constructor starts the pool. The sorts are called from main() and block until they are done.
// stable says whether there is a stable_sort; without one its measures are left out. symbol() names
// an exported function of the runtime's library; "" for a library of headers only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../../measure/measure.h"

namespace artel::bench {

// Several inputs of each kind: the branch predictor would learn a single one.
inline constexpr int inputs_of_a_kind = 5;

enum class order { random, few_values, almost_sorted, reversed };

inline std::vector<std::uint64_t> make_keys(order kind, std::size_t n, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
        switch (kind) {
        case order::random: keys[i] = random(); break;
        case order::few_values: keys[i] = random() % 16; break;
        case order::almost_sorted: keys[i] = i; break;
        case order::reversed: keys[i] = n - i; break;
        }
    }
    if (kind == order::almost_sorted) {
        // One element in a hundred is out of its place, by any distance.
        for (std::size_t i = 0; i < n / 200; ++i) {
            std::swap(keys[random() % n], keys[random() % n]);
        }
    }
    return keys;
}

// Longer than what a string object holds itself, and with 256 different beginnings, so that
// comparisons read further.
inline std::vector<std::string> make_strings(std::size_t n, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::vector<std::string> strings(n);
    for (std::string& s : strings) {
        s = "measurement/" + std::to_string(random() % 256) + "/" + std::to_string(random());
    }
    return strings;
}

template <class T, class Sort>
void measure_sort(const char* name, const std::vector<std::vector<T>>& inputs, Sort sort,
                  const measure_options& options, const char* extra)
{
    struct context {
        const std::vector<std::vector<T>>& inputs;
        std::vector<std::vector<T>> expected;
        std::vector<T> work;
        Sort sort;
        const char* name;
        std::size_t next;
    } run{inputs, inputs, {}, sort, name, 0};
    for (std::vector<T>& each : run.expected) {
        std::stable_sort(each.begin(), each.end());
    }
    const auto body = [](long count, void* opaque) -> double {
        auto& self = *static_cast<context*>(opaque);
        double took = 0;
        for (long i = 0; i < count; ++i) {
            const std::size_t which = self.next++ % self.inputs.size();
            self.work = self.inputs[which];
            const double start = measure_now();
            self.sort(self.work.begin(), self.work.end());
            took += measure_now() - start;
            if (self.work != self.expected[which]) {
                std::fprintf(stderr, "sort: %s: wrong order\n", self.name);
                std::exit(1);
            }
        }
        return took;
    };
    measure_run(name, "ns", 1e9 / static_cast<double>(inputs[0].size()), &options, body, &run,
                extra);
}

template <class Competitor>
int sort_main(int argc, char** argv)
{
    measure_options options;
    measure_parse(&options, argc, argv);
    const std::size_t n = options.size != 0 ? static_cast<std::size_t>(options.size) : 1000000;
    Competitor competitor(options.threads);
    char extra[600];
    std::snprintf(extra, sizeof extra, ",\"library\":\"%s\",\"size\":%zu",
                  measure_library(Competitor::symbol()), n);
    const auto sort = [&](auto first, auto last) { competitor.sort(first, last); };
    const std::pair<order, const char*> kinds[] = {{order::random, "sort-random"},
                                                   {order::few_values, "sort-few-values"},
                                                   {order::almost_sorted, "sort-almost-sorted"},
                                                   {order::reversed, "sort-reversed"}};
    for (const auto& [kind, name] : kinds) {
        std::vector<std::vector<std::uint64_t>> inputs;
        for (unsigned seed = 0; seed < inputs_of_a_kind; ++seed) {
            inputs.push_back(make_keys(kind, n, seed));
        }
        measure_sort(name, inputs, sort, options, extra);
        if constexpr (Competitor::stable) {
            if (kind == order::random || kind == order::almost_sorted) {
                const auto stable = [&](auto first, auto last) {
                    competitor.stable_sort(first, last);
                };
                measure_sort((std::string("stable-") + (name + 5)).c_str(), inputs, stable, options,
                             extra);
            }
        }
    }
    std::vector<std::vector<std::string>> strings;
    for (unsigned seed = 0; seed < inputs_of_a_kind; ++seed) {
        strings.push_back(make_strings(n / 10, seed));
    }
    measure_sort("sort-strings", strings, sort, options, extra);
    if constexpr (Competitor::stable) {
        const auto stable = [&](auto first, auto last) { competitor.stable_sort(first, last); };
        measure_sort("stable-strings", strings, stable, options, extra);
    }
    return 0;
}

}  // namespace artel::bench
