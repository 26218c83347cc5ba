// artel-mpi, which `artel mpi` becomes (helper.hpp).
#include "artel/command.hpp"

int main(int argc, char** argv)
{
    constexpr artel::tool::subcommand subcommands[] = {{"mpi", artel::tool::add_mpi}};
    return artel::tool::run_command({argv, argv + argc}, subcommands);
}
