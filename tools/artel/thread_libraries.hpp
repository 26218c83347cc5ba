// Libraries that bring threads, by their names, and who runs what they have to do.
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
    bool could_be = false;  // it is not served by the crew, and Artel has something for it
    std::vector<std::string> asked_for_by;
};

// Those among the images that bring threads.
std::vector<finding> examine(const std::vector<image>& images);

}  // namespace artel::tool
