// One table has the fields of the formats, by letter and by name, with the function that makes the
// text of each; field_named, field_of and the parser go by it.
#include "abi/omp/affinity_format.hpp"

#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "settings/settings.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pthread.h>
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
         return affinity_list(globals().binds() ? globals().places[m.where.place]
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

}  // namespace

std::string affinity_list(std::span<const unsigned> cpus)
{
    return topology::format_list(cpus, programs_dialect().of_libomp ? 3 : 2);
}

std::string expand_affinity_format(std::string_view format, const member& m)
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

}  // namespace artel::openmp
