// GOMP_target*: target regions run on the host, as there is no device (host_region.hpp). Data
// constructs have nothing to move. With nowait both are tasks of the task that met them.
#include "abi/abi.hpp"
#include "depend.hpp"
#include "host_region.hpp"
#include "linking/messages.hpp"
#include "ompt/interface/attached.hpp"
#include "settings/settings.hpp"
#include "tasking/tasks.hpp"
#include "team/team.hpp"

#include <cstdint>

namespace artel::openmp {

namespace {

constexpr unsigned flag_nowait = 1;

// Arguments of a target construct, packed as gcc does: the name in bits 8-15, the value above bit
// 16, or in the next word if bit 7 is set.
constexpr std::uintptr_t argument_in_next_word = 1 << 7;
constexpr std::uintptr_t argument_name = 0xff00;
constexpr std::uintptr_t argument_thread_limit = 2 << 8;

void check_device(int device)
{
    // Allowed even under MANDATORY: the host, by if(false) or by its number, omp_get_num_devices()
    // = 0.
    constexpr int by_default = -1;
    constexpr int by_condition = -2;
    if (device == by_default) {
        device = this_member().current->icvs.default_device;
    }
    // relaxed: only a number.
    if (device_settings().offload.load(std::memory_order_relaxed) == offload_policy::mandatory &&
        device != by_condition && device != 0) {
        give_up("OMP_TARGET_OFFLOAD is set to MANDATORY, but device not found");
    }
}

// Runs a region, or a data construct, after the tasks that it depends on.
void run(const host_region& region, unsigned flags, void** depend, ompt::caller who)
{
    if ((flags & flag_nowait) != 0) {
        run_as_task(region, depend != nullptr ? dependences_of(depend) : depend_list(), who);
        return;
    }
    if (depend != nullptr) {
        task_wait_depend(this_member(), dependences_of(depend));
    }
    run_at_once(region);
}

// A data construct with these clauses.
void run_nothing(unsigned flags, void** depend, ompt::caller who)
{
    if (depend != nullptr) {
        run({}, flags, depend, who);
    }
}

unsigned thread_limit_from(void** arguments)
{
    unsigned limit = 0;
    for (; arguments != nullptr && *arguments != nullptr; ++arguments) {
        const auto word = reinterpret_cast<std::uintptr_t>(*arguments);
        std::uintptr_t value = word >> 16;
        if ((word & argument_in_next_word) != 0) {
            value = reinterpret_cast<std::uintptr_t>(*++arguments);
        }
        if ((word & argument_name) == argument_thread_limit) {
            limit = value > 0x7fffffff ? no_thread_limit : static_cast<unsigned>(value);
        }
    }
    return limit;
}

}  // namespace

ARTEL_GOMP void GOMP_target(int device, void (*function)(void*), const void* /*unused*/,
                            std::size_t /*count*/, void** addresses, std::size_t* /*sizes*/,
                            unsigned char* /*kinds*/)
{
    check_device(device);
    run_at_once({.function = function, .addresses = addresses});
}

ARTEL_GOMP void GOMP_target_ext(int device, void (*function)(void*), std::size_t count,
                                void** addresses, std::size_t* sizes, unsigned short* kinds,
                                unsigned flags, void** depend, void** arguments)
{
    check_device(device);
    run({function, count, addresses, sizes, kinds, thread_limit_from(arguments)}, flags, depend,
        ARTEL_OMPT_CALLER);
}

ARTEL_GOMP void GOMP_target_data(int device, const void*, std::size_t, void**, std::size_t*,
                                 unsigned char*)
{
    check_device(device);
}

ARTEL_GOMP void GOMP_target_data_ext(int device, std::size_t, void**, std::size_t*, unsigned short*)
{
    check_device(device);
}

ARTEL_GOMP void GOMP_target_end_data() {}

ARTEL_GOMP void GOMP_target_update(int device, const void*, std::size_t, void**, std::size_t*,
                                   unsigned char*)
{
    check_device(device);
}

ARTEL_GOMP void GOMP_target_update_ext(int device, std::size_t, void**, std::size_t*,
                                       unsigned short*, unsigned flags, void** depend)
{
    check_device(device);
    run_nothing(flags, depend, ARTEL_OMPT_CALLER);
}

ARTEL_GOMP void GOMP_target_enter_exit_data(int device, std::size_t, void**, std::size_t*,
                                            unsigned short*, unsigned flags, void** depend)
{
    check_device(device);
    run_nothing(flags, depend, ARTEL_OMPT_CALLER);
}

// teams inside of target: called before each team of the league; the teams run one after the other.
// Before gcc 12 there was only one team.
ARTEL_GOMP bool GOMP_teams4(unsigned lower, unsigned /*upper*/, unsigned thread_limit, bool first)
{
    icv_set& icvs = this_member().current->icvs;
    if (first) {
        if (thread_limit != 0) {
            icvs.thread_limit = thread_limit;
        }
        icvs.teams = lower != 0 ? lower : 1;
        icvs.team_number = 0;
        return true;
    }
    if (icvs.team_number + 1 >= icvs.teams) {
        return false;
    }
    ++icvs.team_number;
    return true;
}

ARTEL_GOMP void GOMP_teams(unsigned /*teams*/, unsigned thread_limit)
{
    if (thread_limit != 0) {
        this_member().current->icvs.thread_limit = thread_limit;
    }
}

}  // namespace artel::openmp
