// artel doctor: which libraries of a program or a process start threads, which images need them,
// and whether the crew serves them. This file has the command line and the output.
#include "artel/command.hpp"
#include "artel/json_text.hpp"
#include "artel/loaded_images.hpp"
#include "artel/program.hpp"
#include "artel/thread_libraries.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace artel::tool {

namespace {

void print(const std::vector<finding>& findings)
{
    if (findings.empty())
        fmt::print("no library that brings threads\n");
    for (const auto& it : findings) {
        fmt::print("{:<9} {}\n{:<9} served by     {}\n", it.family, it.path, "", it.served);
        fmt::print("{:<9} asked for by  {}\n", "",
                   it.asked_for_by.empty() ? "LD_PRELOAD or dlopen"
                                           : fmt::format("{}", fmt::join(it.asked_for_by, ", ")));
    }
}

struct doctor_arguments {
    std::string of;
    bool as_json = false;
};

void doctor(const doctor_arguments& arguments, context& state)
{
    const auto& of = arguments.of;
    const bool is_number = !of.empty() && of.find_first_not_of("0123456789") == of.npos;
    std::map<std::string, int> threads;
    std::vector<image> images;
    std::string unreachable;
    if (is_number) {
        images = images_of_process(of);
        threads = threads_of_process(of);
        if (images.empty())
            throw command_error(failure, fmt::format("process {}: it has no programs or libraries "
                                                     "(a thread of the kernel, or it has ended)",
                                                     of));
    } else {
        const auto path = find_program(of);
        auto hindered = why_not_preloadable(path);
        if (hindered.fatal)  // asked what it loads, another dynamic linker would start the program
            throw command_error(
                failure, fmt::format("{}: {}, so nothing can be told", path, hindered.reason));
        unreachable = std::move(hindered.reason);
        images = images_of_program(path);
    }
    const auto findings = examine(images);
    const bool fine = unreachable.empty() &&
                      std::none_of(findings.begin(), findings.end(),
                                   [](const finding& it) { return it.could_be; });
    if (arguments.as_json) {
        nlohmann::json json{{"images", nlohmann::json::array()}, {"fine", fine}};
        for (const auto& it : findings)
            json["images"].push_back({{"family", it.family},
                                      {"file", it.path},
                                      {"served_by", it.served},
                                      {"asked_for_by", it.asked_for_by}});
        if (is_number)
            json["threads"] = threads;
        fmt::print("{}\n", json_text(json));
    } else {
        print(findings);
        for (const auto& [name, count] : threads)
            fmt::print("{:<9} {} {}\n", name == threads.begin()->first ? "threads" : "", count,
                       name);
        if (!unreachable.empty())
            fmt::print("{} runs without Artel, because {}\n", of, unreachable);
    }
    state.exit_code = fine ? success : failure;
}

}  // namespace

void add_doctor(CLI::App& app, context& state)
{
    auto* command = app.add_subcommand(
        "doctor",
        "Show which libraries of a program or process bring threads, and who serves them");
    auto arguments = std::make_shared<doctor_arguments>();
    command
        ->add_option("target", arguments->of,
                     "A program, as it would start under `artel run`, or the number of a process")
        ->type_name("PROGRAM|PID")
        ->required();
    command->add_flag("--json", arguments->as_json, "The same facts as JSON");
    command->footer(
        "Libraries that a program opens later are seen in a process only.\n"
        "Exit code: 0 if the crew serves all that it can serve; 1 if not, or if nothing can be "
        "told;\n"
        "2 if the command line is wrong; 126 or 127 if the program cannot be executed or found.");
    command->callback([arguments, &state] { doctor(*arguments, state); });
}

}  // namespace artel::tool
