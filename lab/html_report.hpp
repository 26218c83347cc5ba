// The report of a run as one HTML file without references to anything outside it.
#pragma once

#include "lab/results.hpp"

#include <string>

namespace artel::lab {

// `document` is the content of results.json; it is embedded, so that the report contains all data.
std::string html_report(const json& document, const results& r);

}  // namespace artel::lab
