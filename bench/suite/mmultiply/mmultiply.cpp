// A cell is a dot product, vectorised by `omp simd`. The check computes all cells anew.
#include "mmultiply.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

struct mmultiply {
    std::size_t order;
    std::vector<double> left;    // by rows
    std::vector<double> right;   // by columns
    std::vector<double> result;  // by rows
};

mmultiply* mmultiply_make(long order)
{
    const auto n = static_cast<std::size_t>(order);
    auto* const problem = new mmultiply{n, std::vector<double>(n * n), std::vector<double>(n * n),
                                        std::vector<double>(n * n)};
    // Small integers: every sum is exact, in whatever order a compiler adds.
    for (std::size_t i = 0; i < n * n; ++i) {
        problem->left[i] = static_cast<double>(i * 7 % 13) - 6;
        problem->right[i] = static_cast<double>(i * 5 % 11) - 5;
    }
    return problem;
}

void mmultiply_free(mmultiply* problem)
{
    delete problem;
}

void mmultiply_cell(mmultiply* problem, long row, long column)
{
    const std::size_t n = problem->order;
    const double* const left = problem->left.data() + static_cast<std::size_t>(row) * n;
    const double* const right = problem->right.data() + static_cast<std::size_t>(column) * n;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = 0; k < n; ++k)
        sum += left[k] * right[k];
    problem->result[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)] = sum;
}

void mmultiply_forget(mmultiply* problem)
{
    std::fill(problem->result.begin(), problem->result.end(),
              std::numeric_limits<double>::quiet_NaN());
}

long mmultiply_wrong(const mmultiply* problem)
{
    const std::size_t n = problem->order;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k)
                sum += problem->left[row * n + k] * problem->right[column * n + k];
            if (problem->result[row * n + column] != sum)
                return static_cast<long>(row * n + column);
        }
    return -1;
}
