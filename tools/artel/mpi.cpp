// artel mpi: collectives of MPI programs by shared memory. `info`, in this file, tells which
// libraries there are and how to use them; `check` whether the broadcast works on this machine and
// where its memory lies; `model` what the analytic model predicts; `tune` which trees are fastest;
// `trial` measures given settings; `bench` measures it beside the installed MPIs and runs the
// paper's experiments.
#include "artel/command.hpp"
#include "artel/helper.hpp"
#include "artel/json_text.hpp"
#include "artel/mpi_check_command.hpp"
#include "artel/mpi_model_command.hpp"
#include "artel/mpi_trial_command.hpp"
#include "artel/mpi_tune_command.hpp"
#include "artel/script.hpp"
#include "coll/memory_use.hpp"
#include "coll/sizing.hpp"
#include "coll/tree_file.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace artel::tool {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

struct way {
    const char* launcher;
    const char* library;  // relative to the folder of libraries
    const char* use;      // {} is the library's path
};
// Launchers are Debian's; other MPIs of the same binary interface have theirs.
constexpr way ways[] = {
    {"mpirun.openmpi", "libartel-mpi-openmpi.so", "mpirun.openmpi -x LD_PRELOAD={} PROGRAM"},
    {"mpirun.openmpi", "artel-openmpi/mca_coll_artel.so",
     "mpirun.openmpi --mca mca_base_component_path {}:SYSTEM_DEFAULT PROGRAM"},
    {"mpirun.mpich", "libartel-mpi-mpich.so", "mpirun.mpich -genv LD_PRELOAD {} PROGRAM"},
    {"mpiexec.hydra", "libartel-mpi-abi.so", "mpiexec.hydra -genv LD_PRELOAD {} PROGRAM"},
};

bool on_path(const std::string& program)
{
    const char* path = std::getenv("PATH");
    for (std::string rest = path == nullptr ? "" : path; !rest.empty();) {
        const auto colon = rest.find(':');
        if (::access((rest.substr(0, colon) + "/" + program).c_str(), X_OK) == 0)
            return true;
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    return false;
}

json describe()
{
    json result;
    const auto settings = coll::settings_of_environment();
    result["settings"] = json::array();
    for (const auto& row : coll::setting_table())
        result["settings"].push_back({{"variable", row.variable},
                                      {"value", row.print(settings)},
                                      {"allowed", row.allowed},
                                      {"meaning", row.meaning}});
    const std::string path = coll::tree_file_path(coll::this_machine_in_words());
    const coll::tree_file& trees = coll::this_machines_trees();
    result["trees"] = {{"file", path}, {"rows", trees.rows.size()}, {"problem", trees.problem}};
    result["queue"] = json::array();
    const std::uint64_t memory = coll::memory_per_core();
    auto numbers = coll::explain_rule(settings, memory);
    // For as many ranks as a job that fills this machine has.
    const auto ranks = static_cast<unsigned>(
        std::max<std::size_t>(topology::this_machine().cpus.size(), 2));
    numbers.push_back(coll::explain_limit(settings, memory, coll::limit_of(settings), ranks));
    for (const auto& number : numbers)
        result["queue"].push_back(
            {{"name", number.name}, {"value", number.value}, {"origin", number.origin}});
    result["ways"] = json::array();
    for (const auto& w : ways) {
        const auto folder = library_folder();
        const auto library = folder / w.library;
        const bool component = library.extension() == ".so" &&
                               library.filename().string().rfind("mca_", 0) == 0;
        const std::string given = component ? library.parent_path().string() : library.string();
        result["ways"].push_back({{"library", library.string()},
                                  {"built", !folder.empty() && fs::exists(library)},
                                  {"launcher", w.launcher},
                                  {"installed", on_path(w.launcher)},
                                  {"use", fmt::format(fmt::runtime(w.use), given)}});
    }
    return result;
}

void info(bool as_json)
{
    const json facts = describe();
    if (as_json) {
        fmt::print("{}\n", json_text(facts));
        return;
    }
    for (const auto& w : facts["ways"])
        fmt::print("{}\n  {}{}\n  use: {}\n", w["library"].get<std::string>(),
                   w["built"].get<bool>() ? "built" : "not built",
                   w["installed"].get<bool>() ? "" : "; its launcher is not installed",
                   w["use"].get<std::string>());
    const auto& trees = facts["trees"];
    const auto problem = trees["problem"].get<std::string>();
    fmt::print("trees: {}\n", !problem.empty()
                                  ? fmt::format("by the model; {} is not used: {}",
                                                trees["file"].get<std::string>(), problem)
                              : trees["rows"].get<std::size_t>() == 0
                                  ? "by the model; nothing was measured here (artel mpi tune)"
                                  : "as measured, in " + trees["file"].get<std::string>());
    fmt::print("queue:\n");
    for (const auto& n : facts["queue"]) {
        const auto value = n["value"].get<std::string>();
        fmt::print("  {} = {}{}\n", n["name"].get<std::string>(), value.empty() ? "" : value + ": ",
                   n["origin"].get<std::string>());
    }
    fmt::print("settings (environment; as MCA parameters coll_artel_NAME of the component)\n");
    for (const auto& s : facts["settings"])
        fmt::print("  {:<22} {:<10} {} ({})\n", s["variable"].get<std::string>(),
                   s["value"].get<std::string>(), s["meaning"].get<std::string>(),
                   s["allowed"].get<std::string>());
}

[[noreturn]] void bench(const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{"--libraries", library_folder().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    run_script("mpi/run", "artel mpi bench", words);
}

}  // namespace

void add_mpi(CLI::App& app, context& state)
{
    auto* command = app.add_subcommand("mpi", mpi_text);
    command->require_subcommand(1);
    auto as_json = std::make_shared<bool>(false);
    auto* info_command = command->add_subcommand(
        "info", "Show the libraries, how to use them, and the settings in force");
    info_command->add_flag("--json", *as_json, "The same as JSON");
    info_command->callback([as_json] { info(*as_json); });

    add_mpi_check(*command, state);
    add_mpi_model(*command, state);
    add_mpi_tune(*command, state);
    add_mpi_trial(*command, state);

    auto* bench_command = command->add_subcommand(
        "bench", "Measure it beside the installed MPIs; --help tells its arguments");
    bench_command->prefix_command();
    bench_command->set_help_flag();  // the script's own
    bench_command->callback([bench_command] { bench(bench_command->remaining()); });
}

}  // namespace artel::tool
