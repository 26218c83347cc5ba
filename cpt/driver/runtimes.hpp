// The runtimes that are installed beside the driver, and which one a program is linked to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cpt {

// The folder of libcp-artel.so and the other runtimes; empty if there is none.
std::filesystem::path runtime_folder();
bool is_installed(const std::string& runtime);
// The runtimes that are installed, as in "artel, tbb".
std::string installed_runtimes();
// Arguments of the linker for a runtime, or for none in particular (""), in front of all others.
std::vector<std::string> link_arguments(const std::string& runtime);

// The arguments that come after all others: what objects of another compiler with OpenMP need.
std::vector<std::string> last_link_arguments(const std::string& runtime);

enum class linked { no_program, not_at_all, to_any, to_one };
// Which of cpt's libraries a file needs; if that is a runtime, `runtime` is set to it.
linked linkage(const std::filesystem::path& program, std::string& runtime);

}  // namespace cpt
