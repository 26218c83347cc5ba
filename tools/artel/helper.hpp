// Subcommands that are programs of their own: `artel lab` and `artel mpi` are artel-lab and
// artel-mpi, which lie in libexec/artel beside bin. So a user who only runs programs on the crew
// need not build or install them, and they can be packages of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace artel::tool {

struct context;

// Their descriptions in `artel --help` and in their own help.
inline constexpr const char*
    lab_text = "Measure threads against processes and page policies on this machine";
inline constexpr const char* mpi_text =
    "Collectives of MPI programs by shared memory: what there is, whether they work, how fast";

// Replaces this process by the helper that the command line names, with the same words; returns
// when it names none, or one that is not there.
void become_helper(const std::vector<std::string>& words);

// Adds them to the command line and its help. Their callbacks run only if become_helper() has not
// found the helper, and report that.
void add_lab_helper(CLI::App& app, context& state);
void add_mpi_helper(CLI::App& app, context& state);

}  // namespace artel::tool
