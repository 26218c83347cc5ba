// The `artel` command: parses the command line, runs one subcommand, turns every failure into one line and an exit code.
#include "artel/command.hpp"

#include <cstring>
#include <exception>

namespace {

// CLI11 tells the user in many shapes; ours is always one line that names the command, and how to learn more.
int report_usage_error(const CLI::App& app, const CLI::ParseError& error)
{
    std::string command = "artel";
    int code = artel::tool::usage;
    for (const auto* sub : app.get_subcommands()) {
        command += " " + sub->get_name();
        if (sub->get_name() == "run")
            code = artel::tool::run_failed;
    }
    std::string text = error.what();
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    fmt::print(stderr, "{}: {}; see '{} --help'\n", command, text, command);
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    artel::tool::context state;
    CLI::App app("Runs programs on Artel's crew of worker threads, and shows what the crew sees of the machine.", "artel");
    app.set_version_flag("--version", std::string("artel " ARTEL_VERSION));
    app.require_subcommand(1);
    app.footer("'artel COMMAND --help' tells about a command; the manual pages are artel(1) and artel(7).\n"
               "Exit codes: 0 success, 1 failure, 2 wrong command line; for those of 'artel run' see its help.");
    artel::tool::add_run(app, state);
    artel::tool::add_info(app, state);

    std::string command = "artel";
    try {
        app.parse(argc, argv);
        return state.exit_code;
    } catch (const CLI::Success& done) { // --help and --version
        return app.exit(done);
    } catch (const CLI::ParseError& error) {
        return report_usage_error(app, error);
    } catch (const artel::tool::command_error& error) {
        for (const auto* sub : app.get_subcommands())
            command += " " + sub->get_name();
        fmt::print(stderr, "{}: {}\n", command, error.what());
        return error.code();
    } catch (const std::exception& error) {
        fmt::print(stderr, "artel: {}\n", error.what());
        return artel::tool::failure;
    }
}
