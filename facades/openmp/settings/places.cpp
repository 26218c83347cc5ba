// Names such as `cores` group the machine's CPUs by a key; lists are parsed one place after the
// other. What becomes of a number that no usable CPU has: go_on_without.
#include "places.hpp"

#include "env_text.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "settings/kmp/hw_subset.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace artel::openmp {

namespace {

// Complains of a number that no usable CPU has. libgomp rejects the whole text then, libomp leaves
// the number out: returns whether to continue.
bool go_on_without(std::int64_t cpu) noexcept
{
    if (programs_dialect().of_libomp) {
        warn_as_libomp(124, "Ignoring invalid OS proc ID {}.", cpu);
        return true;
    }
    complain("Logical CPU number {} out of range", cpu);
    return false;
}

// One place per distinct value of key(cpu), in the order in which the machine lists the CPUs.
template <typename Key>
place_list group_by(Key key)
{
    place_list places;
    std::map<unsigned, std::size_t> index;
    for (const topology::cpu& cpu : hardware().cpus) {
        const auto [at, is_new] = index.try_emplace(key(cpu), places.size());
        if (is_new) {
            places.emplace_back();
        }
        places[at->second].push_back(cpu.os_index);
    }
    for (auto& place : places) {
        std::sort(place.begin(), place.end());
    }
    return places;
}

std::optional<place_list> named_places(text_reader& reader, std::string_view text)
{
    place_list places;
    if (reader.take_word("threads")) {
        places = places_of_threads();
    } else if (reader.take_word("cores")) {
        places = places_of_cores();
    } else if (reader.take_word("ll_caches")) {
        places = group_by([](const topology::cpu& c) { return c.l3; });
    } else if (reader.take_word("sockets")) {
        places = group_by([](const topology::cpu& c) { return c.package; });
    } else if (reader.take_word("numa_domains")) {
        places = group_by([](const topology::cpu& c) { return c.numa; });
    } else {
        return std::nullopt;
    }
    std::uint64_t count = places.size();
    if (programs_dialect().of_libomp) {
        // After the name libomp accepts anything, and takes what is not a count as all.
        if (!reader.at_end() && !(reader.take('(') && reader.take_number(count) && count != 0 &&
                                  reader.take(')') && reader.at_end())) {
            warn_as_libomp(250, "OMP_PLACES: syntax error, using {}.",
                           std::string(text.substr(0, text.find_first_of("( "))));
            count = places.size();
            reader = text_reader({});
        }
    } else if (reader.take('(') &&
               (!reader.take_number(count) || count == 0 || !reader.take(')'))) {
        return std::nullopt;
    }
    places.resize(std::min<std::size_t>(count, places.size()));
    return places;
}

struct interval {
    std::uint64_t length = 1;
    std::int64_t stride = 1;
};

// [:length[:stride]]
bool read_interval(text_reader& reader, interval& result)
{
    if (!reader.take(':')) {
        return true;
    }
    if (!reader.take_number(result.length) || result.length == 0) {
        return false;
    }
    return !reader.take(':') || reader.take_signed(result.stride);
}

// The contents of braces: CPU numbers, intervals of them, and with ! those to leave out.
bool read_cpus(text_reader& reader, std::vector<std::int64_t>& cpus)
{
    do {
        const bool without = reader.take('!');
        std::uint64_t first = 0;
        interval range;
        if (!reader.take_number(first) || !read_interval(reader, range)) {
            return false;
        }
        const auto numbers = static_cast<std::int64_t>(cpu_numbers());
        auto cpu = static_cast<std::int64_t>(
            std::min<std::uint64_t>(first, std::numeric_limits<std::int64_t>::max()));
        for (std::uint64_t i = 0; i < range.length; ++i) {
            if (cpu < 0 || cpu >= numbers || i > static_cast<std::uint64_t>(numbers)) {
                if (!go_on_without(cpu) || i > static_cast<std::uint64_t>(numbers)) {
                    return false;
                }
            } else if (without) {
                std::erase(cpus, cpu);
            } else {
                cpus.push_back(cpu);
            }
            if (__builtin_add_overflow(cpu, range.stride, &cpu)) {
                cpu = -1;
            }
        }
    } while (reader.take(','));
    return true;
}

// The usable CPUs among `cpus` shifted by `offset`.
std::vector<unsigned> usable(const std::vector<std::int64_t>& cpus, std::int64_t offset)
{
    std::vector<unsigned> place;
    for (const topology::cpu& cpu : hardware().cpus) {
        if (std::find(cpus.begin(), cpus.end(), static_cast<std::int64_t>(cpu.os_index) - offset) !=
            cpus.end()) {
            place.push_back(cpu.os_index);
        }
    }
    std::sort(place.begin(), place.end());
    return place;
}

// `named` counts the places that the text names, usable or not.
bool read_place_interval(text_reader& reader, place_list& places, std::uint64_t& named)
{
    const bool without = reader.take('!');
    std::vector<std::int64_t> cpus;
    if (reader.take('{')) {
        if (!read_cpus(reader, cpus) || !reader.take('}')) {
            return false;
        }
    } else {
        std::uint64_t cpu = 0;
        if (!reader.take_number(cpu)) {
            return false;
        }
        if (cpu >= cpu_numbers()) {
            if (!go_on_without(static_cast<std::int64_t>(cpu))) {
                return false;
            }
        }
        cpus.push_back(static_cast<std::int64_t>(cpu));
    }
    interval range;
    if (!read_interval(reader, range)) {
        return false;
    }
    if (range.length > most_places || named + range.length > most_places) {
        return false;
    }
    const std::uint64_t numbers = cpu_numbers();
    for (std::uint64_t i = 0; i < range.length; ++i) {
        std::int64_t offset = 0;
        if (!cpus.empty() &&
            (__builtin_mul_overflow(static_cast<std::int64_t>(i), range.stride, &offset) ||
             cpus.front() + offset >= static_cast<std::int64_t>(numbers) ||
             cpus.front() + offset < 0)) {
            complain("Logical CPU number {}+{} out of range", cpus.front(), offset);
            return false;
        }
        auto place = usable(cpus, offset);
        if (without) {
            if (std::erase(places, place) == 0) {
                complain("Trying to remove a non-existing place from list of places");
                return false;
            }
            --named;
        } else {
            ++named;
            if (!place.empty()) {
                places.push_back(std::move(place));
            }
        }
    }
    return true;
}

}  // namespace

std::uint64_t cpu_numbers()
{
    unsigned highest = 0;
    for (const topology::cpu& cpu : hardware().cpus) {
        highest = std::max(highest, cpu.os_index);
    }
    return (highest / 64 + 1) * 64;
}

place_list places_of_cores()
{
    return group_by([](const topology::cpu& c) { return c.core; });
}

place_list places_of_threads()
{
    return group_by([](const topology::cpu& c) { return c.os_index; });
}

std::optional<place_list> parse_places(std::string_view text)
{
    {
        text_reader reader(text);
        if (auto places = named_places(reader, text)) {
            return reader.at_end() ? places : std::nullopt;
        }
    }
    text_reader reader(text);
    place_list places;
    std::uint64_t named = 0;
    do {
        if (!read_place_interval(reader, places, named)) {
            return std::nullopt;
        }
    } while (reader.take(','));
    if (!reader.at_end()) {
        return std::nullopt;
    }
    if (named == 0) {
        complain("All places have been removed");
        return std::nullopt;
    }
    if (places.empty()) {
        complain("None of the places contain usable logical CPUs");
        return std::nullopt;
    }
    if (places.size() < named && !programs_dialect().of_libomp) {
        complain(
            "Number of places reduced from {} to {} because some places didn't contain any usable "
            "logical CPUs",
            named, places.size());
    }
    return places;
}

}  // namespace artel::openmp
