// The inquiry functions about places, processors and devices (inquiry.cpp): OpenMP 5.1, 4.6.1.8 and
// following. Any thread.
#pragma once

#include "ompt/interface/attached.hpp"
#include "team/team.hpp"

#include <cstdint>

namespace artel::openmp::ompt {

// The calling member; nullptr for a thread that is not OpenMP's.
inline member* asking() noexcept
{
    return attached() ? static_cast<member*>(fiber::this_tls().local) : nullptr;
}

int get_num_procs() noexcept;
int get_num_places() noexcept;
int get_place_proc_ids(int number, int room, int* ids) noexcept;
int get_place_num() noexcept;
int get_partition_place_nums(int room, int* numbers) noexcept;
int get_proc_id() noexcept;
int get_target_info(std::uint64_t*, std::uint64_t*, std::uint64_t*) noexcept;
int get_num_devices() noexcept;

}  // namespace artel::openmp::ompt
