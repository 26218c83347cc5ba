// What all subcommands of `artel` share: how they are added to the command line, their exit codes,
// and how they report failures.
//
// A subcommand is one file, with one function add_<name>() declared here and called by
// run_command() for the program that has it. It describes its options to CLI11 and sets a callback
// that does the work and stores the exit code in context::exit_code.
#pragma once

#include <fmt/format.h>

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// CLI11 costs each file that includes it seconds of compile time: only those with options do.
namespace CLI {
class App;
}

namespace artel::tool {

// Exit codes of `artel` itself. `artel run` gives the program's own code, and otherwise those of
// env(1) and timeout(1).
enum exit_code : int {
    success = 0,
    failure = 1,           // the command could not do its work
    usage = 2,             // wrong command line
    run_failed = 125,      // artel run: wrong command line, or the library is missing
    not_executable = 126,  // artel run: the program exists but cannot be executed
    not_found = 127,       // artel run: no such program
};

struct context {
    int exit_code = success;
    std::vector<std::string> program;  // artel run: the program and its arguments
};

// A failure that is reported as "artel <command>: <message>" and ends the command with `code`.
class command_error : public std::runtime_error {
public:
    command_error(int code, const std::string& message) : std::runtime_error(message), code_(code)
    {}
    int code() const noexcept { return code_; }

private:
    int code_;
};

// "artel <command>: warning: ..." on stderr; the command goes on.
template <typename... Args>
void warn(const char* command, fmt::format_string<Args...> format, Args&&... args)
{
    fmt::print(stderr, "artel {}: warning: {}\n", command,
               fmt::format(format, std::forward<Args>(args)...));
}

struct subcommand {
    std::string_view name;
    void (*add)(CLI::App&, context&);
};

// Called with the words after the subcommands are described and before CLI11 parses them.
using preparation = void (*)(const CLI::App& app, std::vector<std::string>& words, context& state);

// Parses the command line (words[0] is the program), runs one subcommand, turns every failure into
// one line and an exit code, which it returns.
int run_command(std::vector<std::string> words, std::span<const subcommand> subcommands,
                preparation before_parsing = nullptr);

void add_run(CLI::App& app, context& state);

// `artel run` of state.program with no option given.
void run_without_options(context& state);

// Moves the program and its arguments from the words of an `artel run` command line to
// state.program; leaves the words of any other command alone. The program begins after "--" or at
// the first word that is neither an option nor its value. CLI11 cannot be left to do this: it takes
// out every "--" and hands the words after it back in another order.
void cut_off_program(const CLI::App& app, std::vector<std::string>& words, context& state);

void add_info(CLI::App& app, context& state);

void add_doctor(CLI::App& app, context& state);

void add_lab(CLI::App& app, context& state);

void add_mpi(CLI::App& app, context& state);

void add_plan(CLI::App& app, context& state);

void add_bench(CLI::App& app, context& state);

void add_tune(CLI::App& app, context& state);

}  // namespace artel::tool
