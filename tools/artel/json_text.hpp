// JSON as `artel` prints it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace artel::tool {

// Names of files and threads need not be UTF-8, as JSON must be: what is not becomes U+FFFD, where
// dump() alone would throw.
template <class Json>
std::string json_text(const Json& document, int indent = 2)
{
    return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace artel::tool
