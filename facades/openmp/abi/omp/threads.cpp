// omp_* functions about the caller's team, number and level, and time. Names with a trailing
// underscore are Fortran's, whose arguments are references; those with _8_ take 64-bit integers.
#include "abi/abi.hpp"
#include "blas/blas.hpp"
#include "team/team.hpp"

#include <cstdint>
#include <ctime>

namespace artel::openmp {

namespace {

// The enclosing team at `level`, and the number of the caller or its ancestor in it; nullptr when
// there is no such level.
const team* ancestor(int level, int& number) noexcept
{
    const member& m = this_member();
    const team* t = m.in;
    number = static_cast<int>(m.number);
    if (level < 0 || static_cast<unsigned>(level) > t->level) {
        return nullptr;
    }
    while (t->level > static_cast<unsigned>(level)) {
        number = static_cast<int>(t->parent_number);
        t = t->parent;
    }
    return t;
}

double seconds(const std::timespec& t) noexcept
{
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

ARTEL_GOMP int omp_get_thread_num()
{
    return static_cast<int>(this_member().number);
}

ARTEL_GOMP int omp_get_num_threads()
{
    return static_cast<int>(this_member().in->size);
}

// For references with a version; the others get in_parallel.cpp's.
extern "C" int artel_omp_in_parallel()
{
    return is_told_in_parallel(this_member(), __builtin_return_address(0));
}
ARTEL_GOMP_HIDDEN_VERSION(artel_omp_in_parallel, omp_in_parallel, OMP_1.0);

ARTEL_GOMP int omp_get_level()
{
    return static_cast<int>(this_member().in->level);
}

ARTEL_GOMP int omp_get_active_level()
{
    return static_cast<int>(this_member().in->active_level);
}

ARTEL_GOMP int omp_get_ancestor_thread_num(int level)
{
    int number = 0;
    return ancestor(level, number) != nullptr ? number : -1;
}

ARTEL_GOMP int omp_get_team_size(int level)
{
    int number = 0;
    const team* t = ancestor(level, number);
    return t != nullptr ? static_cast<int>(t->size) : -1;
}

ARTEL_GOMP int omp_in_final()
{
    return this_member().current->final;
}

ARTEL_GOMP int omp_get_num_teams()
{
    return static_cast<int>(this_member().current->icvs.teams);
}

ARTEL_GOMP int omp_get_team_num()
{
    return static_cast<int>(this_member().current->icvs.team_number);
}

ARTEL_GOMP double omp_get_wtime()
{
    std::timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return seconds(now);
}

ARTEL_GOMP double omp_get_wtick()
{
    std::timespec tick{};
    ::clock_getres(CLOCK_MONOTONIC, &tick);
    return seconds(tick);
}

#define ARTEL_FORTRAN(type, name) \
    ARTEL_GOMP type name##_()     \
    {                             \
        return name();            \
    }

ARTEL_FORTRAN(std::int32_t, omp_get_thread_num)
ARTEL_FORTRAN(std::int32_t, omp_get_num_threads)
ARTEL_FORTRAN(std::int32_t, omp_get_level)
ARTEL_FORTRAN(std::int32_t, omp_get_active_level)
ARTEL_FORTRAN(std::int32_t, omp_in_final)
ARTEL_FORTRAN(std::int32_t, omp_get_num_teams)
ARTEL_FORTRAN(std::int32_t, omp_get_team_num)
ARTEL_FORTRAN(double, omp_get_wtime)
ARTEL_FORTRAN(double, omp_get_wtick)

ARTEL_GOMP std::int32_t omp_in_parallel_()
{
    return artel_omp_in_parallel();
}

ARTEL_GOMP std::int32_t omp_get_ancestor_thread_num_(const std::int32_t* level)
{
    return omp_get_ancestor_thread_num(*level);
}

ARTEL_GOMP std::int32_t omp_get_ancestor_thread_num_8_(const std::int64_t* level)
{
    return *level < 0 || *level > INT32_MAX ? -1
                                            : omp_get_ancestor_thread_num(static_cast<int>(*level));
}

ARTEL_GOMP std::int32_t omp_get_team_size_(const std::int32_t* level)
{
    return omp_get_team_size(*level);
}

ARTEL_GOMP std::int32_t omp_get_team_size_8_(const std::int64_t* level)
{
    return *level < 0 || *level > INT32_MAX ? -1 : omp_get_team_size(static_cast<int>(*level));
}

}  // namespace artel::openmp
