// ABT_timer_* and ABT_get_wtime, which may be called without ABT_init.
#include "runtime.hpp"
#include "sched/alarm.hpp"

namespace artel::argobots {

struct timer {
    double start = 0;
    double stop = 0;
};

namespace {

double seconds() noexcept
{
    return static_cast<double>(sched::now()) * 1e-9;
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

double ABT_get_wtime(void)
{
    return seconds();
}
int ABT_timer_create(ABT_timer* made)
{
    auto* const t = make<timer>();
    if (t == nullptr) {
        return ABT_ERR_MEM;
    }
    *made = reinterpret_cast<ABT_timer>(t);
    return ABT_SUCCESS;
}
int ABT_timer_dup(ABT_timer handle, ABT_timer* made)
{
    const auto* const t = object<timer>(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_TIMER;
    }
    const int error = ABT_timer_create(made);
    if (error == ABT_SUCCESS) {
        *object<timer>(*made) = *t;
    }
    return error;
}
int ABT_timer_free(ABT_timer* handle)
{
    auto* const t = object<timer>(*handle);
    if (t == nullptr) {
        return ABT_ERR_INV_TIMER;
    }
    drop(t);
    *handle = ABT_TIMER_NULL;
    return ABT_SUCCESS;
}
int ABT_timer_start(ABT_timer handle)
{
    auto* const t = object<timer>(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_TIMER;
    }
    t->start = seconds();
    return ABT_SUCCESS;
}
int ABT_timer_stop(ABT_timer handle)
{
    auto* const t = object<timer>(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_TIMER;
    }
    t->stop = seconds();
    return ABT_SUCCESS;
}
int ABT_timer_read(ABT_timer handle, double* read)
{
    const auto* const t = object<timer>(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_TIMER;
    }
    *read = t->stop - t->start;
    return ABT_SUCCESS;
}
int ABT_timer_stop_and_read(ABT_timer handle, double* read)
{
    const int error = ABT_timer_stop(handle);
    return error == ABT_SUCCESS ? ABT_timer_read(handle, read) : error;
}
int ABT_timer_stop_and_add(ABT_timer handle, double* sum)
{
    double read = 0;
    const int error = ABT_timer_stop_and_read(handle, &read);
    if (error == ABT_SUCCESS) {
        *sum += read;
    }
    return error;
}
int ABT_timer_get_overhead(double* overhead)
{
    constexpr int times = 1000;
    timer t;
    const auto handle = reinterpret_cast<ABT_timer>(&t);
    double sum = 0;
    for (int i = 0; i < times; ++i) {
        ABT_timer_start(handle);
        ABT_timer_stop_and_add(handle, &sum);
    }
    *overhead = sum / times;
    return ABT_SUCCESS;
}
}
