// A question about the caller's own place finds no answer on a thread that the tool does not know
// (asking); the machine's places are answered to anybody. There are no devices.
#include "places_inquiry.hpp"

#include <algorithm>
#include <sched.h>

namespace artel::openmp {

extern "C" {
int omp_get_num_procs();
}

namespace ompt {

int get_num_procs() noexcept
{
    return omp_get_num_procs();
}

int get_num_places() noexcept
{
    return static_cast<int>(globals().places.size());
}

int get_place_proc_ids(int number, int room, int* ids) noexcept
{
    const auto& places = globals().places;
    if (number < 0 || static_cast<std::size_t>(number) >= places.size()) {
        return 0;
    }
    const auto& cpus = places[static_cast<std::size_t>(number)];
    const auto count = std::min<std::size_t>(cpus.size(),
                                             room > 0 ? static_cast<std::size_t>(room) : 0);
    std::copy_n(cpus.begin(), count, ids);
    return static_cast<int>(cpus.size());
}

int get_place_num() noexcept
{
    const member* const m = asking();
    return m == nullptr || m->where.count == 0 ? -1 : static_cast<int>(m->where.place);
}

int get_partition_place_nums(int room, int* numbers) noexcept
{
    const member* const m = asking();
    if (m == nullptr) {
        return 0;
    }
    for (int i = 0; i < room && static_cast<unsigned>(i) < m->where.count; ++i) {
        numbers[i] = static_cast<int>(m->where.first) + i;
    }
    return static_cast<int>(m->where.count);
}

int get_proc_id() noexcept
{
    return asking() != nullptr ? ::sched_getcpu() : -1;
}

int get_target_info(std::uint64_t*, std::uint64_t*, std::uint64_t*) noexcept
{
    return 0;
}

int get_num_devices() noexcept
{
    return 0;
}

}  // namespace ompt
}  // namespace artel::openmp
