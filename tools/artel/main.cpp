// The `artel` command: parses the command line, runs one subcommand, turns every failure into one
// line and an exit code.
#include "artel/command.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Where a subcommand should stand and none does: what stands there instead, and which there are.
// CLI11 says only that one is required.
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

// CLI11 tells the user in many shapes; ours is always one line that names the command, and how to
// learn more.
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
    return command == "artel run" ? artel::tool::run_failed : artel::tool::usage;
}

struct subcommand {
    std::string_view name;
    void (*add)(CLI::App&, artel::tool::context&);
};

constexpr subcommand subcommands[] = {
    {"run", artel::tool::add_run},     {"info", artel::tool::add_info},
    {"bench", artel::tool::add_bench}, {"tune", artel::tool::add_tune},
    {"lab", artel::tool::add_lab},     {"mpi", artel::tool::add_mpi},
};

// The one that the command line names, else all: the options of the others take longer to describe
// than `artel run` needs for everything else.
void add_subcommands(CLI::App& app, const std::vector<std::string>& words,
                     artel::tool::context& state)
{
    const auto named = std::ranges::find_if(
        subcommands, [&](const subcommand& it) { return words.size() > 1 && words[1] == it.name; });
    for (const auto& it : subcommands)
        if (named == std::end(subcommands) || &it == named)
            it.add(app, state);
}

// "artel run program ...": without options there is nothing to parse, and describing the options
// takes longer than everything else that happens before the program.
bool runs_plainly(const std::vector<std::string>& words)
{
    return words.size() > 2 && words[1] == "run" &&
           (words[2] == "--" ? words.size() > 3 : words[2].size() < 2 || words[2][0] != '-');
}

int run_plainly(std::vector<std::string> words)
{
    artel::tool::context state;
    words.erase(words.begin(), words.begin() + (words[2] == "--" ? 3 : 2));
    state.program = std::move(words);
    try {
        artel::tool::run_without_options(state);
        return state.exit_code;
    } catch (const artel::tool::command_error& error) {
        fmt::print(stderr, "artel run: {}\n", error.what());
        return error.code();
    } catch (const std::exception& error) {
        fmt::print(stderr, "artel: {}\n", error.what());
        return artel::tool::failure;
    }
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv, argv + argc);
    if (runs_plainly(words))
        return run_plainly(std::move(words));
    artel::tool::context state;
    CLI::App app(
        "Runs programs on Artel's crew of worker threads, and shows what the crew sees of the machine.",
        "artel");
    app.set_version_flag("--version", std::string("artel " ARTEL_VERSION));
    app.require_subcommand(1);
    app.footer(
        "'artel COMMAND --help' tells about a command; the manual pages are artel(1) and artel(7).\n"
        "Exit codes: 0 success, 1 failure, 2 wrong command line; for those of 'artel run' see its help.");
    add_subcommands(app, words, state);

    try {
        artel::tool::cut_off_program(app, words, state);
        // CLI11's vector form wants the last word first, and no program name.
        std::reverse(words.begin() + 1, words.end());
        words.erase(words.begin());
        app.parse(words);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw artel::tool::command_error(
                artel::tool::failure,
                fmt::format("cannot write the output: {}", std::strerror(errno)));
        return state.exit_code;
    } catch (const CLI::Success& done) {  // --help and --version
        return app.exit(done);
    } catch (const CLI::ParseError& error) {
        return report_usage_error(app, error);
    } catch (const artel::tool::command_error& error) {
        fmt::print(stderr, "{}: {}\n", command_name(app), error.what());
        return error.code();
    } catch (const std::exception& error) {
        fmt::print(stderr, "artel: {}\n", error.what());
        return artel::tool::failure;
    }
}
