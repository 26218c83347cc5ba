// Numbers by from_chars and comparisons by hand, since the C library's functions depend on the
// locale of the program.
#include "base/option_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace artel::base {
namespace {

constexpr unsigned most_numa_nodes = 1024;
constexpr std::size_t least_stack = 16 * 1024;
constexpr std::size_t most_stack = std::size_t{1} << 30;
constexpr std::size_t page = 4096;

}  // namespace

bool same_word(std::string_view a, std::string_view b)
{
    // Not tolower(): it depends on the program's locale.
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t least,
                                          std::uint64_t most)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty() ||
        number < least || number > most)
        return std::nullopt;
    return number;
}

bool parse_count(std::string_view text, unsigned& count, unsigned most)
{
    if (same_word(text, "auto")) {
        count = 0;
        return true;
    }
    const auto number = parse_number(text, 1, most);
    if (number)
        count = static_cast<unsigned>(*number);
    return number.has_value();
}

std::string print_count(unsigned count)
{
    return count == 0 ? "auto" : fmt::format("{}", count);
}

bool parse_switch(std::string_view text, bool& value)
{
    for (const char* word : {"true", "yes", "on", "1"})
        if (same_word(text, word)) {
            value = true;
            return true;
        }
    for (const char* word : {"false", "no", "off", "0"})
        if (same_word(text, word)) {
            value = false;
            return true;
        }
    return false;
}

std::string print_switch(bool value)
{
    return value ? "true" : "false";
}

bool parse_list(std::string_view text, std::vector<unsigned>& list)
{
    std::vector<unsigned> result;
    if (!same_word(text, "all")) {
        for (bool more = true; more;) {
            const auto comma = text.find(',');
            const auto item = text.substr(0, comma);
            const auto dash = item.find('-');
            const auto first = parse_number(item.substr(0, dash), 0, most_numa_nodes - 1);
            const auto last = dash == item.npos
                                  ? first
                                  : parse_number(item.substr(dash + 1), 0, most_numa_nodes - 1);
            if (!first || !last || *first > *last)
                return false;
            for (auto index = *first; index <= *last; ++index)
                result.push_back(static_cast<unsigned>(index));
            more = comma != text.npos;
            text.remove_prefix(more ? comma + 1 : text.size());
        }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
    }
    list = std::move(result);
    return true;
}

std::string print_list(const std::vector<unsigned>& list)
{
    return list.empty() ? "all" : fmt::format("{}", fmt::join(list, ","));
}

bool parse_bytes(std::string_view text, std::size_t& bytes)
{
    std::uint64_t unit = 1;
    if (!text.empty()) {
        const char last = text.back();
        unit = last == 'k' || last == 'K' ? 1024 : last == 'm' || last == 'M' ? 1024 * 1024 : 1;
        if (unit != 1)
            text.remove_suffix(1);
    }
    const auto number = parse_number(text, 0, most_stack / unit);
    if (!number || *number * unit < least_stack)
        return false;
    bytes = (*number * unit + page - 1) / page * page;
    return true;
}

std::string print_bytes(std::size_t bytes)
{
    if (bytes % (1024 * 1024) == 0)
        return fmt::format("{}m", bytes / (1024 * 1024));
    return bytes % 1024 == 0 ? fmt::format("{}k", bytes / 1024) : fmt::format("{}", bytes);
}

}  // namespace artel::base
