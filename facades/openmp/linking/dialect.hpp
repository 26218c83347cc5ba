// Which runtime the program was made for, where the two say things differently: libgomp writes
// lines about affinity to standard error, libomp to standard output, in another format and at other
// occasions.
#pragma once

#include <string_view>

namespace artel::openmp {

struct dialect {
    bool of_libomp;
    // libomp or Intel's runtime is there, alone or not: KMP_ settings count.
    bool knows_kmp;
    std::string_view affinity_format;  // what affinity-format-var is before anybody sets it
};

// libomp's where somebody asks for its library, or Intel's, and nobody for libgomp: a program of
// both is told in libgomp's words. What cpt has translated goes by libomp's. Decided at the first
// call. Any thread.
const dialect& programs_dialect() noexcept;

}  // namespace artel::openmp
