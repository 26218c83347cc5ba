// Overrides by kmp_set_defaults win over the environment. Where a value is bad, what libgomp or
// libomp would say is said here.
#include "variable.hpp"

#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace artel::openmp {
namespace {

foreign::fork_safe_lock overrides_lock;
std::string* overrides = nullptr;  // guarded by the lock

// The last override of `name`.
std::optional<std::string> overridden(std::string_view name)
{
    const fiber::call_out_lock hold(overrides_lock);
    std::optional<std::string> found;
    std::string_view rest = foreign::made(overrides);
    while (!rest.empty()) {
        const auto end = std::min(rest.find('|'), rest.size());
        const std::string_view item = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto equals = item.find('=');
        if (equals != std::string_view::npos && item.substr(0, equals) == name) {
            found = item.substr(equals + 1);
        }
    }
    return found;
}

}  // namespace

void override_environment(std::string_view settings)
{
    const fiber::call_out_lock hold(overrides_lock);
    foreign::made(overrides).append(settings).append("|");
}

variable::variable(const char* name) : name_(name), text_(overridden(name))
{
    if (!text_) {
        if (const char* const text = std::getenv(name); text != nullptr) {
            text_ = text;
        }
    }
}

std::string size_text(std::size_t bytes)
{
    constexpr struct {
        unsigned shift;
        const char* unit;
    } units[] = {{40, "T"}, {30, "G"}, {20, "M"}, {10, "k"}};
    for (const auto& u : units) {
        if (bytes != 0 && bytes % (std::size_t{1} << u.shift) == 0) {
            return fmt::format("{}{}", bytes >> u.shift, u.unit);
        }
    }
    return fmt::format("{}", bytes);
}

std::optional<bool> parse_libomp_switch(std::string_view text) noexcept
{
    static constexpr const char* words[] = {"0",   "1",  "false",    "true",   ".f.",
                                            ".t.", "f",  "t",        "no",     "yes",
                                            "off", "on", "disabled", "enabled"};
    static constexpr bool values[] = {false, true,  false, true,  false, true,  false,
                                      true,  false, true,  false, true,  false, true};
    const auto word = parse_word(text, words, std::size(words));
    return word ? std::optional(values[*word]) : std::nullopt;
}

void variable::invalid() const noexcept
{
    if (programs_dialect().of_libomp) {
        warn_as_libomp(42, "{}: \"{}\" is an invalid value; ignored.", name_, text());
    } else {
        complain("Invalid value for environment variable {}", name_);
    }
}

void variable::corrected(const char* why, std::uint64_t used, bool is_size) const noexcept
{
    warn_as_libomp(80, "{}=\"{}\": {}.", name_, text(), why);
    if (used == nothing_else) {
        return;
    }
    try {
        inform_as_libomp(is_size ? 107 : 106, "{} value \"{}\" will be used.", name_,
                         is_size ? size_text(used) : std::to_string(used));
    } catch (...) {  // no memory; the previous line has said the essential
    }
}

std::optional<std::uint64_t> variable::number(std::uint64_t least, std::uint64_t most,
                                              std::uint64_t otherwise) const
{
    if (!text_) {
        return std::nullopt;
    }
    text_reader reader(*text_);
    std::uint64_t value = 0;
    const bool is_number = reader.take_number(value) && reader.at_end();
    if (is_number && value >= least) {
        if (value > most && programs_dialect().of_libomp) {
            corrected("value too large", most, false);
        }
        return std::min(value, most);
    }
    if (!programs_dialect().of_libomp) {
        invalid();
        return std::nullopt;
    }
    corrected(is_number ? "value too small" : "not a number", is_number ? least : otherwise, false);
    return is_number ? std::optional(least) : std::nullopt;
}

std::optional<bool> variable::boolean() const
{
    if (!text_) {
        return std::nullopt;
    }
    const bool libomp = programs_dialect().of_libomp;
    const auto value = libomp ? parse_libomp_switch(*text_) : parse_switch(*text_);
    if (!value && libomp) {
        warn_as_libomp(20, "{}=\"{}\": Wrong value, boolean expected.", name_, *text_);
        hint_as_libomp(
            R"(Use "0", "FALSE". ".F.", "off", "no" as false values, "1", "TRUE", ".T.", "on", "yes" as true values.)");
    } else if (!value) {
        invalid();
    }
    return value;
}

std::optional<std::size_t> variable::bytes(std::size_t otherwise) const
{
    if (!text_) {
        return std::nullopt;
    }
    constexpr unsigned kibibytes = 10;
    return checked(programs_dialect().of_libomp ? parse_libomp_size(*text_, kibibytes)
                                                : parse_stack_size(*text_),
                   otherwise);
}

std::optional<std::size_t> variable::kmp_bytes(std::size_t otherwise) const
{
    return text_ ? checked(parse_libomp_size(*text_, 0), otherwise) : std::nullopt;
}

std::optional<std::size_t> variable::checked(std::optional<std::size_t> value,
                                             std::size_t otherwise) const
{
    if (!programs_dialect().of_libomp) {
        if (!value) {
            invalid();
        }
        return value;
    }
    constexpr std::size_t least = 16 << 10;
    if (!value) {
        corrected("not a number", otherwise, true);
    } else if (*value < least) {
        corrected("value too small", least, true);
        return least;
    }
    return value;
}

std::optional<unsigned> variable::word(const char* const* words, unsigned count) const
{
    if (!text_) {
        return std::nullopt;
    }
    const auto found = parse_word(*text_, words, count);
    if (!found) {
        invalid();
    }
    return found;
}

}  // namespace artel::openmp
