// The dependence of a task on one address.
#pragma once

#include <cstdint>

namespace artel::openmp {

enum class depend_kind : std::uint8_t {
    in = 1,
    out = 2,
    inout = 3,
    mutexinoutset = 4,
    inoutset = 5
};

// One item of a depend clause. `everything`: omp_all_memory, as out or inout; the address does not
// count.
struct dependence {
    void* address = nullptr;
    depend_kind kind = depend_kind::inout;
    bool everything = false;
};

}  // namespace artel::openmp
