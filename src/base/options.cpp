// Parses the environment by the table of options, and keeps the result for the life of the process.
// See options.hpp.
#include "base/options.hpp"

#include "base/log.hpp"
#include "base/publish.hpp"
#include "base/variable_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <sys/auxv.h>

namespace artel::base {

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\n");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// A variable that is not read would be ignored silently, which is hard to find when it was meant to
// be one that is.
void find_unknown(std::span<const std::string> names, std::vector<std::string>& errors)
{
    std::vector<std::string_view> known;
    for (const auto& row : option_table())
        known.emplace_back(row.variable);
    for (const auto& name : names)
        if (name.starts_with("ARTEL_") && std::ranges::find(known, name) == known.end() &&
            !is_read_elsewhere(name))
            errors.push_back(unknown_variable(name, "ARTEL_", known, "artel info"));
}

parsed_options read_environment()
{
    // The caller of a set-uid program must not control it, nor learn anything from it.
    if (::getauxval(AT_SECURE) != 0)
        return parse_options([](const char*) -> const char* { return nullptr; });
    return parse_options([](const char* name) -> const char* { return std::getenv(name); },
                         environment_names("ARTEL_"));
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
    find_unknown(names, result.errors);
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
