// See command.hpp: from the command line to an exit code, for the tool and for its helpers.
#include "artel/command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace artel::tool {

namespace {

// "artel run", as far as the command line was understood.
std::string command_name(const CLI::App& app)
{
    std::string name = "artel";
    for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
        at = at->get_subcommands().front();
        name += " " + at->get_name();
    }
    return name;
}

// The exit code for what has none of its own. Of `artel run` 1 would be the program's.
int failure_of(const CLI::App& app)
{
    return command_name(app) == "artel run" ? run_failed : failure;
}

// The message for a command line without a subcommand: the word in its place, and which subcommands
// there are. CLI11 says only that one is required.
std::string missing_subcommand(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const auto* sub : command.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(sub->get_name());
    const auto wrong = command.remaining();
    std::string text = wrong.empty() ? "a command is missing"
                       : wrong.front().front() == '-'
                           ? fmt::format("no option {}", wrong.front())
                           : fmt::format("no command '{}'", wrong.front());
    return fmt::format("{}; expected one of {}", text, fmt::join(names, ", "));
}

// CLI11's messages have many forms; ours is always one line, which names the command and says how
// to learn more.
int report_usage_error(const CLI::App& app, const CLI::ParseError& error)
{
    const auto command = command_name(app);
    const CLI::App* innermost = &app;
    while (!innermost->get_subcommands().empty())
        innermost = innermost->get_subcommands().front();
    const bool incomplete = innermost->get_require_subcommand_min() > 0;
    std::string text = incomplete ? missing_subcommand(*innermost) : error.what();
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    fmt::print(stderr, "{}: {}; see '{} --help'\n", command, text, command);
    return command == "artel run" ? run_failed : usage;
}

// Adds the subcommand that the command line names, or all if it names none. To describe the options
// of all takes longer than everything else that `artel run` does.
void add_subcommands(CLI::App& app, std::span<const subcommand> subcommands,
                     const std::vector<std::string>& words, context& state)
{
    const auto named = std::ranges::find_if(
        subcommands, [&](const subcommand& it) { return words.size() > 1 && words[1] == it.name; });
    for (auto it = subcommands.begin(); it != subcommands.end(); ++it)
        if (named == subcommands.end() || it == named)
            it->add(app, state);
}

}  // namespace

int run_command(std::vector<std::string> words, std::span<const subcommand> subcommands,
                preparation before_parsing)
{
    context state;
    CLI::App app(
        "Runs programs on Artel's crew of worker threads, and shows what the crew sees of the "
        "machine.",
        "artel");
    app.set_version_flag("--version", std::string("artel " ARTEL_VERSION));
    app.require_subcommand(1);
    app.footer(
        "'artel COMMAND --help' tells about a command; the manual pages are artel(1) and "
        "artel(7).\n"
        "Exit codes: 0 success, 1 failure, 2 wrong command line; for those of 'artel run' see its "
        "help.");
    add_subcommands(app, subcommands, words, state);

    try {
        if (before_parsing != nullptr)
            before_parsing(app, words, state);
        // CLI11's vector form wants the last word first, and no program name.
        std::reverse(words.begin() + 1, words.end());
        words.erase(words.begin());
        app.parse(words);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw command_error(failure,
                                fmt::format("cannot write the output: {}", std::strerror(errno)));
        return state.exit_code;
    } catch (const CLI::Success& done) {  // --help and --version
        const int code = app.exit(done);
        if (std::cout.flush())
            return code;
        fmt::print(stderr, "{}: cannot write the output: {}\n", command_name(app),
                   std::strerror(errno));
        return failure_of(app);
    } catch (const CLI::ParseError& error) {
        return report_usage_error(app, error);
    } catch (const command_error& error) {
        fmt::print(stderr, "{}: {}\n", command_name(app), error.what());
        return error.code();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", command_name(app), error.what());
        return failure_of(app);
    }
}

}  // namespace artel::tool
