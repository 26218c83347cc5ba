// See helper.hpp.
#include "artel/helper.hpp"

#include "artel/command.hpp"
#include "artel/library.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

namespace artel::tool {

namespace {

bool is_helper(std::string_view name)
{
    return name == "lab" || name == "mpi";
}

void add_helper(CLI::App& app, const char* name, const char* text)
{
    auto* command = app.add_subcommand(name, text);
    command->prefix_command();
    command->set_help_flag();  // the helper's own
    command->callback([name] {
        const auto path = helper_path(name);
        throw command_error(
            failure,
            path.empty()
                ? fmt::format("cannot find out where artel-{} is; is /proc mounted?", name)
                : fmt::format("{} is not there; in a build tree 'cmake --build' makes it", path));
    });
}

}  // namespace

void become_helper(const std::vector<std::string>& words)
{
    if (words.size() < 2 || !is_helper(words[1]))
        return;
    const auto path = helper_path(words[1]);
    if (path.empty())
        return;
    std::vector<char*> pointers;
    for (const auto& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    ::execv(path.c_str(), pointers.data());
}

void add_lab_helper(CLI::App& app, context&)
{
    add_helper(app, "lab", lab_text);
}

void add_mpi_helper(CLI::App& app, context&)
{
    add_helper(app, "mpi", mpi_text);
}

}  // namespace artel::tool
