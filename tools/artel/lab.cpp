// artel lab: threads against processes, small against huge pages, measured on the user's own
// machine. What it does is in lab/; here is its command line.
#include "lab/run.hpp"

#include "artel/command.hpp"
#include "artel/helper.hpp"
#include "artel/old_name.hpp"
#include "lab/allocators.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace artel::tool {

namespace {

struct lab_arguments {
    lab::run_options run;
    bool quick = false, paper = false, no_reserve = false, no_allocators = false;
    std::string one_cell;
    int timeout = 600, stop_after = -1;
};

void run_lab(lab_arguments& arguments, context& state)
{
    if (!arguments.one_cell.empty())
        lab::run_cell_and_report(arguments.one_cell);
    auto& options = arguments.run;
    options.plan.how_much = arguments.quick   ? lab::scale::quick
                            : arguments.paper ? lab::scale::paper
                                              : lab::scale::normal;
    options.plan.allocators = !arguments.no_allocators;
    options.reserve = !arguments.no_reserve;
    options.job.timeout = std::chrono::seconds(arguments.timeout);
    if (arguments.stop_after >= 0)
        options.stop_after = std::chrono::seconds(arguments.stop_after);
    options.job.program = std::filesystem::read_symlink("/proc/self/exe").string();
    try {
        state.exit_code = lab::run_lab(options);
    } catch (const lab::interrupted& stop) {
        fmt::print(
            stderr,
            "artel lab: interrupted; finished cells are kept in {}: the same command goes on from "
            "there\n",
            options.folder.string());
        state.exit_code = 128 + stop.signal;
    } catch (const std::invalid_argument& error) {
        throw command_error(usage, error.what());
    }
}

}  // namespace

void add_lab(CLI::App& app, context& state)
{
    auto* command = app.add_subcommand("lab", lab_text);
    auto arguments = std::make_shared<lab_arguments>();
    auto& plan = arguments->run.plan;
    auto* quick = command->add_flag("--quick", arguments->quick,
                                    "Small sizes and few numbers of tasks: under a minute");
    command->add_flag("--paper", arguments->paper, "The paper's sizes: hours")->excludes(quick);
    std::vector<std::string> names;
    for (const auto& it : lab::variants())
        names.emplace_back(it.name);
    command->add_option("--only", plan.workloads, "Workloads: alloc, rows, tiles, exchanges")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>{"alloc", "rows", "tiles", "exchanges"}))
        ->type_name("LIST");
    command
        ->add_option("--variants", plan.variant_names,
                     "Variants: T, T-M, P, HP.T-M, HP.P, T-N, P-N")
        ->delimiter(',')
        ->check(CLI::IsMember(names))
        ->type_name("LIST");
    command->add_option("-n,--tasks", plan.tasks, "Numbers of tasks, such as 1,2,8")
        ->delimiter(',')
        ->check(CLI::Range(1u, 65536u))
        ->type_name("LIST");
    const auto rounds = CLI::Range(1u, 1000u);
    CLI::Option* const in_rounds = command
                                       ->add_option("--rounds", plan.repeats,
                                                    "How often each cell is measured")
                                       ->check(rounds)
                                       ->type_name("N");
    add_old_name(*command, "artel lab", "--repeats", in_rounds, plan.repeats)->check(rounds);
    command->add_option("--affinity", plan.affinity, "interleave, group or none")
        ->check(CLI::IsMember(std::vector<std::string>{"interleave", "group", "none"}))
        ->type_name("HOW");
    const auto size = CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40);
    command->add_option("--alloc-k", plan.alloc_size, "Steps of Alloc in all")
        ->check(size)
        ->type_name("K");
    command->add_option("--matrix-k", plan.matrix_size, "Rows and columns of the matrices")
        ->check(CLI::Range(1u, 65536u))
        ->type_name("K");
    command->add_option("--exchange-k", plan.exchange_size, "Steps of Exchanges in all")
        ->check(size)
        ->type_name("K");
    command
        ->add_option("-w,--width", plan.width,
                     "Most elements by which Exchanges grows or shrinks an array")
        ->check(CLI::Range(1u, 1u << 24))
        ->type_name("W");
    command->add_flag("--full-check", plan.full_check,
                      "Compare every result with a serial computation, not with quick tests");
    command->add_flag("--no-allocators", arguments->no_allocators,
                      "Do not compare allocators on Alloc");
    command->add_flag("--no-reserve", arguments->no_reserve,
                      "Do not reserve huge pages for the time of the run");
    command
        ->add_option("--tmpfs", plan.tmpfs,
                     "Folder for the arrays of Exchanges by processes (default /dev/shm)")
        ->check(CLI::ExistingDirectory)
        ->type_name("FOLDER");
    command
        ->add_option("--timeout", arguments->timeout,
                     "Seconds after which one measurement is given up (default 600)")
        ->check(CLI::Range(1, 1000000))
        ->type_name("S");
    command
        ->add_option(
            "--stop-after", arguments->stop_after,
            "Seconds after which no measurement is begun; the report shows what is there, and the "
            "same command goes on later")
        ->check(CLI::Range(0, 100000000))
        ->type_name("S");
    CLI::Option* const out = command
                                 ->add_option("-o,--out", arguments->run.folder,
                                              "Folder for report.html and results.json (default "
                                              "artel-lab)")
                                 ->type_name("FOLDER");
    add_old_name(*command, "artel lab", "--output", out, arguments->run.folder);
    command->add_flag("--fresh", arguments->run.fresh,
                      "Forget an interrupted run instead of going on with it");
    command->add_flag("--list", arguments->run.list_only, "Print what would be measured");
    // hidden: how the lab calls itself for one measurement.
    command->add_option("--cell", arguments->one_cell)->group("");
    command->footer(
        "A run that was interrupted goes on when the command is given again.\n"
        "Exit code: 0, 1 if a check found a wrong result or the lab failed, 2 if the command line "
        "is wrong, 128+n after signal n.");
    command->callback([arguments, &state] { run_lab(*arguments, state); });
}

}  // namespace artel::tool
