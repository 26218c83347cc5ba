// The kmp_ functions that programs call, and the omp_ functions that gcc's runtime does not have.
// Fortran's forms, with a trailing underscore, take references; those that begin with kmpc_ or
// ompc_ are always C's, and forward by the table of exports. Settings of libomp's own machinery
// (such as its loop buffers) have no effect.
#include "kmp.hpp"
#include "linking/messages.hpp"
#include "ompt/entries/work.hpp"
#include "regions/member_personas.hpp"
#include "settings/settings.hpp"
#include "tasking/cancel.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <dlfcn.h>
#include <string>

namespace artel::openmp {

extern "C" {
int omp_pause_resource_all(int);
std::size_t omp_capture_affinity(char*, std::size_t, const char*);
}

namespace kmp {
namespace {

// Only numbers: all accesses are relaxed.
std::atomic<int> blocktime{-1};  // milliseconds; negative: not set by the program
// 1 serial, 2 turnaround, 3 throughput: libomp's numbers; 0: not set by the program.
std::atomic<int> library{0};

std::size_t stack_in_force() noexcept
{
    const std::size_t set = member_stack();
    return set != 0 ? set : globals().default_stack;
}

}  // namespace

ARTEL_KMP void kmp_set_blocktime(int milliseconds)
{
    const int time = std::max(milliseconds, 0);
    blocktime.store(time, std::memory_order_relaxed);  // relaxed: see above
    set_member_spin(time == INT_MAX ? UINT64_MAX : static_cast<std::uint64_t>(time) * 1000);
}

ARTEL_KMP int kmp_get_blocktime()
{
    const int set = blocktime.load(std::memory_order_relaxed);  // relaxed: see above
    if (set >= 0) {
        return set;
    }
    constexpr int libomps_default = 200;
    if (const auto us = globals().kmp.blocktime) {
        return static_cast<int>(std::min<std::uint64_t>(*us / 1000, INT_MAX));
    }
    return globals().wait_active ? INT_MAX : globals().wait_passive ? 0 : libomps_default;
}

// libomp writes these lines to standard output.
extern "C" void artel_kmp_display_affinity(const char* format)
{
    std::string text(omp_capture_affinity(nullptr, 0, format) + 1, '\0');
    omp_capture_affinity(text.data(), text.size(), format);
    std::puts(text.c_str());
}

ARTEL_KMP void kmp_set_library(int which)
{
    if (which < 1 || which > 3) {
        return;
    }
    library.store(which, std::memory_order_relaxed);  // relaxed: see above
    // The serial library runs every region with a team of one.
    unsigned& levels = this_member().current->icvs.max_active_levels;
    levels = which == 1 ? 0 : levels == 0 ? supported_active_levels : levels;
}

ARTEL_KMP int kmp_get_library()
{
    const int set = library.load(std::memory_order_relaxed);  // relaxed: see above
    constexpr int numbers[] = {0, 1, 3, 2};                   // of kmp_settings::library
    return set != 0 ? set : numbers[globals().wait_active ? 3 : globals().kmp.library];
}

ARTEL_KMP void kmp_set_library_serial()
{
    kmp_set_library(1);
}

ARTEL_KMP void kmp_set_library_throughput()
{
    kmp_set_library(3);
}

ARTEL_KMP void kmp_set_library_turnaround()
{
    kmp_set_library(2);
}

// To be called before the first region, as under libomp: members that there are keep their stacks.
ARTEL_KMP void kmp_set_stacksize_s(std::size_t bytes)
{
    constexpr std::size_t least = 16 << 10;  // as for OMP_STACKSIZE
    set_member_stack(std::max(bytes, least));
}

ARTEL_KMP void kmp_set_stacksize(int bytes)
{
    kmp_set_stacksize_s(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
}

ARTEL_KMP std::size_t kmp_get_stacksize_s()
{
    return stack_in_force();
}

ARTEL_KMP int kmp_get_stacksize()
{
    return static_cast<int>(std::min<std::size_t>(stack_in_force(), INT_MAX));
}

ARTEL_KMP void kmp_set_disp_num_buffers(int) {}

ARTEL_KMP void kmp_set_warnings_on()
{
    set_libomp_warns(true);
}

ARTEL_KMP void kmp_set_warnings_off()
{
    set_libomp_warns(false);
}

ARTEL_KMP int kmp_get_num_known_threads()
{
    return known_threads();
}

// Whether the construct was cancelled: 1 region, 2 loop, 3 sections, 4 taskgroup.
ARTEL_KMP int kmp_get_cancellation_status(int kind)
{
    constexpr cancel_kind kinds[] = {cancel_kind::region, cancel_kind::loop, cancel_kind::sections,
                                     cancel_kind::taskgroup};
    return kind >= 1 && kind <= 4 && cancelled(this_member(), kinds[kind - 1]);
}

ARTEL_KMP void kmp_set_blocktime_(const int* milliseconds)
{
    kmp_set_blocktime(*milliseconds);
}

ARTEL_KMP void kmp_set_library_(const int* which)
{
    kmp_set_library(*which);
}

ARTEL_KMP void kmp_set_stacksize_(const int* bytes)
{
    kmp_set_stacksize(*bytes);
}

ARTEL_KMP void kmp_set_stacksize_s_(const std::size_t* bytes)
{
    kmp_set_stacksize_s(*bytes);
}

ARTEL_KMP void kmp_set_disp_num_buffers_(const int*) {}

ARTEL_KMP int kmp_get_cancellation_status_(const int* kind)
{
    return kmp_get_cancellation_status(*kind);
}

ARTEL_KMP int omp_in_explicit_task()
{
    return !this_member().current->is_implicit;
}

ARTEL_KMP int __kmpc_get_target_offload()
{
    // relaxed: only a value.
    return static_cast<int>(device_settings().offload.load(std::memory_order_relaxed));
}

ARTEL_KMP int __kmpc_pause_resource(int level)
{
    return omp_pause_resource_all(level);
}

// -2: there is no tool.
ARTEL_KMP int omp_control_tool(int command, int modifier, void* argument)
{
    ARTEL_OMPT_EITHER(tell_control(who, static_cast<std::uint64_t>(command),
                                   static_cast<std::uint64_t>(modifier), argument),
                      -2);
}

ARTEL_KMP int omp_control_tool_(const int* command, const int* modifier, void* argument)
{
    ARTEL_OMPT_EITHER(tell_control(who, static_cast<std::uint64_t>(*command),
                                   static_cast<std::uint64_t>(*modifier), argument),
                      -2);
}

// A tool's own definition is found before ours, which says that there is none.
ARTEL_KMP [[gnu::weak]] void* ompt_start_tool(unsigned, const char*)
{
    return nullptr;
}

// The offloading library asks for the tool's callbacks, of which there are none.
ARTEL_KMP void ompt_libomp_connect(void*) {}

// Objects of the interop construct belong to the offloading library; without it there are none,
// with no properties.
#define ARTEL_KMP_INTEROP(type, name, parameters, arguments)                     \
    ARTEL_KMP type name parameters                                               \
    {                                                                            \
        using result = type;                                                     \
        using function = result(*) parameters;                                   \
        const auto next = reinterpret_cast<function>(::dlsym(RTLD_NEXT, #name)); \
        return next != nullptr ? next arguments : result{};                      \
    }                                                                            \
    ARTEL_KMP type name##_ parameters                                            \
    {                                                                            \
        return name arguments;                                                   \
    }

ARTEL_KMP_INTEROP(int, omp_get_num_interop_properties, (const void* object), (object))
ARTEL_KMP_INTEROP(std::intptr_t, omp_get_interop_int,
                  (const void* object, int property, int* error), (object, property, error))
ARTEL_KMP_INTEROP(void*, omp_get_interop_ptr, (const void* object, int property, int* error),
                  (object, property, error))
ARTEL_KMP_INTEROP(const char*, omp_get_interop_str, (const void* object, int property, int* error),
                  (object, property, error))
ARTEL_KMP_INTEROP(const char*, omp_get_interop_name, (const void* object, int property),
                  (object, property))
ARTEL_KMP_INTEROP(const char*, omp_get_interop_type_desc, (const void* object, int property),
                  (object, property))
ARTEL_KMP_INTEROP(const char*, omp_get_interop_rc_desc, (const void* object, int property),
                  (object, property))

}  // namespace kmp
}  // namespace artel::openmp
