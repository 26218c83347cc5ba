// One table of names and numbers, for reading and for printing.
#include "schedule.hpp"

#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace cp {

namespace {

// OpenMP's names come first, so that a lookup by number finds them first.
constexpr struct {
    std::string_view name;
    int number;
} schedules[] = {{"static", 1}, {"dynamic", 2},      {"guided", 3},
                 {"auto", 4},   {"static_steal", 2}, {"trapezoidal", trapezoidal}};
constexpr int static_number = 1;

}  // namespace

bool set_schedule(const std::string& text, icvs& to)
{
    std::string_view left = text;
    bool monotonic = false;
    if (const std::size_t colon = left.find(':'); colon != left.npos) {
        const std::string_view modifier = trimmed(left.substr(0, colon));
        monotonic = modifier == "monotonic";
        if (!monotonic && modifier != "nonmonotonic") {
            return false;
        }
        left.remove_prefix(colon + 1);
    }
    const std::size_t comma = left.find(',');
    const auto* const found = std::find_if(
        std::begin(schedules), std::end(schedules),
        [kind = trimmed(left.substr(0, comma))](const auto& it) { return it.name == kind; });
    if (found == std::end(schedules)) {
        return false;
    }
    int chunk = 0;
    if (comma != left.npos) {
        const std::string_view digits = trimmed(left.substr(comma + 1));
        const char* const end = digits.data() + digits.size();
        const auto [stopped, error] = std::from_chars(digits.data(), end, chunk);
        if (error != std::errc() || stopped != end || chunk < 0) {
            return false;
        }
    }
    to.schedule = found->number | (monotonic ? static_cast<int>(monotonic_schedule) : 0);
    to.chunk = chunk == 0 && found->number != static_number
                   ? 1
                   : static_cast<unsigned long long>(chunk);
    return true;
}

std::string name_of_schedule(const icvs& of)
{
    const int kind = of.schedule & static_cast<int>(~monotonic_schedule);
    const auto* const found = std::find_if(std::begin(schedules), std::end(schedules),
                                           [kind](const auto& it) { return it.number == kind; });
    std::string name = kind != of.schedule ? "monotonic:" : "";
    name += found->name;
    name += ',' + std::to_string(of.chunk);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

}  // namespace cp
