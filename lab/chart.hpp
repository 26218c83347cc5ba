// Line charts as SVG text, for reports that are one file without references to others.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace artel::lab {

struct series {
    std::string name;
    std::vector<std::pair<double, double>> points{};  // x ascending, both above 0
    bool dashed = false;
    // least and most for each point, drawn as whiskers; or none.
    std::vector<std::pair<double, double>> extents{};
};

// Both axes are logarithmic, x to base 2. A dashed horizontal line is drawn at y = 1 when
// `unit_line` is set. Hovering over a point shows its values.
std::string line_chart(const std::string& title, const std::string& y_label,
                       const std::vector<series>& lines, bool unit_line = false);

// Text made safe for HTML and SVG.
std::string escaped(const std::string& text);

}  // namespace artel::lab
