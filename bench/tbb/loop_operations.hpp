// Loops under each partitioner: empty ones, balanced ones, and one whose iterations differ.
#pragma once

#include "operations.hpp"

#include <oneapi/tbb.h>
#include <string>
#include <vector>

template <class Partitioner>
void loops(const char* kind, Partitioner&& partitioner)
{
    const auto name = [kind](const char* what) { return std::string(what) + ", " + kind; };
    measure(name("empty loop of 2").c_str(), 1000, [&] {
        return timed([&] {
            for (int i = 0; i < 1000; ++i) {
                tbb::parallel_for(0, 2, [](int) {}, partitioner);
            }
        });
    });
    measure(name("loop of 2 pieces of 2 us").c_str(), 500, [&] {
        return timed([&] {
            for (int i = 0; i < 500; ++i) {
                tbb::parallel_for(
                    0, 2,
                    [](int) {
                        const double begin = now();
                        while (now() - begin < 2000) {
                        }
                    },
                    partitioner);
            }
        });
    });
    measure(name("empty loop of 1000").c_str(), 1000, [&] {
        return timed([&] {
            for (int i = 0; i < 1000; ++i) {
                tbb::parallel_for(
                    tbb::blocked_range<int>(0, 1000, 16), [](const tbb::blocked_range<int>&) {},
                    partitioner);
            }
        });
    });
    static constexpr int n = 300;
    static std::vector<double> a(n * n, 1.0);
    static std::vector<double> b(n * n, 2.0);
    static std::vector<double> c(n * n);
    measure(name("product of matrices").c_str(), 1, [&] {
        return timed([&] {
            tbb::parallel_for(
                0, n,
                [](int i) {
                    for (int k = 0; k < n; ++k) {
                        for (int j = 0; j < n; ++j) {
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
                        }
                    }
                },
                partitioner);
        });
    });
    // Row i of a sparse triangle has i entries.
    static constexpr int rows = 3000;
    static std::vector<double> row(rows, 1.0);
    static std::vector<double> sums(rows);
    measure(name("triangle of rows").c_str(), 1, [&] {
        return timed([&] {
            tbb::parallel_for(
                0, rows,
                [](int i) {
                    double sum = 0;
                    for (int k = 0; k < i; ++k) {
                        sum += row[k] * 0.5;
                    }
                    sums[i] = sum;
                },
                partitioner);
        });
    });
    static constexpr int side = 1024;
    static std::vector<float> from(side * side, 1.0F);
    static std::vector<float> to(side * side);
    measure(name("transposition").c_str(), 1, [&] {
        return timed([&] {
            tbb::parallel_for(
                tbb::blocked_range2d<int>(0, side, 32, 0, side, 32),
                [](const tbb::blocked_range2d<int>& r) {
                    for (int i = r.rows().begin(); i != r.rows().end(); ++i) {
                        for (int j = r.cols().begin(); j != r.cols().end(); ++j) {
                            to[j * side + i] = from[i * side + j];
                        }
                    }
                },
                partitioner);
        });
    });
}
