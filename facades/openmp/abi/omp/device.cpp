// omp_* functions about devices. There is only the host: its number is 0 = omp_get_num_devices(),
// as the standard numbers the initial device.
#include "abi/abi.hpp"
#include "foreign/persona_pool.hpp"
#include "linking/dialect.hpp"
#include "regions/parallel.hpp"
#include "team/team.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace artel::openmp {

namespace {

constexpr int host = 0;

// As in libgomp 12, -1 and 0 are the host; other negative numbers are no device.
bool is_host(int device) noexcept
{
    return device == host || device == -1;
}

// Copies a box of `volume` elements at the offsets in both arrays; the arrays' dimensions are
// innermost last.
int copy_box(char* to, const char* from, std::size_t element, unsigned dimensions,
             const std::size_t* volume, const std::size_t* to_offset,
             const std::size_t* from_offset, const std::size_t* to_size,
             const std::size_t* from_size) noexcept
{
    if (dimensions == 1) {
        std::memcpy(to + to_offset[0] * element, from + from_offset[0] * element,
                    volume[0] * element);
        return 0;
    }
    std::size_t to_slice = element;
    std::size_t from_slice = element;
    for (unsigned i = 1; i < dimensions; ++i) {
        if (__builtin_mul_overflow(to_slice, to_size[i], &to_slice) ||
            __builtin_mul_overflow(from_slice, from_size[i], &from_slice)) {
            return EINVAL;
        }
    }
    for (std::size_t i = 0; i < volume[0]; ++i) {
        if (const int error = copy_box(to + (to_offset[0] + i) * to_slice,
                                       from + (from_offset[0] + i) * from_slice, element,
                                       dimensions - 1, volume + 1, to_offset + 1, from_offset + 1,
                                       to_size + 1, from_size + 1)) {
            return error;
        }
    }
    return 0;
}

}  // namespace

ARTEL_GOMP void omp_set_default_device(int device)
{
    this_member().current->icvs.default_device = device >= 0 ? device : 0;
}

ARTEL_GOMP int omp_get_default_device()
{
    return this_member().current->icvs.default_device;
}

ARTEL_GOMP int omp_get_num_devices()
{
    return 0;
}

ARTEL_GOMP int omp_get_device_num()
{
    return host;
}

ARTEL_GOMP int omp_get_initial_device()
{
    return host;
}

ARTEL_GOMP int omp_is_initial_device()
{
    return 1;
}

// The threads of members end, and with them their threadprivate variables. libgomp asks for no
// kind; libomp knows soft (1) and hard (2), and in a soft pause, which it grants in regions, too,
// threads of a team stay with what is theirs. Outside of regions those of programs that cpt has
// translated end: cpt's other runtimes give up these variables, too. The crew's workers stay: they
// belong to the whole process, and hold no data of the program.
ARTEL_GOMP int omp_pause_resource(int kind, int device)
{
    constexpr int soft = 1;
    constexpr int hard = 2;
    const dialect& program = programs_dialect();
    const int failed = program.of_libomp ? 1 : -1;
    if (!is_host(device) || (program.of_libomp && kind != soft && kind != hard)) {
        return failed;
    }
    if (program.of_libomp && kind == soft) {
        if (!program.of_cpt || !end_threads()) {
            foreign::end_idle_personas();
        }
        return 0;
    }
    return end_threads() ? 0 : failed;
}

ARTEL_GOMP int omp_pause_resource_all(int kind)
{
    return omp_pause_resource(kind, host);
}

ARTEL_GOMP void* omp_target_alloc(std::size_t bytes, int device)
{
    return is_host(device) ? std::malloc(bytes) : nullptr;
}

ARTEL_GOMP void omp_target_free(void* memory, int device)
{
    if (is_host(device)) {
        std::free(memory);
    }
}

ARTEL_GOMP int omp_target_is_present(const void* /*memory*/, int device)
{
    return is_host(device);
}

ARTEL_GOMP int omp_target_memcpy(void* to, const void* from, std::size_t bytes,
                                 std::size_t to_offset, std::size_t from_offset, int to_device,
                                 int from_device)
{
    if (!is_host(to_device) || !is_host(from_device)) {
        return EINVAL;
    }
    std::memcpy(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset,
                bytes);
    return 0;
}

ARTEL_GOMP int omp_target_memcpy_rect(void* to, const void* from, std::size_t element,
                                      int dimensions, const std::size_t* volume,
                                      const std::size_t* to_offset, const std::size_t* from_offset,
                                      const std::size_t* to_size, const std::size_t* from_size,
                                      int to_device, int from_device)
{
    if (to == nullptr && from == nullptr) {
        return INT32_MAX;  // the greatest number of dimensions
    }
    if (!is_host(to_device) || !is_host(from_device) || element == 0 || dimensions < 1) {
        return EINVAL;
    }
    return copy_box(static_cast<char*>(to), static_cast<const char*>(from), element,
                    static_cast<unsigned>(dimensions), volume, to_offset, from_offset, to_size,
                    from_size);
}

// Host memory cannot be associated with memory of the host.
ARTEL_GOMP int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int)
{
    return EINVAL;
}

ARTEL_GOMP int omp_target_disassociate_ptr(const void*, int)
{
    return EINVAL;
}

ARTEL_GOMP void omp_set_default_device_(const std::int32_t* device)
{
    omp_set_default_device(*device);
}

ARTEL_GOMP void omp_set_default_device_8_(const std::int64_t* device)
{
    omp_set_default_device(*device > INT32_MAX ? INT32_MAX : static_cast<int>(*device));
}

ARTEL_GOMP std::int32_t omp_pause_resource_(const std::int32_t* kind, const std::int32_t* device)
{
    return omp_pause_resource(*kind, *device);
}

ARTEL_GOMP std::int32_t omp_pause_resource_all_(const std::int32_t* kind)
{
    return omp_pause_resource_all(*kind);
}

#define ARTEL_FORTRAN_GET(name)       \
    ARTEL_GOMP std::int32_t name##_() \
    {                                 \
        return name();                \
    }

ARTEL_FORTRAN_GET(omp_get_default_device)
ARTEL_FORTRAN_GET(omp_get_num_devices)
ARTEL_FORTRAN_GET(omp_get_device_num)
ARTEL_FORTRAN_GET(omp_get_initial_device)
ARTEL_FORTRAN_GET(omp_is_initial_device)

}  // namespace artel::openmp
