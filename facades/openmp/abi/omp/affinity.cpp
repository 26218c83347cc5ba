// omp_display_affinity and its kin: a line about the calling thread in a format of %-fields (OpenMP
// 5.1, 3.5.2 and 6.14).
#include "abi/abi.hpp"
#include "abi/thread_number.hpp"
#include "fiber/call_out.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "regions/parallel.hpp"
#include "settings/settings.hpp"
#include "team/team.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <pthread.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace artel::openmp {

namespace {

std::string host_name()
{
    char name[256] = "node";
    ::gethostname(name, sizeof name - 1);
    return name;
}

struct field {
    char letter;
    std::string_view name;
    std::string (*value)(const member& m);
};

std::string ancestor_number(const member& m)
{
    return std::to_string(m.in->parent != nullptr ? static_cast<int>(m.in->parent_number) : -1);
}

std::string native_thread_id(const member&)
{
    return programs_dialect().of_libomp ? std::to_string(::gettid())
                                        : fmt::format("{:#x}", ::pthread_self());
}

std::string cpu_list(std::span<const unsigned> cpus)
{
    return topology::format_list(cpus, programs_dialect().of_libomp ? 3 : 2);
}

constexpr field fields[] = {
    {'t', "team_num", [](const member& m) { return std::to_string(m.current->icvs.team_number); }},
    {'T', "num_teams", [](const member& m) { return std::to_string(m.current->icvs.teams); }},
    {'L', "nesting_level", [](const member& m) { return std::to_string(m.in->level); }},
    {'n', "thread_num", [](const member& m) { return std::to_string(m.number); }},
    {'N', "num_threads", [](const member& m) { return std::to_string(m.in->size); }},
    {'a', "ancestor_tnum", ancestor_number},
    {'H', "host", [](const member&) { return host_name(); }},
    {'P', "process_id", [](const member&) { return std::to_string(::getpid()); }},
    {'i', "native_thread_id", native_thread_id},
    {'A', "thread_affinity",
     [](const member& m) {
         return cpu_list(globals().binds() ? globals().places[m.where.place]
                                           : topology::inherited_affinity());
     }},
};

const field* field_named(std::string_view name) noexcept
{
    const auto* const found = std::find_if(std::begin(fields), std::end(fields),
                                           [&](const field& f) { return f.name == name; });
    return found != std::end(fields) ? found : nullptr;
}
const field* field_of(char letter) noexcept
{
    const auto* const found = std::find_if(std::begin(fields), std::end(fields),
                                           [&](const field& f) { return f.letter == letter; });
    return found != std::end(fields) ? found : nullptr;
}

bool take(std::string_view& format, char c) noexcept
{
    const bool there = format.starts_with(c);
    format.remove_prefix(there ? 1 : 0);
    return there;
}

// Takes the letter of a field or its {name}. nullptr: there is no such one, which ends a program
// made for libgomp.
const field* take_field(std::string_view& format)
{
    const bool fatal = !programs_dialect().of_libomp;
    if (!take(format, '{')) {
        const char letter = format.empty() ? '\0' : format.front();
        format.remove_prefix(format.empty() ? 0 : 1);
        const field* const found = field_of(letter);
        if (found == nullptr && fatal) {
            give_up("unsupported type {} in affinity format", letter);
        }
        return found;
    }
    const std::size_t end = format.find('}');
    const std::string_view name = format.substr(0, end);
    format.remove_prefix(std::min(name.size() + 1, format.size()));
    const field* const found = end != format.npos ? field_named(name) : nullptr;
    if (found == nullptr && fatal) {
        give_up("{} long type name '{}' in affinity format",
                end != format.npos ? "unsupported" : "unterminated", name);
    }
    return found;
}

// Takes one field, after its '%', from the front of the format: [0][.][width]letter or {name}.
std::string expand_field(std::string_view& format, const member& m)
{
    bool zeros = take(format, '0');
    const bool right = take(format, '.');
    const bool of_libomp = programs_dialect().of_libomp;
    if (!of_libomp && zeros && !right) {
        give_up("leading zero not followed by dot in affinity format");
    }
    if (!of_libomp && right && !(format >= "1" && format < ":")) {
        give_up("leading zero or right justification in affinity format requires size");
    }
    zeros = zeros || format.starts_with('0');  // libomp's: a width for printf
    std::size_t width = 0;
    while (!format.empty() && format.front() >= '0' && format.front() <= '9') {
        width = std::min<std::size_t>(width * 10 + static_cast<std::size_t>(format.front() - '0'),
                                      65536);
        format.remove_prefix(1);
    }
    const field* const found = take_field(format);
    std::string value = found != nullptr ? found->value(m) : "undefined";
    if (value.size() < width) {
        // Zeros go between the sign or 0x and the digits; text is padded with blanks.
        const bool number = found != nullptr && found->letter != 'H' && found->letter != 'A';
        const std::size_t prefix = value.starts_with("0x") ? 2 : value.starts_with('-') ? 1 : 0;
        const bool fill_zeros = right && zeros && number;
        value.insert(fill_zeros ? prefix
                     : right    ? 0
                                : value.size(),
                     width - value.size(), fill_zeros ? '0' : ' ');
    }
    return value;
}

std::string expand(std::string_view format, const member& m)
{
    std::string text;
    while (!format.empty()) {
        const char c = format.front();
        format.remove_prefix(1);
        if (c != '%') {
            text += c;
        } else if (!format.empty() && format.front() == '%') {
            text += '%';
            format.remove_prefix(1);
        } else {
            text += expand_field(format, m);
        }
    }
    return text;
}

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
    return format.empty() ? expand(format_in_force(), this_member())
                          : expand(format, this_member());
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
                cpu_list(g.binds() ? g.places[m.where.place] : topology::inherited_affinity()));
        }
        if (g.display_affinity) {
            write(expand(format_in_force(), m));
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
