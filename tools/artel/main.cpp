// The `artel` command: `artel run` and what else needs libartel's own code only; `artel lab` and
// `artel mpi` are programs of their own, which it becomes (helper.hpp).
#include "artel/command.hpp"
#include "artel/helper.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr artel::tool::subcommand subcommands[] = {
    {"run", artel::tool::add_run},        {"info", artel::tool::add_info},
    {"doctor", artel::tool::add_doctor},  {"bench", artel::tool::add_bench},
    {"tune", artel::tool::add_tune},      {"lab", artel::tool::add_lab_helper},
    {"mpi", artel::tool::add_mpi_helper}, {"plan", artel::tool::add_plan},
};

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
        fmt::print(stderr, "artel run: {}\n", error.what());
        return artel::tool::run_failed;
    }
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv, argv + argc);
    if (runs_plainly(words))
        return run_plainly(std::move(words));
    artel::tool::become_helper(words);
    return artel::tool::run_command(std::move(words), subcommands, artel::tool::cut_off_program);
}
