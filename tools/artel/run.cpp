// artel run: sets ARTEL_ variables and LD_PRELOAD, then becomes the program.
//
// The program replaces this process (execve), so that signals, terminals, job control and the
// process number are exactly as without us. Only --stats needs a parent that waits.
#include "artel/command.hpp"
#include "artel/page_policy.hpp"
#include "artel/preload.hpp"
#include "artel/program.hpp"
#include "artel/stats.hpp"
#include "base/options.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <unistd.h>

namespace artel::tool {

namespace {

struct run_arguments {
    std::optional<std::string> threads, numa, bind, wait, spin, members;
    std::string thp;
    bool stats = false, huge_pages = false, tbb = false, no_tbb = false;
};

const base::option_row& row_of(std::string_view variable)
{
    for (const auto& row : base::option_table())
        if (variable == row.variable)
            return row;
    throw std::logic_error("no such option: " + std::string(variable));
}

// Sets the environment variable of an option of the command line. The value is checked as the
// library would; returns what it means.
base::option_values set_option(const char* flag, const char* variable,
                               const std::optional<std::string>& text)
{
    base::option_values values;
    if (!text)
        return values;
    const auto& row = row_of(variable);
    if (!row.parse(*text, values))
        throw command_error(run_failed, fmt::format("{} {}: expected {}", flag,
                                                    text->empty() ? "''" : *text, row.allowed));
    ::setenv(variable, text->c_str(), 1);
    return values;
}

void apply_environment(const run_arguments& arguments)
{
    const auto threads = set_option("--threads", "ARTEL_NUM_THREADS", arguments.threads)
                             .num_threads;
    // The library ignores nodes that do not exist; a user who names them on the command line gets
    // an error.
    if (!set_option("--numa", "ARTEL_NUMAS", arguments.numa).numas.empty())
        if (const auto& machine = topology::this_machine(); !machine.numas_unusable.empty())
            throw command_error(
                run_failed,
                fmt::format("--numa {}: {}{}{}", *arguments.numa, machine.numas_unusable,
                            machine.survey_failed.empty() ? "" : "; ", machine.survey_failed));
    set_option("--bind", "ARTEL_BIND", arguments.bind);
    set_option("--wait", "ARTEL_WAIT", arguments.wait);
    set_option("--spin", "ARTEL_SPIN", arguments.spin);
    set_option("--members", "ARTEL_MEMBERS", arguments.members);
    // The crew's width and the default size of teams are separate settings; a user who asks for N
    // threads means both.
    if (threads != 0)
        ::setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 0);
    if (arguments.stats)
        ::setenv("ARTEL_STATS", "true", 1);
    if (!arguments.thp.empty())
        set_thp(arguments.thp, arguments.huge_pages);
    if (arguments.huge_pages)
        set_huge_pages();
}

[[noreturn]] void become(const std::string& path, const std::vector<std::string>& words)
{
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(path.c_str(), argv.data());
    const int error = errno;
    if (error == ENOEXEC) {  // a script without "#!", which execvp and shells give to sh
        argv.insert(argv.begin(), const_cast<char*>("/bin/sh"));
        argv[1] = const_cast<char*>(path.c_str());
        ::execv("/bin/sh", argv.data());
    }
    throw command_error(error == ENOENT ? not_found : not_executable,
                        fmt::format("{}: cannot be executed: {}", path,
                                    error == ENOENT ? "its interpreter or loader is missing"
                                                    : std::strerror(error)));
}

// The program is cut off before CLI11 sees the command line, so its own usage line would not
// mention it.
class run_formatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App*, std::string) const override
    {
        return "Usage: artel run [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n";
    }
};

void run(const run_arguments& arguments, context& state)
{
    const auto& words = state.program;
    if (words.empty())
        throw command_error(run_failed, "no program given; see 'artel run --help'");
    const auto library = require_openmp_library();
    const auto path = find_program(words.front());
    const auto hindered = why_not_preloadable(path);
    if (!hindered.reason.empty())
        warn("run", "{} will run without Artel, because {}", path, hindered.reason);
    apply_environment(arguments);
    const auto tbb = arguments.tbb      ? tbb_use::preloaded
                     : arguments.no_tbb ? tbb_use::left_alone
                                        : tbb_use::found;
    if (!hindered.fatal)  // else what the program starts goes without Artel, too
        give_libraries(library, tbb);
    if (arguments.stats)
        state.exit_code = run_with_stats([&] { become(path, words); });
    else
        become(path, words);
}

}  // namespace

void run_without_options(context& state)
{
    run({}, state);
}

void add_run(CLI::App& app, context& state)
{
    auto* command = app.add_subcommand(
        "run", "Run a program on Artel's crew instead of its own OpenMP runtime");
    auto arguments = std::make_shared<run_arguments>();
    const auto option = [&](const char* flag, std::optional<std::string>& target, const char* value,
                            const char* text) {
        command->add_option(flag, target, text)->type_name(value);
    };
    command->formatter(std::make_shared<run_formatter>());
    option("-n,--threads", arguments->threads, "N",
           "Width of the crew, and OMP_NUM_THREADS unless that is set");
    option("--numa", arguments->numa, "LIST", "NUMA nodes to use, such as 0,2-3 (ARTEL_NUMAS)");
    option("--bind", arguments->bind, "HOW", "auto, none, cores, threads or numa (ARTEL_BIND)");
    option("--wait", arguments->wait, "HOW", "auto, active or passive (ARTEL_WAIT)");
    option("--spin", arguments->spin, "US",
           "Microseconds that idle workers spin before they sleep (ARTEL_SPIN)");
    option("--members", arguments->members, "WHAT",
           "light or threads: what members of OpenMP teams are (ARTEL_MEMBERS)");
    command
        ->add_option("--thp", arguments->thp,
                     "Transparent huge pages for the job: never, madvise or always")
        ->check(CLI::IsMember(std::vector<std::string>{"never", "madvise", "always"}))
        ->type_name("HOW");
    command->add_flag("--huge-pages", arguments->huge_pages,
                      "malloc of the job takes explicit huge pages of 2 MiB");
    auto* const tbb = command->add_flag(
        "--tbb", arguments->tbb,
        "Preload the oneTBB library, which else is there for who looks for it");
    command->add_flag("--no-tbb", arguments->no_tbb, "Leave oneTBB programs their own library")
        ->excludes(tbb);
    command->add_flag("--stats", arguments->stats,
                      "When the program ends, print what it used on standard error");
    command->footer(
        "Exit code: the program's own; with --stats 128+n if signal n killed it; 125 if artel "
        "itself failed,\n"
        "126 if the program cannot be executed, 127 if it was not found.");
    command->callback([arguments, &state] { run(*arguments, state); });
}

void cut_off_program(const CLI::App& app, std::vector<std::string>& words, context& state)
{
    if (words.size() < 2 || words[1] != "run")
        return;
    const auto* command = app.get_subcommand("run");
    const auto takes_next_word = [&](const std::string& word) {
        if (word.find('=') != word.npos || (word.size() > 2 && word[1] != '-'))  // --threads=3, -n3
            return false;
        const auto* option = command->get_option_no_throw(word);
        return option != nullptr && option->get_items_expected_min() > 0;
    };
    std::size_t i = 2;
    while (i < words.size() && words[i] != "--" && words[i].size() > 1 && words[i][0] == '-')
        i += takes_next_word(words[i]) ? 2 : 1;
    if (i >= words.size())
        return;
    state.program.assign(
        words.begin() + static_cast<std::ptrdiff_t>(i) + (words[i] == "--" ? 1 : 0), words.end());
    words.resize(i);
}

}  // namespace artel::tool
