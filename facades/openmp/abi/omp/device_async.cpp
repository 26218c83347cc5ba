// Functions for devices of gcc 13 to 16: copies that depend on tasks, filling memory, its
// accessibility, and devices' names.
#include "abi/abi.hpp"
#include "tasking/task_depend.hpp"
#include "tasking/tasks.hpp"
#include "team/team.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace artel::openmp {

extern "C" {
int omp_target_is_present(const void*, int);
int omp_target_memcpy(void*, const void*, std::size_t, std::size_t, std::size_t, int, int);
int omp_target_memcpy_rect(void*, const void*, std::size_t, int, const std::size_t*,
                           const std::size_t*, const std::size_t*, const std::size_t*,
                           const std::size_t*, int, int);
}

namespace {

// omp_depend_t, as gcc lays it out.
struct depend_object {
    void* address;
    std::uintptr_t kind;  // depend_kind
};

// The copies are tasks that may be executed at once, after those that they depend on.
void wait_for(int count, const depend_object* objects)
{
    depend_list list;
    for (const bool readers : {false, true}) {
        for (int i = 0; i < count; ++i) {
            const auto kind = static_cast<depend_kind>(objects[i].kind);
            const bool reads = kind == depend_kind::in || kind == depend_kind::inoutset;
            if (reads == readers) {
                list.add({objects[i].address, reads ? kind : depend_kind::inout});
            }
        }
    }
    if (count > 0) {
        task_wait_depend(this_member(), list);
    }
}

}  // namespace

ARTEL_GOMP int omp_target_memcpy_async(void* to, const void* from, std::size_t bytes,
                                       std::size_t to_offset, std::size_t from_offset,
                                       int to_device, int from_device, int count,
                                       const depend_object* objects)
{
    wait_for(count, objects);
    return omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}

ARTEL_GOMP int omp_target_memcpy_rect_async(
    void* to, const void* from, std::size_t element, int dimensions, const std::size_t* volume,
    const std::size_t* to_offset, const std::size_t* from_offset, const std::size_t* to_size,
    const std::size_t* from_size, int to_device, int from_device, int count,
    const depend_object* objects)
{
    wait_for(count, objects);
    return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offset, from_offset,
                                  to_size, from_size, to_device, from_device);
}

// The host reaches all memory; there is no other device.
ARTEL_GOMP int omp_target_is_accessible(const void* memory, std::size_t /*bytes*/, int device)
{
    return memory != nullptr && omp_target_is_present(memory, device) != 0;
}

ARTEL_GOMP void* omp_get_mapped_ptr(const void* memory, int device)
{
    return omp_target_is_present(memory, device) != 0 ? const_cast<void*>(memory) : nullptr;
}

// Returns `memory`; nullptr, with nothing done, for a device that does not exist.
ARTEL_GOMP void* omp_target_memset(void* memory, int value, std::size_t bytes, int device)
{
    return omp_target_is_present(memory, device) != 0 ? std::memset(memory, value, bytes) : nullptr;
}

ARTEL_GOMP void* omp_target_memset_async(void* memory, int value, std::size_t bytes, int device,
                                         int count, const depend_object* objects)
{
    wait_for(count, objects);
    return omp_target_memset(memory, value, bytes, device);
}

namespace {

// The host's name; there is no other device.
constexpr const char* host_name = "OMP_INITIAL_DEVICE";
constexpr int invalid_device = -4;  // gcc's omp_invalid_device

int device_of(std::string_view name) noexcept
{
    return name == host_name ? 0 : invalid_device;
}

}  // namespace

ARTEL_GOMP const char* omp_get_uid_from_device(int device)
{
    return omp_target_is_present(nullptr, device) != 0 ? host_name : nullptr;
}

ARTEL_GOMP int omp_get_device_from_uid(const char* name)
{
    return name != nullptr ? device_of(name) : invalid_device;
}

// A Fortran string has a length, no terminator, and trailing blanks.
ARTEL_GOMP std::int32_t omp_get_device_from_uid_(const char* name, std::size_t length)
{
    std::string_view given(name, length);
    given = given.substr(0, given.find_last_not_of(' ') + 1);
    return device_of(given);
}

}  // namespace artel::openmp
