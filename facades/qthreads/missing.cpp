#include "missing.hpp"

#include "base/log.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace artel::qthreads {

void missing(const char* name) noexcept
{
    try {
        base::write_raw(fmt::format("libqthread-artel: {} is not implemented\n", name));
    } catch (...) {
        base::write_raw("libqthread-artel: a function that is not implemented was called\n");
    }
    std::abort();
}

}  // namespace artel::qthreads
