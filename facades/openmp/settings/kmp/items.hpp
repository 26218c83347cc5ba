// Splitting the texts of libomp's settings.
#pragma once

#include "settings/env_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace artel::openmp {

// The text without blanks and in lower case.
inline std::string normalized(const std::string& text)
{
    std::string plain;
    for (const char c : text) {
        if (c != ' ' && c != '\t') {
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return plain;
}

// The comma-separated items of a list; commas inside brackets and braces do not separate.
inline std::vector<std::string> items_of(const std::string& text)
{
    std::vector<std::string> items(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && depth == 0) {
            items.emplace_back();
        } else {
            items.back() += c;
        }
    }
    return items;
}

inline std::optional<unsigned> number(const std::string& text)
{
    const auto n = parse_count(text, 0);
    return n && *n < 65536 ? std::optional(static_cast<unsigned>(*n)) : std::nullopt;
}

}  // namespace artel::openmp
