// The functions of omp.h that query and set.
#include "interface.hpp"
#include "light.hpp"
#include "private.hpp"
#include "processors.hpp"
#include "team.hpp"

#include <algorithm>
#include <ctime>

using namespace cp;

namespace {

icvs& mine()
{
    return current()->now->settings;
}

// The ancestor of the caller, or the caller itself, at this level of regions; null if there is
// none.
const thread* at_level(int level)
{
    const thread* t = current();
    if (level < 0 || level > static_cast<int>(t->group->level)) {
        return nullptr;
    }
    while (static_cast<int>(t->group->level) > level) {
        t = t->group->outer;
    }
    return t;
}

}  // namespace

extern "C" {

void omp_set_num_threads(int n)
{
    mine().threads = static_cast<unsigned>(std::max(n, 1));
}
int omp_get_num_threads(void)
{
    return static_cast<int>(current()->group->n);
}
int omp_get_max_threads(void)
{
    const thread& me = *current();
    return static_cast<int>(threads_of_next_region(me.now->settings, me.group->level));
}
int omp_get_thread_num(void)
{
    return static_cast<int>(current()->number);
}
int omp_get_num_procs(void)
{
    return static_cast<int>(processors(settings().nodes).size());
}
int omp_in_parallel(void)
{
    return current()->group->active_level > 0;
}
void omp_set_dynamic(int on)
{
    mine().dynamic = on != 0;
}
int omp_get_dynamic(void)
{
    return mine().dynamic;
}
void omp_set_nested(int on)
{
    mine().max_levels = on != 0 ? 255 : 1;
}
int omp_get_nested(void)
{
    return mine().max_levels > 1;
}
void omp_set_schedule(omp_sched_t kind, int chunk)
{
    const int k = static_cast<int>(static_cast<unsigned>(kind) & ~monotonic_schedule);
    if ((k < 1 || k > 4) && k != trapezoidal) {
        return;
    }
    mine().schedule = static_cast<int>(static_cast<unsigned>(kind));
    mine().chunk = chunk > 0 ? static_cast<unsigned long long>(chunk) : (k != 1 ? 1 : 0);
}
void omp_get_schedule(omp_sched_t* kind, int* chunk)
{
    *kind = static_cast<omp_sched_t>(mine().schedule);
    *chunk = static_cast<int>(mine().chunk);
}
int omp_get_thread_limit(void)
{
    return static_cast<int>(mine().thread_limit);
}
void omp_set_max_active_levels(int n)
{
    if (n >= 0) {
        mine().max_levels = static_cast<unsigned>(std::min(n, 255));
    }
}
int omp_get_max_active_levels(void)
{
    return static_cast<int>(mine().max_levels);
}
int omp_get_supported_active_levels(void)
{
    return 255;
}
int omp_get_level(void)
{
    return static_cast<int>(current()->group->level);
}
int omp_get_ancestor_thread_num(int level)
{
    const thread* const t = at_level(level);
    return t == nullptr ? -1 : level == 0 ? 0 : static_cast<int>(t->number);
}
int omp_get_team_size(int level)
{
    const thread* const t = at_level(level);
    return t == nullptr ? -1 : static_cast<int>(t->group->n);
}
int omp_get_active_level(void)
{
    return static_cast<int>(current()->group->active_level);
}
int omp_in_final(void)
{
    return current()->now->in_final;
}
int omp_in_explicit_task(void)
{
    const thread& me = *current();
    return me.now != &me.implicit;
}
int omp_get_cancellation(void)
{
    return settings().cancellation;
}
int omp_get_max_task_priority(void)
{
    return settings().max_priority;
}
// Frees the threadprivate variables of the caller's members; their light threads have ended.
int omp_pause_resource(omp_pause_resource_t, int)
{
    const thread& me = *current();
    if (me.group->level != 0) {
        return -1;
    }
    if (me.privates_of_members != nullptr) {
        for (const private_table* const t : *me.privates_of_members) {
            delete t;
        }
        me.privates_of_members->clear();
    }
    return 0;
}
int omp_pause_resource_all(omp_pause_resource_t kind)
{
    return omp_pause_resource(kind, omp_get_initial_device());
}

int omp_get_num_teams(void)
{
    return static_cast<int>(current()->group->teams);
}
int omp_get_team_num(void)
{
    return static_cast<int>(current()->group->team_number);
}
void omp_set_num_teams(int n)
{
    settings().teams = static_cast<unsigned>(std::max(n, 1));
}
int omp_get_max_teams(void)
{
    return static_cast<int>(settings().teams);
}
void omp_set_teams_thread_limit(int n)
{
    settings().teams_thread_limit = static_cast<unsigned>(std::max(n, 1));
}
int omp_get_teams_thread_limit(void)
{
    return static_cast<int>(settings().teams_thread_limit);
}

// There are no devices; target constructs are refused by the translator.
void omp_set_default_device(int n)
{
    mine().device = std::max(n, 0);
}
int omp_get_default_device(void)
{
    return mine().device;
}
int omp_get_num_devices(void)
{
    return 0;
}
int omp_get_device_num(void)
{
    return 0;
}
int omp_is_initial_device(void)
{
    return 1;
}
int omp_get_initial_device(void)
{
    return 0;
}

double omp_get_wtime(void)
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
double omp_get_wtick(void)
{
    timespec tick;
    clock_getres(CLOCK_MONOTONIC, &tick);
    return static_cast<double>(tick.tv_sec) + static_cast<double>(tick.tv_nsec) * 1e-9;
}
void omp_display_env(int verbose)
{
    display_environment(verbose != 0);
}

}  // extern "C"
