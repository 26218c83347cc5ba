// The scripts that belong to the tool: they lie beside the libraries in the build tree, in share/
// when installed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace artel::tool {

// The folder of libraries that this tool belongs to: where its libartel is; empty if there is none.
std::filesystem::path library_folder();

// Replaces this process by Python running share/artel/<script> with these arguments. `name`: the
// name that the script uses for itself in messages. Throws command_error when the script or Python
// is not there.
[[noreturn]] void run_script(const std::string& script, const std::string& name,
                             const std::vector<std::string>& arguments);

}  // namespace artel::tool
