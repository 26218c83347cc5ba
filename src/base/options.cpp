// Parses the environment by the table of options, and keeps the result for the life of the process.
// See options.hpp.
#include "base/options.hpp"

#include "base/log.hpp"
#include "base/publish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/auxv.h>
#include <unistd.h>

namespace artel::base {

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\n");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// Number of letters to insert, delete or replace to get from a to b (Levenshtein).
std::size_t letters_apart(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

// Without this check a misspelt variable would be ignored silently, which is hard to find.
// Variables that differ by more than two letters belong to other programs (tests and tools have
// ARTEL_ variables of their own).
void find_misspelt(std::span<const std::string> names, std::vector<std::string>& errors)
{
    for (const auto& name : names) {
        if (!name.starts_with("ARTEL_"))
            continue;
        const option_row* nearest = nullptr;
        std::size_t distance = 3;
        for (const auto& row : option_table())
            if (const auto d = letters_apart(name, row.variable); d < distance) {
                nearest = &row;
                distance = d;
            }
        if (nearest != nullptr && distance > 0)
            errors.push_back(fmt::format("{} is not an option and has no effect; did you mean {}?",
                                         name, nearest->variable));
    }
}

std::vector<std::string> environment_names()
{
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (std::strncmp(*entry, "ARTEL_", 6) == 0)
            names.emplace_back(*entry, std::strcspn(*entry, "="));
    return names;
}

parsed_options read_environment()
{
    // The caller of a set-uid program must not control it, nor learn anything from it.
    if (::getauxval(AT_SECURE) != 0)
        return parse_options([](const char*) -> const char* { return nullptr; });
    return parse_options([](const char* name) -> const char* { return std::getenv(name); },
                         environment_names());
}

const char* source_in_words(option_source source)
{
    switch (source) {
    case option_source::environment: return "environment";
    case option_source::rejected: return "default, bad value in the environment";
    case option_source::by_default: break;
    }
    return "default";
}

}  // namespace

parsed_options parse_options(const std::function<const char*(const char*)>& lookup,
                             std::span<const std::string> names)
{
    parsed_options result;
    for (const auto& row : option_table()) {
        auto source = option_source::by_default;
        const char* given = lookup(row.variable);
        const auto text = trimmed(given == nullptr ? std::string_view{} : given);
        if (!text.empty()) {
            if (row.parse(text, result.values)) {
                source = option_source::environment;
            } else {
                source = option_source::rejected;
                result.errors.push_back(fmt::format("{}={}: expected {}; using the default, {}",
                                                    row.variable, given, row.allowed,
                                                    row.default_text));
            }
        }
        result.sources.push_back(source);
    }
    find_misspelt(names, result.errors);
    return result;
}

const parsed_options& options_and_sources() noexcept
{
    static std::atomic<const parsed_options*> published{nullptr};
    try {
        return publish_once(
            published, [] { return std::make_unique<const parsed_options>(read_environment()); },
            [](const parsed_options& parsed) {
                for (const auto& error : parsed.errors)
                    write_line(error);
            });
    } catch (...) {
        // Only bad_alloc gets here. A program that lacks a few kilobytes would crash later anyway.
        die("out of memory while reading the options");
    }
}

const option_values& options() noexcept
{
    return options_and_sources().values;
}

std::string describe_options(const parsed_options& parsed)
{
    std::string text;
    const auto rows = option_table();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        text += fmt::format("  {}={}  ({})\n", rows[i].variable, rows[i].print(parsed.values),
                            source_in_words(parsed.sources[i]));
    }
    return text;
}

void display_options_if_asked() noexcept
{
    try {
        const auto& parsed = options_and_sources();
        if (parsed.values.display_env)
            write_raw("artel: options in force\n" + describe_options(parsed));
    } catch (...) {
        write_line("out of memory while printing the options");
    }
}

}  // namespace artel::base
