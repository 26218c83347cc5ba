// GOMP_CPU_AFFINITY as a list of places (places.hpp).
#include "env_text.hpp"
#include "places.hpp"
#include "settings/kmp/hw_subset.hpp"

#include <algorithm>

namespace artel::openmp {

namespace {

bool is_usable(std::uint64_t os_index)
{
    const auto& cpus = hardware().cpus;
    return std::any_of(cpus.begin(), cpus.end(),
                       [&](const topology::cpu& c) { return c.os_index == os_index; });
}

// One number or range without blanks inside, as all of `text`. libgomp reads these numbers as C's,
// unlike all others.
bool read_cpu_range(std::string_view text, place_list& places)
{
    text_reader reader(text);
    std::uint64_t first = 0;
    if (!reader.take_c_number(first)) {
        return false;
    }
    std::uint64_t last = first;
    std::uint64_t stride = 1;
    if (reader.take('-') &&
        (!reader.take_c_number(last) || last < first || last > most_places ||
         (reader.take(':') && (!reader.take_c_number(stride) || stride == 0)))) {
        return false;
    }
    const std::uint64_t numbers = cpu_numbers();
    last = std::min(last, numbers);
    for (std::uint64_t cpu = first; cpu <= last; cpu += std::min(stride, numbers)) {
        if (is_usable(cpu)) {
            places.push_back({static_cast<unsigned>(cpu)});
        }
    }
    return reader.at_end();
}

}  // namespace

std::optional<place_list> parse_cpu_affinity(std::string_view text)
{
    static constexpr std::string_view blanks = " \t\n\v\f\r";
    place_list places;
    for (bool comma = true; comma || !text.empty();) {
        text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
        const auto end = std::min(text.find_first_of(" \t\n\v\f\r,"), text.size());
        if (!read_cpu_range(text.substr(0, end), places)) {
            return std::nullopt;
        }
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
        comma = text.starts_with(',');
        text.remove_prefix(comma ? 1 : 0);
    }
    return places.empty() ? std::nullopt : std::optional(std::move(places));
}

}  // namespace artel::openmp
