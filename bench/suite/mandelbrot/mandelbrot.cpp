// The picture is computed by one thread when the problem is made; those that the loops compute are
// compared with it.
#include "mandelbrot.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

constexpr int most_steps = 256;

int steps(double real, double imaginary)
{
    double x = 0;
    double y = 0;
    int count = 0;
    while (count < most_steps && x * x + y * y <= 4) {
        const double next = x * x - y * y + real;
        y = 2 * x * y + imaginary;
        x = next;
        ++count;
    }
    return count;
}

void compute(std::vector<int>& picture, std::size_t size, std::size_t row)
{
    const double scale = 3.0 / static_cast<double>(size);
    for (std::size_t column = 0; column < size; ++column)
        picture[row * size + column] = steps(-2.25 + static_cast<double>(column) * scale,
                                             -1.5 + static_cast<double>(row) * scale);
}

}  // namespace

struct mandelbrot {
    std::size_t size;
    std::vector<int> picture;
    std::vector<int> expected;
};

mandelbrot* mandelbrot_make(long size)
{
    const auto n = static_cast<std::size_t>(size);
    auto* const problem = new mandelbrot{n, std::vector<int>(n * n), std::vector<int>(n * n)};
    for (std::size_t row = 0; row < n; ++row)
        compute(problem->expected, n, row);
    return problem;
}

void mandelbrot_free(mandelbrot* problem)
{
    delete problem;
}

long mandelbrot_rows(const mandelbrot* problem)
{
    return static_cast<long>(problem->size);
}

void mandelbrot_row(mandelbrot* problem, long row)
{
    compute(problem->picture, problem->size, static_cast<std::size_t>(row));
}

void mandelbrot_forget(mandelbrot* problem)
{
    std::fill(problem->picture.begin(), problem->picture.end(), -1);
}

long mandelbrot_wrong(const mandelbrot* problem)
{
    const auto differ = std::mismatch(problem->picture.begin(), problem->picture.end(),
                                      problem->expected.begin())
                            .first;
    return differ == problem->picture.end()
               ? -1
               : (differ - problem->picture.begin()) / static_cast<long>(problem->size);
}
