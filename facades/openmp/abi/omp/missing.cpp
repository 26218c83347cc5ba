// Called by the stubs that the build makes from the tables of names, one for each name that is not
// implemented.
#include "missing.hpp"

#include "base/log.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace artel::openmp {

void missing(const char* name) noexcept
{
    try {
        base::write_raw(fmt::format("libgomp-artel: {} is not implemented\n", name));
    } catch (...) {
        base::write_raw("libgomp-artel: a function that is not implemented was called\n");
    }
    std::abort();
}

}  // namespace artel::openmp
