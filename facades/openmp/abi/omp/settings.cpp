// omp_* functions that get and set ICVs. Setters change the ICVs of the calling task (and of tasks
// and regions that it makes later), except those of device scope (settings.hpp). Fortran's forms
// are as in threads.cpp.
#include "settings/settings.hpp"
#include "abi/abi.hpp"
#include "blas/blas.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "regions/binding.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace artel::openmp {

namespace {

icv_set& my_icvs() noexcept
{
    return this_member().current->icvs;
}

constexpr unsigned monotonic_bit = 0x80000000;
constexpr unsigned trapezoidal_number = 101;

int narrow(std::int64_t value) noexcept
{
    return static_cast<int>(std::clamp<std::int64_t>(value, INT_MIN, INT_MAX));
}

}  // namespace

ARTEL_GOMP void omp_set_num_threads(int threads)
{
    icv_set& icvs = my_icvs();
    icvs.nthreads = static_cast<unsigned>(std::max(threads, 1));
    icvs.nthreads_by_default = false;
}

// The size of a region without a clause, by which many programs size their arrays.
ARTEL_GOMP int omp_get_max_threads()
{
    member& m = this_member();
    const icv_set& icvs = m.current->icvs;
    const unsigned threads = std::min(icvs.nthreads, static_cast<unsigned>(INT_MAX));
    return static_cast<int>(everybody_gets_the_truth(m)
                                ? threads
                                : max_threads_for(m, threads, __builtin_return_address(0)));
}

ARTEL_GOMP int omp_get_num_procs()
{
    return static_cast<int>(procs_of_caller());
}

ARTEL_GOMP void omp_set_dynamic(int on)
{
    my_icvs().dynamic = on != 0;
}

// For programs that ask; teams always have the requested size.
ARTEL_GOMP int omp_get_dynamic()
{
    return my_icvs().dynamic;
}

// On means to libgomp, as in the standard, all levels that are supported; libomp keeps a limit that
// lets regions nest.
ARTEL_GOMP void omp_set_nested(int on)
{
    unsigned& levels = my_icvs().max_active_levels;
    const bool libomp = programs_dialect().of_libomp;
    if (on == 0) {
        levels = libomp ? 1 : std::min(levels, 1u);
    } else if (!libomp || levels == 1) {
        levels = supported_active_levels;
    }
}

ARTEL_GOMP int omp_get_nested()
{
    const member& m = this_member();
    const unsigned levels = m.current->icvs.max_active_levels;
    return levels > 1 && levels > m.in->active_level;
}

ARTEL_GOMP void omp_set_max_active_levels(int levels)
{
    if (levels >= 0) {
        my_icvs().max_active_levels = std::min(static_cast<unsigned>(levels),
                                               supported_active_levels);
    }
}

ARTEL_GOMP int omp_get_max_active_levels()
{
    return static_cast<int>(my_icvs().max_active_levels);
}

ARTEL_GOMP int omp_get_supported_active_levels()
{
    return static_cast<int>(supported_active_levels);
}

ARTEL_GOMP int omp_get_thread_limit()
{
    return static_cast<int>(std::min<unsigned>(my_icvs().largest_team(), INT_MAX));
}

ARTEL_GOMP void omp_set_schedule(unsigned kind, int chunk)
{
    unsigned number = kind & ~monotonic_bit;
    const bool is_trapezoidal = number == trapezoidal_number && programs_dialect().knows_kmp;
    if (!is_trapezoidal && (number < 1 || number > 4)) {
        if (!programs_dialect().of_libomp) {
            return;
        }
        warn_as_libomp(37,
                       "Wrong schedule type {}, see <omp.h> or <omp_lib.h> file for the list of "
                       "values supported.",
                       number);
        hint_as_libomp("Will use default schedule type (static, no chunk).");
        number = static_cast<unsigned>(schedule_kind::static_);
        chunk = 0;
    }
    icv_set& icvs = my_icvs();
    icvs.run_schedule = is_trapezoidal ? schedule_kind::trapezoidal
                                       : static_cast<schedule_kind>(number);
    icvs.run_monotonic = (kind & monotonic_bit) != 0;
    if (icvs.run_schedule == schedule_kind::static_) {
        icvs.run_chunk = std::max(chunk, 0);
    } else if (icvs.run_schedule != schedule_kind::automatic) {
        icvs.run_chunk = std::max(chunk, 1);
    }
}

ARTEL_GOMP void omp_get_schedule(unsigned* kind, int* chunk)
{
    const icv_set& icvs = my_icvs();
    unsigned number = static_cast<unsigned>(icvs.run_schedule);
    int size = icvs.run_chunk;
    // Schedules that are not the standard's are reported as the nearest of its own; libomp's
    // headers have a number for its trapezoid.
    if (icvs.run_schedule == schedule_kind::trapezoidal) {
        number = programs_dialect().of_libomp ? trapezoidal_number
                                              : static_cast<unsigned>(schedule_kind::guided);
    } else if (icvs.run_schedule == schedule_kind::shared) {
        number = static_cast<unsigned>(schedule_kind::dynamic);
        size = std::max(size, 1);
    } else if (icvs.run_schedule == schedule_kind::automatic && programs_dialect().of_libomp) {
        size = 1;
    }
    *kind = number | (icvs.run_monotonic ? monotonic_bit : 0);
    *chunk = size;
}

ARTEL_GOMP int omp_get_cancellation()
{
    return globals().cancellation;
}

ARTEL_GOMP int omp_get_max_task_priority()
{
    return globals().max_task_priority;
}

ARTEL_GOMP void omp_set_num_teams(int teams)
{
    if (teams >= 0) {
        // relaxed, here and in the next three: only numbers, read when a league starts.
        device_settings().num_teams.store(static_cast<unsigned>(teams), std::memory_order_relaxed);
    }
}

ARTEL_GOMP int omp_get_max_teams()
{
    // relaxed: above.
    return static_cast<int>(device_settings().num_teams.load(std::memory_order_relaxed));
}

ARTEL_GOMP void omp_set_teams_thread_limit(int threads)
{
    if (threads >= 0) {
        // relaxed: above.
        device_settings().teams_thread_limit.store(static_cast<unsigned>(threads),
                                                   std::memory_order_relaxed);
    }
}

ARTEL_GOMP int omp_get_teams_thread_limit()
{
    // relaxed: above.
    return static_cast<int>(device_settings().teams_thread_limit.load(std::memory_order_relaxed));
}

ARTEL_GOMP void omp_display_env(int verbose)
{
    display_environment(verbose != 0);
}

#define ARTEL_FORTRAN_GET(name)       \
    ARTEL_GOMP std::int32_t name##_() \
    {                                 \
        return name();                \
    }
#define ARTEL_FORTRAN_SET(name)                          \
    ARTEL_GOMP void name##_(const std::int32_t* value)   \
    {                                                    \
        name(*value);                                    \
    }                                                    \
    ARTEL_GOMP void name##_8_(const std::int64_t* value) \
    {                                                    \
        name(narrow(*value));                            \
    }

ARTEL_FORTRAN_GET(omp_get_max_threads)
ARTEL_FORTRAN_GET(omp_get_num_procs)
ARTEL_FORTRAN_GET(omp_get_dynamic)
ARTEL_FORTRAN_GET(omp_get_nested)
ARTEL_FORTRAN_GET(omp_get_max_active_levels)
ARTEL_FORTRAN_GET(omp_get_supported_active_levels)
ARTEL_FORTRAN_GET(omp_get_thread_limit)
ARTEL_FORTRAN_GET(omp_get_cancellation)
ARTEL_FORTRAN_GET(omp_get_max_task_priority)
ARTEL_FORTRAN_GET(omp_get_max_teams)
ARTEL_FORTRAN_GET(omp_get_teams_thread_limit)
ARTEL_FORTRAN_SET(omp_set_num_threads)
ARTEL_FORTRAN_SET(omp_set_dynamic)
ARTEL_FORTRAN_SET(omp_set_nested)
ARTEL_FORTRAN_SET(omp_set_max_active_levels)
ARTEL_FORTRAN_SET(omp_set_num_teams)
ARTEL_FORTRAN_SET(omp_set_teams_thread_limit)
ARTEL_FORTRAN_SET(omp_display_env)

ARTEL_GOMP void omp_set_schedule_(const std::int32_t* kind, const std::int32_t* chunk)
{
    omp_set_schedule(static_cast<unsigned>(*kind), *chunk);
}

ARTEL_GOMP void omp_set_schedule_8_(const std::int32_t* kind, const std::int64_t* chunk)
{
    omp_set_schedule(static_cast<unsigned>(*kind), narrow(*chunk));
}

ARTEL_GOMP void omp_get_schedule_(std::int32_t* kind, std::int32_t* chunk)
{
    unsigned word = 0;
    omp_get_schedule(&word, chunk);
    *kind = static_cast<std::int32_t>(word);
}

ARTEL_GOMP void omp_get_schedule_8_(std::int32_t* kind, std::int64_t* chunk)
{
    std::int32_t narrow_chunk = 0;
    omp_get_schedule_(kind, &narrow_chunk);
    *chunk = narrow_chunk;
}

}  // namespace artel::openmp
