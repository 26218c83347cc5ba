// Text of environment variables.
#pragma once

#include <string_view>

namespace cp {

// The text without leading and trailing blanks.
inline std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace cp
