// Particles are sorted by cell when the problem is made; a cell reads those of its neighbours. The
// expected forces are computed by one thread.
#include "nbody.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

constexpr long edge = 12;  // cells in each direction
constexpr double cutoff = 1.0 / edge;

struct point {
    double x, y, z;
};

long cell_of(double coordinate)
{
    return std::min(edge - 1, static_cast<long>(coordinate * edge));
}

}  // namespace

struct nbody {
    std::vector<point> particles;  // by cells
    std::vector<long> begin;       // of each cell in particles, and the end
    std::vector<point> forces;
    std::vector<point> expected;

    std::vector<point>& compute(std::vector<point>& into, long cell) const;
};

// Every cell writes only the forces on its own particles, in a fixed order, so results are equal to
// the last bit.
std::vector<point>& nbody::compute(std::vector<point>& into, long cell) const
{
    const long cx = cell % edge, cy = cell / edge % edge, cz = cell / edge / edge;
    for (long i = begin[static_cast<std::size_t>(cell)];
         i < begin[static_cast<std::size_t>(cell) + 1]; ++i) {
        const point& p = particles[static_cast<std::size_t>(i)];
        point force{0, 0, 0};
        for (long z = std::max(0L, cz - 1); z <= std::min(edge - 1, cz + 1); ++z)
            for (long y = std::max(0L, cy - 1); y <= std::min(edge - 1, cy + 1); ++y)
                for (long x = std::max(0L, cx - 1); x <= std::min(edge - 1, cx + 1); ++x) {
                    const auto other = static_cast<std::size_t>((z * edge + y) * edge + x);
                    for (long j = begin[other]; j < begin[other + 1]; ++j) {
                        const point& q = particles[static_cast<std::size_t>(j)];
                        const point d{q.x - p.x, q.y - p.y, q.z - p.z};
                        const double square = d.x * d.x + d.y * d.y + d.z * d.z;
                        if (j == i || square > cutoff * cutoff)
                            continue;
                        const double inverse = 1 / (square + 1e-6);
                        force.x += d.x * inverse;
                        force.y += d.y * inverse;
                        force.z += d.z * inverse;
                    }
                }
        into[static_cast<std::size_t>(i)] = force;
    }
    return into;
}

nbody* nbody_make(long particles)
{
    auto* const problem = new nbody;
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto coordinate = [&] { return std::pow(uniform(random), 1.5); };
    std::vector<std::vector<point>> cells(static_cast<std::size_t>(edge * edge * edge));
    for (long i = 0; i < particles; ++i) {
        const point p{coordinate(), coordinate(), coordinate()};
        cells[static_cast<std::size_t>((cell_of(p.z) * edge + cell_of(p.y)) * edge + cell_of(p.x))]
            .push_back(p);
    }
    problem->begin.push_back(0);
    for (const std::vector<point>& cell : cells) {
        problem->particles.insert(problem->particles.end(), cell.begin(), cell.end());
        problem->begin.push_back(static_cast<long>(problem->particles.size()));
    }
    problem->forces.resize(problem->particles.size());
    problem->expected.resize(problem->particles.size());
    for (long cell = 0; cell < nbody_cells(problem); ++cell)
        problem->compute(problem->expected, cell);
    return problem;
}

void nbody_free(nbody* problem)
{
    delete problem;
}

long nbody_cells(const nbody*)
{
    return edge * edge * edge;
}

void nbody_cell(nbody* problem, long cell)
{
    problem->compute(problem->forces, cell);
}

void nbody_forget(nbody* problem)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::fill(problem->forces.begin(), problem->forces.end(), point{none, none, none});
}

long nbody_wrong(const nbody* problem)
{
    for (std::size_t i = 0; i < problem->forces.size(); ++i) {
        const point &a = problem->forces[i], &b = problem->expected[i];
        if (!(a.x == b.x && a.y == b.y && a.z == b.z))
            return static_cast<long>(i);
    }
    return -1;
}
