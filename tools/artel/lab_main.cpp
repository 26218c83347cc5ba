// artel-lab, which `artel lab` becomes (helper.hpp).
#include "artel/command.hpp"

int main(int argc, char** argv)
{
    constexpr artel::tool::subcommand subcommands[] = {{"lab", artel::tool::add_lab}};
    return artel::tool::run_command({argv, argv + argc}, subcommands);
}
