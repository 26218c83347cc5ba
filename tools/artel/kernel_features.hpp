// Which of the kernel's newer features the libraries can use here.
#pragma once

#include <string>
#include <vector>

namespace artel::tool {

struct kernel_feature {
    const char* name;
    bool available;
    const char* purpose;  // what it is used for, and what happens without it
};

std::vector<kernel_feature> kernel_features();

// "Linux 6.1.0-18-amd64"
std::string kernel_version();

}  // namespace artel::tool
