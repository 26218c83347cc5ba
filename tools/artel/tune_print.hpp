// What `artel tune` tells people of the profile it has measured.
#pragma once

#include <nlohmann/json.hpp>

namespace artel::tool {

// The machine's costs and, of the widths, those in `measured`, with their histograms, on standard
// output. Both as in the profile's file.
void print_profile(const nlohmann::ordered_json& profile, const nlohmann::ordered_json& measured);

}  // namespace artel::tool
