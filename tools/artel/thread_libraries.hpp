// Libraries that start threads, found by their names, and who runs their work.
#pragma once

#include "artel/loaded_images.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace artel::tool {

struct finding {
    std::string_view family;
    std::string path;
    std::string served;
    bool could_be = false;  // the crew does not serve it, but Artel has a replacement
    std::vector<std::string> asked_for_by;
};

// The images that start threads.
std::vector<finding> examine(const std::vector<image>& images);

}  // namespace artel::tool
