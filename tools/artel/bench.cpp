// artel bench: the loop suite on the user's own machine, beside whatever peers it has. What it does
// is in bench/run and bench/suite; here is its command line.
#include "artel/command.hpp"
#include "artel/script.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace artel::tool {

namespace {

struct bench_arguments {
    std::vector<std::string> names, against, threads, files;
    bool quick = false, full = false, list = false, no_build = false;
    int rounds = 0;
    std::string folder, matrix;
};

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : ",") + word;
    return text;
}

void run_bench(const bench_arguments& arguments)
{
    std::vector<std::string> words{"--libraries", library_folder().string()};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            words.insert(words.end(), {option, value});
    };
    if (arguments.files.empty()) {
        add("--against", joined(arguments.against));
        add("--threads", joined(arguments.threads));
        add("--rounds", arguments.rounds != 0 ? std::to_string(arguments.rounds) : "");
        add("--out", arguments.folder);
        add("--matrix", arguments.matrix);
        for (const auto& [given, option] : {std::pair{arguments.quick, "--quick"},
                                            {arguments.full, "--full"},
                                            {arguments.list, "--list"},
                                            {arguments.no_build, "--no-build"}})
            if (given)
                words.emplace_back(option);
        words.emplace_back("--");
        if (arguments.names.empty())
            words.emplace_back("loops.");
        words.insert(words.end(), arguments.names.begin(), arguments.names.end());
    } else {
        words.emplace_back("--compare");
        words.insert(words.end(), arguments.files.begin(), arguments.files.end());
    }
    run_script("bench/run", "artel bench", words);
}

}  // namespace

void add_bench(CLI::App& app, context&)
{
    auto* command = app.add_subcommand(
        "bench", "Measure Artel's loops beside the other runtimes on this machine");
    auto arguments = std::make_shared<bench_arguments>();
    command->add_option(
        "NAMES", arguments->names,
        "Benchmarks whose names contain one of these (default: the whole loop suite)");
    command
        ->add_option(
            "--against", arguments->against,
            "Peers: libgomp, libomp, tbb-debian, tbb-pypi, taskflow, eigen, rayon, std-par, or one "
            "way of one, such as libgomp-static (default: all that are there)")
        ->delimiter(',')
        ->allow_extra_args(false)  // names may follow
        ->type_name("LIST");
    command->add_option("--threads", arguments->threads, "Numbers of workers (default 2,16)")
        ->delimiter(',')
        ->allow_extra_args(false)  // names may follow
        ->check(CLI::Range(1, 1024))
        ->type_name("LIST");
    auto* quick = command->add_flag("--quick", arguments->quick,
                                    "Few sizes, 2 short rounds: minutes, and rough");
    command->add_flag("--full", arguments->full, "All sizes and schedules, 15 rounds: hours")
        ->excludes(quick);
    command
        ->add_option("--rounds", arguments->rounds,
                     "Processes per benchmark and runtime (default 5)")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    command
        ->add_option("-o,--out", arguments->folder,
                     "Folder for report.html, results.json and table.txt")
        ->type_name("DIR");
    command
        ->add_option("--matrix", arguments->matrix,
                     "Matrix Market file for the benchmark of a real sparse matrix")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    command->add_flag("--no-build", arguments->no_build,
                      "Take the programs as they were built last time");
    command->add_flag("--list", arguments->list, "Print the names of the benchmarks");
    command
        ->add_option("--compare", arguments->files,
                     "Two results.json: what changed by more than noise")
        ->expected(2)
        ->type_name("A B");
    command->footer(
        "The programs are built first, with the compilers and peers that are installed.\n"
        "Exit code: 0; 1 if a program of ours failed or gave a wrong result, or with --compare if "
        "ours got slower; 2 if the command\n"
        "line is wrong; 3 if nothing could be built or measured; 130 when interrupted.");
    command->callback([arguments] { run_bench(*arguments); });
}

}  // namespace artel::tool
