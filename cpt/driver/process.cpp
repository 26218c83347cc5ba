#include "process.hpp"

#include <sys/wait.h>

#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace cpt {

int execute(const std::vector<std::string>& command)
{
    std::vector<char*> arguments;
    for (const std::string& a : command) {
        arguments.push_back(const_cast<char*>(a.c_str()));
    }
    arguments.push_back(nullptr);
    pid_t child = 0;
    std::cout.flush();
    if (const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(),
                                       environ);
        error != 0) {
        std::cerr << "cpt: error: cannot run '" << command[0] << "': " << std::strerror(error)
                  << "\n";
        return 127;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace cpt
