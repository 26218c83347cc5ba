// The runtime that the program was made for, where the two differ in what they print: libgomp
// writes lines about affinity to standard error, libomp to standard output, in another format and
// on other occasions.
#pragma once

#include <string_view>

namespace artel::openmp {

struct dialect {
    bool of_libomp;
    // libomp or Intel's runtime is asked for, alone or not: KMP_ settings count.
    bool knows_kmp;
    // The program was translated by cpt, whose runtimes all give up threadprivate variables in a
    // pause.
    bool of_cpt;
    std::string_view affinity_format;  // the default of affinity-format-var
};

// libomp's when an object of the process asks for libomp or Intel's runtime, and none for libgomp:
// a program of both gets libgomp's words. Programs translated by cpt get libomp's. Decided at the
// first call. Any thread.
const dialect& programs_dialect() noexcept;

}  // namespace artel::openmp
