// omp_display_affinity and related functions: a line about the calling thread in an affinity format
// (OpenMP 5.1, 3.5.2).
#include "abi/abi.hpp"
#include "abi/omp/affinity_format.hpp"
#include "abi/thread_number.hpp"
#include "fiber/call_out.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "regions/parallel.hpp"
#include "settings/settings.hpp"
#include "team/team.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <unistd.h>

namespace artel::openmp {

namespace {

std::string format_in_force()
{
    settings& s = device_settings();
    const fiber::call_out_lock hold(s.format_lock);
    return s.affinity_format;
}

void set_format(std::string_view format)
{
    settings& s = device_settings();
    const fiber::call_out_lock hold(s.format_lock);
    s.affinity_format = format;
}

std::string expand_or_default(std::string_view format)
{
    return format.empty() ? expand_affinity_format(format_in_force(), this_member())
                          : expand_affinity_format(format, this_member());
}

// C: as much as fits, always terminated. Returns the length of the whole text, without the
// terminator.
std::size_t copy_c(char* buffer, std::size_t size, const std::string& text)
{
    if (size > 0) {
        const std::size_t length = std::min(text.size(), size - 1);
        std::memcpy(buffer, text.data(), length);
        buffer[length] = 0;
    }
    return text.size();
}

// Fortran: padded with blanks.
std::size_t copy_fortran(char* buffer, std::size_t size, const std::string& text)
{
    const std::size_t length = std::min(text.size(), size);
    std::memcpy(buffer, text.data(), length);
    std::memset(buffer + length, ' ', size - length);
    return text.size();
}

std::string_view trimmed(const char* text, std::size_t length)
{
    while (length > 0 && text[length - 1] == ' ') {
        --length;
    }
    return {text, length};
}

std::string_view c_text(const char* text)
{
    return text != nullptr ? std::string_view(text) : std::string_view();
}

void write(std::string line)
{
    line += '\n';
    if (programs_dialect().of_libomp) {
        // buffered like the program's own output, and in order with it
        std::fwrite(line.data(), 1, line.size(), stdout);
    } else {
        base::write_raw(line);
    }
}

void display(std::string_view format)
{
    write(expand_or_default(format));
}

}  // namespace

void display_affinity(const member& m) noexcept
{
    try {
        const global_icvs& g = globals();
        if (g.kmp.affinity.verbose) {
            inform_as_libomp(
                254, "{}: pid {} tid {} thread {} bound to OS proc set {}",
                g.kmp.affinity.binds() || !g.binds() ? "KMP_AFFINITY" : "OMP_PROC_BIND", ::getpid(),
                ::gettid(), kmp::global_number(),
                affinity_list(g.binds() ? g.places[m.where.place]
                                        : topology::inherited_affinity()));
        }
        if (g.display_affinity) {
            write(expand_affinity_format(format_in_force(), m));
        }
    } catch (const std::bad_alloc&) {
        complain("Out of memory");
    }
}

ARTEL_GOMP void omp_set_affinity_format(const char* format)
{
    set_format(format);
}

ARTEL_GOMP std::size_t omp_get_affinity_format(char* buffer, std::size_t size)
{
    return copy_c(buffer, size, format_in_force());
}

ARTEL_GOMP void omp_display_affinity(const char* format)
{
    display(c_text(format));
}

ARTEL_GOMP std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format)
{
    return copy_c(buffer, size, expand_or_default(c_text(format)));
}

ARTEL_GOMP void omp_set_affinity_format_(const char* format, std::size_t length)
{
    set_format(trimmed(format, length));
}

ARTEL_GOMP std::int32_t omp_get_affinity_format_(char* buffer, std::size_t size)
{
    return static_cast<std::int32_t>(copy_fortran(buffer, size, format_in_force()));
}

ARTEL_GOMP void omp_display_affinity_(const char* format, std::size_t length)
{
    display(trimmed(format, length));
}

ARTEL_GOMP std::int32_t omp_capture_affinity_(char* buffer, const char* format, std::size_t size,
                                              std::size_t length)
{
    return static_cast<std::int32_t>(
        copy_fortran(buffer, size, expand_or_default(trimmed(format, length))));
}

}  // namespace artel::openmp
