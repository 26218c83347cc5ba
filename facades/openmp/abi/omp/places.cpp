// omp_* functions about places and binding; binding.hpp says what is enforced.
#include "abi/abi.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <cstdint>

namespace artel::openmp {

namespace {

const std::vector<unsigned>* place(std::int64_t number) noexcept
{
    const auto& places = globals().places;
    return number >= 0 && static_cast<std::size_t>(number) < places.size()
               ? &places[static_cast<std::size_t>(number)]
               : nullptr;
}

template <typename Integer>
void copy_ids(std::int64_t number, Integer* ids) noexcept
{
    if (const auto* cpus = place(number)) {
        std::copy(cpus->begin(), cpus->end(), ids);
    }
}

template <typename Integer>
void number_places(Integer* numbers) noexcept
{
    const place_position at = this_member().where;
    for (unsigned i = 0; i < at.count; ++i) {
        numbers[i] = static_cast<Integer>(at.first + i);
    }
}

}  // namespace

// The policy of the caller's next region.
ARTEL_GOMP int omp_get_proc_bind()
{
    return this_member().current->icvs.bind;
}

ARTEL_GOMP int omp_get_num_places()
{
    return static_cast<int>(globals().places.size());
}

ARTEL_GOMP int omp_get_place_num_procs(int number)
{
    const auto* cpus = place(number);
    return cpus != nullptr ? static_cast<int>(cpus->size()) : 0;
}

ARTEL_GOMP void omp_get_place_proc_ids(int number, int* ids)
{
    copy_ids(number, ids);
}

ARTEL_GOMP int omp_get_place_num()
{
    const place_position at = this_member().where;
    return at.count == 0 ? -1 : static_cast<int>(at.place);
}

ARTEL_GOMP int omp_get_partition_num_places()
{
    return static_cast<int>(this_member().where.count);
}

ARTEL_GOMP void omp_get_partition_place_nums(int* numbers)
{
    number_places(numbers);
}

ARTEL_GOMP std::int32_t omp_get_proc_bind_()
{
    return omp_get_proc_bind();
}

ARTEL_GOMP std::int32_t omp_get_num_places_()
{
    return omp_get_num_places();
}

ARTEL_GOMP std::int32_t omp_get_place_num_()
{
    return omp_get_place_num();
}

ARTEL_GOMP std::int32_t omp_get_partition_num_places_()
{
    return omp_get_partition_num_places();
}

ARTEL_GOMP std::int32_t omp_get_place_num_procs_(const std::int32_t* number)
{
    return omp_get_place_num_procs(*number);
}

ARTEL_GOMP std::int32_t omp_get_place_num_procs_8_(const std::int64_t* number)
{
    const auto* cpus = place(*number);
    return cpus != nullptr ? static_cast<std::int32_t>(cpus->size()) : 0;
}

ARTEL_GOMP void omp_get_place_proc_ids_(const std::int32_t* number, std::int32_t* ids)
{
    copy_ids(*number, ids);
}

ARTEL_GOMP void omp_get_place_proc_ids_8_(const std::int64_t* number, std::int64_t* ids)
{
    copy_ids(*number, ids);
}

ARTEL_GOMP void omp_get_partition_place_nums_(std::int32_t* numbers)
{
    number_places(numbers);
}

ARTEL_GOMP void omp_get_partition_place_nums_8_(std::int64_t* numbers)
{
    number_places(numbers);
}

}  // namespace artel::openmp
