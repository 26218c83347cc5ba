// The profile that `artel tune` has measured, as text for people.
#pragma once

#include <nlohmann/json.hpp>

namespace artel::tool {

// Prints the machine's costs and the widths in `measured` with their histograms. Both arguments are
// as in the profile's file.
void print_profile(const nlohmann::ordered_json& profile, const nlohmann::ordered_json& measured);

}  // namespace artel::tool
