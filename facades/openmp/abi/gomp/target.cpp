// GOMP_target*: target regions run on the host, as there is no device. A region's function runs at
// once in a context of its own: an initial task with the environment's ICVs, level 0 and a team of
// one. Data constructs have nothing to move.
#include "abi/abi.hpp"
#include "depend.hpp"
#include "fiber/fiber.hpp"
#include "linking/messages.hpp"
#include "ompt/interface/attached.hpp"
#include "regions/binding.hpp"
#include "settings/settings.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/tasks.hpp"
#include "team/team.hpp"
#include "team/worksharing_state.hpp"
#include "worksharing/construct.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace artel::openmp {

namespace {

// The kind of a mapping is in the low byte; above it the logarithm of the alignment.
constexpr unsigned map_firstprivate = 12;

// Arguments of a target construct, packed as gcc does: the name in bits 8-15, the value above bit
// 16, or in the next word if bit 7 is set.
constexpr std::uintptr_t argument_in_next_word = 1 << 7;
constexpr std::uintptr_t argument_name = 0xff00;
constexpr std::uintptr_t argument_thread_limit = 2 << 8;

// Copies of the firstprivate variables, which replace their addresses.
class private_copies {
public:
    private_copies(std::size_t count, void** addresses, const std::size_t* sizes,
                   const unsigned short* kinds)
    {
        std::size_t bytes = 0;
        std::size_t alignment = 1;
        const auto each = [&](auto&& f) {
            bytes = 0;
            for (std::size_t i = 0; i < count; ++i) {
                // Absent optional arguments have no address.
                if ((kinds[i] & 0xff) == map_firstprivate && addresses[i] != nullptr) {
                    const std::size_t align = std::size_t{1} << (kinds[i] >> 8);
                    alignment = std::max(alignment, align);
                    bytes = (bytes + align - 1) / align * align;
                    f(i);
                    bytes += sizes[i];
                }
            }
        };
        each([](std::size_t) {});
        if (bytes == 0) {
            return;
        }
        memory_.reset(static_cast<char*>(
            std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)));
        if (memory_ == nullptr) {
            give_up("Out of memory allocating {} bytes", bytes);
        }
        each([&](std::size_t i) {
            std::memcpy(memory_.get() + bytes, addresses[i], sizes[i]);
            addresses[i] = memory_.get() + bytes;
        });
    }

private:
    struct free_it {
        void operator()(char* memory) const noexcept { std::free(memory); }
    };
    std::unique_ptr<char, free_it> memory_;
};

// The context of a region on the host.
struct host_context {
    team alone;
    member initial;
};

void run_on_host(void (*function)(void*), void* data, unsigned thread_limit)
{
    member& outside = this_member();
    auto context = std::make_unique<host_context>();
    team& alone = context->alone;
    member& initial = context->initial;
    alone.members = &initial;
    alone.parent = outside.in;  // not nullptr, so that it is not taken for an OS thread's own
    alone.parent_number = outside.number;
    alone.crew_generation = fork_generation();
    alone.barrier.configure(1, 1);
    initial.in = &alone;
    initial.outer = &outside;
    initial.current = &initial.implicit;
    initial.implicit.icvs = globals().initial;
    if (ompt::attached()) [[unlikely]] {
        // To a tool the region is a part of the task that encountered it.
        initial.implicit.tool = outside.current->tool;
        alone.tool = outside.in->tool;
    }
    initial.where = initial_position();
    initial.where.place = outside.where.place;
    if (thread_limit != 0) {
        initial.implicit.icvs.thread_limit = thread_limit;
    }
    begin_region(alone);
    enter_region(initial);
    fiber::this_tls().local = &initial;
    function(data);
    complete_own_tasks(initial);
    await_outsiders(alone);
    fiber::this_tls().local = &outside;
}

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

void await(void** depend)
{
    if (depend != nullptr) {
        task_wait_depend(this_member(), dependences_of(depend));
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
    run_on_host(function, addresses, 0);
}

// nowait regions are executed at once, which is allowed; tasks that depend on one find it complete.
ARTEL_GOMP void GOMP_target_ext(int device, void (*function)(void*), std::size_t count,
                                void** addresses, std::size_t* sizes, unsigned short* kinds,
                                unsigned /*flags*/, void** depend, void** arguments)
{
    check_device(device);
    await(depend);
    const private_copies copies(count, addresses, sizes, kinds);
    run_on_host(function, addresses, thread_limit_from(arguments));
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
                                       unsigned short*, unsigned, void** depend)
{
    check_device(device);
    await(depend);
}

ARTEL_GOMP void GOMP_target_enter_exit_data(int device, std::size_t, void**, std::size_t*,
                                            unsigned short*, unsigned, void** depend)
{
    check_device(device);
    await(depend);
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
