// The list of CPUs in an explicit KMP_AFFINITY.
#include "hw_subset.hpp"
#include "items.hpp"
#include "linking/messages.hpp"
#include "settings/places.hpp"

#include <algorithm>

namespace artel::openmp {
namespace {

// first[-last[:stride]]
std::vector<std::uint64_t> numbers_of(const std::string& item)
{
    text_reader reader(item);
    std::uint64_t first = 0;
    std::uint64_t stride = 1;
    if (!reader.take_number(first)) {
        return {};
    }
    std::uint64_t last = first;
    if (reader.take('-') && (!reader.take_number(last) ||
                             (reader.take(':') && (!reader.take_number(stride) || stride == 0)))) {
        return {};
    }
    std::vector<std::uint64_t> numbers;
    constexpr std::size_t most = 65536;
    for (std::uint64_t n = first; reader.at_end() && n <= last && numbers.size() < most;
         n += stride) {
        numbers.push_back(n);
    }
    return numbers;
}

void add_if_usable(std::uint64_t number, std::vector<unsigned>& place)
{
    const auto cpus = hardware().cpus;
    if (std::any_of(cpus.begin(), cpus.end(),
                    [&](const topology::cpu& c) { return c.os_index == number; })) {
        place.push_back(static_cast<unsigned>(number));
    } else {
        warn_as_libomp(124, "Ignoring invalid OS proc ID {}.", number);
    }
}

}  // namespace

place_list parse_proclist(std::string_view text)
{
    place_list places;
    const auto keep = [&](std::vector<unsigned> place) {
        std::sort(place.begin(), place.end());
        if (!place.empty()) {
            places.push_back(std::move(place));
        }
    };
    for (const std::string& item : items_of(std::string(text))) {
        if (item.starts_with('{') && item.ends_with('}')) {
            std::vector<unsigned> place;
            for (const std::string& inner : items_of(item.substr(1, item.size() - 2))) {
                for (const std::uint64_t n : numbers_of(inner)) {
                    add_if_usable(n, place);
                }
            }
            keep(std::move(place));
            continue;
        }
        for (const std::uint64_t n : numbers_of(item)) {
            std::vector<unsigned> place;
            add_if_usable(n, place);
            keep(std::move(place));
        }
    }
    return places;
}

}  // namespace artel::openmp
