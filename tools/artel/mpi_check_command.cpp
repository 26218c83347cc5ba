// artel mpi check: broadcasts among processes of this tool, with the settings in force or with
// every way to place memory, and shows where the memory lies.
#include "artel/mpi_check_command.hpp"

#include "artel/json_text.hpp"
#include "artel/mpi_check.hpp"
#include "artel/mpi_ranks.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

struct check_arguments {
    unsigned ranks = 2;
    bool all = false, unbound = false, as_json = false;
    std::string directory;
};

struct variant {
    const char* name;
    std::vector<std::pair<const char*, const char*>> settings;
};

// The ways to place memory that docs/mpi-performance.md compares.
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
        "{:<12} {:<36} {}  pages {:>6}: {:>6} at home, {:>6} elsewhere; set-up {:.0f} us, looking "
        "{:.0f}\n",
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
        fmt::print("{}\n", json_text(results));
    return good ? success : failure;
}

}  // namespace

void add_mpi_check(CLI::App& mpi, context& state)
{
    auto arguments = std::make_shared<check_arguments>();
    auto* check_command = mpi.add_subcommand(
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
}

}  // namespace artel::tool
