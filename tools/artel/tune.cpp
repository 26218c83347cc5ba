// artel tune: measures how long loops take to reach all workers on this machine, and writes what
// the timespan algorithms need to the machine's profile (loop/profile.hpp). One process per number
// of workers, because the width of a crew never changes.
#include "artel/command.hpp"
#include "artel/json_text.hpp"
#include "artel/tune_measure.hpp"
#include "artel/tune_print.hpp"
#include "artel/tune_width.hpp"
#include "artel/whole_file.hpp"
#include "base/os/process.hpp"
#include "loop/profile.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

struct tune_arguments {
    std::size_t runs = 10000;
    std::vector<unsigned> threads;
    unsigned measure_one = 0;
    bool as_json = false, dry = false, quiet = false;
};

// --- the processes -------------------------------------------------------------------------------

json measure_in_child(unsigned threads, const tune_arguments& arguments)
{
    int ends[2];
    if (::pipe(ends) != 0) {
        throw command_error(failure, fmt::format("no pipe: {}", std::strerror(errno)));
    }
    const std::string runs = std::to_string(arguments.runs);
    const std::string width = std::to_string(threads);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) {
        throw command_error(failure, fmt::format("no process: {}", std::strerror(errno)));
    }
    if (child == 0) {
        if (!base::os::die_with_parent(parent)) {
            ::_exit(failure);
        }
        ::dup2(ends[1], 1);
        ::close(ends[0]);
        ::close(ends[1]);
        ::setenv("ARTEL_NUM_THREADS", width.c_str(), 1);
        std::vector<const char*> words{"artel",       "tune",   "--measure-one",
                                       width.c_str(), "--runs", runs.c_str()};
        if (arguments.quiet) {
            words.push_back("--quiet");
        }
        words.push_back(nullptr);
        ::execv("/proc/self/exe", const_cast<char**>(words.data()));
        ::_exit(failure);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) != 0;) {
        if (n > 0) {
            text.append(buffer, static_cast<std::size_t>(n));
        } else if (errno != EINTR) {
            break;
        }
    }
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    json result = json::parse(text, nullptr, false);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || result.is_discarded()) {
        throw command_error(failure,
                            fmt::format("the measurement with {} workers failed", threads));
    }
    return result;
}

// Widths at which something changes: two, a cache group, a NUMA node, all cores, all effective
// CPUs.
std::vector<unsigned> usual_widths()
{
    const auto& m = topology::this_machine();
    std::map<unsigned, unsigned> in_cache, in_node;
    for (const auto& each : m.cpus) {
        if (each.smt == 0) {
            ++in_cache[each.l3];
            ++in_node[each.numa];
        }
    }
    std::vector<unsigned> result;
    for (const unsigned n : {2u, in_cache[m.cpus.front().l3], in_node[m.cpus.front().numa], m.cores,
                             m.effective_cpus}) {
        if (n >= 2 && n <= m.effective_cpus) {
            result.push_back(n);
        }
    }
    if (result.empty()) {
        result.push_back(2);  // one CPU, which two workers share
    }
    return result;
}

// --- the profile ---------------------------------------------------------------------------------

std::string now_in_words()
{
    char text[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

// The widths of an earlier profile of this machine that were not measured anew.
json kept_widths(const std::string& path, const std::vector<unsigned>& measured)
{
    json kept = json::array();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        return kept;
    }
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (!loop::parse_profile(text, loop::machine_key()).found()) {
        return kept;
    }
    const json whole = json::parse(text);
    for (const auto& width : whole.at("widths")) {
        if (std::find(measured.begin(), measured.end(), width.at("threads").get<unsigned>()) ==
            measured.end()) {
            kept.push_back(width);
        }
    }
    return kept;
}

void tune(const tune_arguments& arguments)
{
    reporter report(arguments.quiet);
    if (arguments.measure_one != 0) {
        fmt::print("{}\n", measure_width(arguments.measure_one, arguments.runs, report).dump());
        return;
    }
    const std::string path = loop::profile_path();
    if (path.empty() && !arguments.dry) {
        throw command_error(
            failure,
            "no place for the profile: neither XDG_CACHE_HOME nor HOME is an absolute path "
            "(--dry-run needs none)");
    }
    std::vector<unsigned> widths = arguments.threads.empty() ? usual_widths() : arguments.threads;
    std::sort(widths.begin(), widths.end());
    widths.erase(std::unique(widths.begin(), widths.end()), widths.end());

    json profile{{"format", loop::profile_format},
                 {"machine", loop::machine_key()},
                 {"made", now_in_words()},
                 {"version", ARTEL_VERSION}};
    profile["levels"] = json::array();
    for (const level& l : measure_levels(300)) {
        profile["levels"].push_back({{"share", l.name},
                                     {"cpus", {l.from, l.to}},
                                     {"notification_ns", l.notification_ns},
                                     {"copy_ns_per_kib", l.copy_ns_per_kib}});
    }
    profile["yield_ns"] = measure_turn(100);
    json measured = json::array();
    for (const unsigned threads : widths) {
        measured.push_back(measure_in_child(threads, arguments));
    }
    profile["widths"] = path.empty() ? json::array() : kept_widths(path, widths);
    for (const auto& width : measured) {
        profile["widths"].push_back(width);
    }
    if (!arguments.dry) {
        write_whole_file(path, json_text(profile, 1) + "\n");
    }
    if (arguments.as_json) {
        fmt::print("{}\n", json_text(profile, 1));
        return;
    }
    print_profile(profile, measured);
    fmt::print("{}{}\n", arguments.dry ? "not written: --dry-run" : "written to ",
               arguments.dry ? "" : path);
}

}  // namespace

void add_tune(CLI::App& app, context&)
{
    auto* command = app.add_subcommand(
        "tune", "Measure how fast loops reach all workers here, for the timespan algorithms");
    auto arguments = std::make_shared<tune_arguments>();
    command
        ->add_option("--runs", arguments->runs,
                     "Loops to time for each number of workers, one after the other in one process "
                     "(default 10000); --rounds of other commands repeats a whole measurement")
        ->check(CLI::Range(std::size_t{100}, std::size_t{10000000}))
        ->type_name("N");
    command
        ->add_option("--threads", arguments->threads,
                     "Numbers of workers (default: two, a cache group, a NUMA node, all CPUs)")
        ->delimiter(',')
        ->check(CLI::Range(2, 1024))
        ->type_name("LIST");
    command->add_flag("--json", arguments->as_json, "Print the profile instead of what it says");
    command->add_flag("--dry-run", arguments->dry, "Measure, but leave the profile as it is");
    command->add_flag("-q,--quiet", arguments->quiet, "No progress on standard error");
    // hidden: by ourselves.
    command->add_option("--measure-one", arguments->measure_one)
        ->check(CLI::Range(2, 1024))
        ->group("");
    command->footer(
        "The profile is kept in $XDG_CACHE_HOME/artel or ~/.cache/artel; 'artel info' shows what "
        "is in force.\n"
        "Exit codes: 0 success, 1 nothing measured or written, 2 wrong command line.");
    command->callback([arguments] { tune(*arguments); });
}

}  // namespace artel::tool
