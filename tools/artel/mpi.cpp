// artel mpi: the shared-memory broadcast for MPI programs. `info` tells what there is and how to
// use it, `check` whether it works here and where its memory lies, `model` what the analytic model
// makes of this machine, `tune` which trees are fastest on it, `trial` times given settings,
// `bench` measures it beside the installed MPIs and does the paper's experiments.
#include "artel/command.hpp"
#include "artel/helper.hpp"
#include "artel/mpi_check.hpp"
#include "artel/mpi_model.hpp"
#include "artel/mpi_trial_command.hpp"
#include "artel/mpi_tune_command.hpp"
#include "artel/script.hpp"
#include "coll/memory_use.hpp"
#include "coll/sizing.hpp"
#include "coll/tree_file.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
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
        const auto library = library_folder() / w.library;
        const bool component = library.extension() == ".so" &&
                               library.filename().string().rfind("mca_", 0) == 0;
        const std::string given = component ? library.parent_path().string() : library.string();
        result["ways"].push_back({{"library", library.string()},
                                  {"built", fs::exists(library)},
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
        fmt::print("{}\n", facts.dump(2));
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

struct variant {
    const char* name;
    std::vector<std::pair<const char*, const char*>> settings;
};

// The ways to get memory placed that docs/mpi-performance.md compares.
const std::vector<variant>& variants()
{
    static const std::vector<variant> all{
        {"reserved by each rank", {}},
        {"first touch", {{"reserve", "off"}}},
        {"first touch, MADV_RANDOM", {{"reserve", "off"}, {"random", "on"}}},
        {"all by rank 0", {{"place", "off"}}},
        {"laid wrong, and moved", {{"place", "wrong"}}},
        {"laid wrong, not looked at", {{"place", "wrong"}, {"pages", "off"}}},
        {"reserved by each rank, huge pages", {{"huge", "on"}}},
        {"first touch, huge pages", {{"reserve", "off"}, {"huge", "on"}}},
    };
    return all;
}

json check_one(unsigned ranks, const coll::settings& settings, const char* name,
               const std::string& memory, bool unbound)
{
    const auto report = check_placement(ranks, settings, unbound);
    json result{{"memory", memory},        {"how", name},
                {"usable", report.usable}, {"works", report.works},
                {"direct", report.direct}, {"story", report.story},
                {"ranks", json::array()}};
    for (const auto& r : report.ranks)
        result["ranks"].push_back({{"node", r.node},
                                   {"pages", r.pages},
                                   {"at_home", r.at_home},
                                   {"elsewhere", r.elsewhere},
                                   {"setup_us", r.setup * 1e6},
                                   {"look_us", r.look * 1e6}});
    return result;
}

void print_check(const json& c)
{
    std::size_t pages = 0, at_home = 0, elsewhere = 0;
    double setup = 0, look = 0;
    for (const auto& r : c["ranks"]) {
        pages += r["pages"].get<std::size_t>();
        at_home += r["at_home"].get<std::size_t>();
        elsewhere += r["elsewhere"].get<std::size_t>();
        setup = std::max(setup, r["setup_us"].get<double>());
        look = std::max(look, r["look_us"].get<double>());
    }
    fmt::print(
        "{:<12} {:<36} {}  pages {:>6}: {:>6} at home, {:>6} elsewhere; set-up {:.0f} us, looking {:.0f}\n",
        c["memory"].get<std::string>(), c["how"].get<std::string>(),
        c["works"].get<bool>() ? "works " : "FAILED", pages, at_home, elsewhere, setup, look);
    if (!c["usable"].get<bool>())
        fmt::print("  {}\n", c["story"].get<std::string>());
}

int check(unsigned ranks, bool all, const std::string& directory, bool unbound, bool as_json)
{
    json results = json::array();
    const auto own = coll::settings_of_environment();
    if (!all) {
        results.push_back(check_one(ranks, own, "settings in force",
                                    own.sort == coll::memory_sort::memfd ? "memfd" : own.directory,
                                    unbound));
    } else {
        std::vector<std::string> memories{"memfd", "/dev/shm"};
        if (!directory.empty())
            memories.push_back(directory);
        for (const auto& memory : memories)
            for (const auto& v : variants()) {
                auto s = own;
                if (!coll::set_by_name(s, "memory", memory.c_str()))
                    throw command_error(
                        usage,
                        fmt::format("--directory '{}': an absolute path of at most 63 characters",
                                    memory));
                for (const auto& [name, word] : v.settings)
                    coll::set_by_name(s, name, word);
                results.push_back(check_one(ranks, s, v.name, memory, unbound));
            }
    }
    bool good = true;
    for (const auto& c : results) {
        good = good && c["works"].get<bool>();
        if (!as_json)
            print_check(c);
    }
    if (as_json)
        fmt::print("{}\n", results.dump(2));
    return good ? success : failure;
}

json parameters(const coll::model_times& t)
{
    return {{"per_byte_ns", t.per_byte * 1e9},
            {"quicker_per_byte_ns", (t.quicker != 0 ? t.quicker : t.per_byte) * 1e9},
            {"notify_ns", t.notify * 1e9},
            {"set_wait_ns", t.set_wait * 1e9},
            {"atomic_ns", t.atomic * 1e9}};
}

int model(unsigned ranks, bool as_json)
{
    const auto report = compare_model(ranks, coll::settings_of_environment());
    const auto& t = report.times;
    if (!report.works) {
        fmt::print(stderr, "artel mpi model: the ranks could not be set up: {}\n", report.story);
        return failure;
    }
    json result = parameters(t);
    result.update({{"ranks", ranks},
                   {"queue_bytes", report.queue_bytes},
                   {"sets", report.sets},
                   {"rows", json::array()}});
    for (const auto& r : report.rows) {
        json row = parameters(r.times);
        row.update({{"bytes", r.bytes},
                    {"fragment", r.fragment},
                    {"predicted_us", r.predicted * 1e6},
                    {"measured_us", r.measured * 1e6}});
        result["rows"].push_back(std::move(row));
    }
    if (as_json) {
        fmt::print("{}\n", result.dump(2));
        return success;
    }
    fmt::print(
        "{} ranks: a byte t = {:.4f} ns, a notification t_W = {:.0f} ns, opening a set t_WO = {:.0f} ns, an atomic operation t_A = {:.1f} ns\n",
        ranks, t.per_byte * 1e9, t.notify * 1e9, t.set_wait * 1e9, t.atomic * 1e9);
    for (auto row = report.rows.begin(); row != report.rows.end();) {
        const auto end = std::find_if(row, report.rows.end(),
                                      [&](const auto& r) { return r.bytes != row->bytes; });
        const auto best = std::min_element(
            row, end, [](const auto& a, const auto& b) { return a.measured < b.measured; });
        fmt::print("{} bytes, queue of {}: f* = {:.0f}; best of those measured: {}\n", row->bytes,
                   report.queue_bytes,
                   coll::best_fragment(row->times, report.queue_bytes, row->bytes), best->fragment);
        for (; row != end; ++row)
            fmt::print(
                "  f = {:>6}, t = {:.3f} ns: predicted {:>9.1f} us, measured {:>9.1f} us, measured / predicted {:.2f}\n",
                row->fragment, row->times.per_byte * 1e9, row->predicted * 1e6, row->measured * 1e6,
                row->measured / row->predicted);
    }
    return success;
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

    struct check_arguments {
        unsigned ranks = 2;
        bool all = false, unbound = false, as_json = false;
        std::string directory;
    };
    auto arguments = std::make_shared<check_arguments>();
    auto* check_command = command->add_subcommand(
        "check",
        "Set it up among processes of this tool, broadcast, and show where the memory lies");
    check_command->add_option("-n", arguments->ranks,
                              "Number of processes, spread over the NUMA nodes (default 2)");
    check_command->add_flag("--all", arguments->all,
                            "Every way to get and to place memory, for comparison");
    check_command->add_option("--directory", arguments->directory,
                              "With --all: also on a file in this directory");
    check_command->add_flag("--unbound", arguments->unbound,
                            "Leave the processes where the system puts them");
    check_command->add_flag("--json", arguments->as_json, "The same, rank by rank, as JSON");
    check_command->callback([arguments, &state] {
        state.exit_code = check(arguments->ranks, arguments->all, arguments->directory,
                                arguments->unbound, arguments->as_json);
    });

    auto* model_command = command->add_subcommand(
        "model",
        "Measure the analytic model's parameters here, and what it predicts for the paper's protocol beside what that takes");
    model_command->add_option("-n", arguments->ranks, "Number of processes (default 2)");
    model_command->add_flag("--json", arguments->as_json, "The same as JSON");
    model_command->callback(
        [arguments, &state] { state.exit_code = model(arguments->ranks, arguments->as_json); });

    add_mpi_tune(*command, state);
    add_mpi_trial(*command, state);

    auto* bench_command = command->add_subcommand(
        "bench", "Measure it beside the installed MPIs; --help tells its arguments");
    bench_command->prefix_command();
    bench_command->set_help_flag();  // the script's own
    bench_command->callback([bench_command] { bench(bench_command->remaining()); });
}

}  // namespace artel::tool
