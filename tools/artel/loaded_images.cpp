// Images of a process come from its memory map, those of a program from the dynamic linker.
#include "artel/loaded_images.hpp"

#include "artel/command.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::tool {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void no_such_process(const std::string& number, int error)
{
    throw command_error(
        failure,
        fmt::format("process {}: {}", number,
                    error == ENOENT || error == ESRCH ? "there is none" : std::strerror(error)));
}

// What the command writes to standard output, if it succeeds; its errors go to our standard error.
std::string output_of(const std::vector<std::string>& words)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw command_error(failure, fmt::format("a pipe: {}", std::strerror(errno)));
    const pid_t child = ::fork();
    const int error = errno;
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        std::vector<char*> argv;
        for (const auto& word : words)
            argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string text;
    char part[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], part, sizeof part)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            text.append(part, static_cast<std::size_t>(n));
    ::close(ends[0]);
    if (child < 0)
        throw command_error(failure,
                            fmt::format("cannot start a process: {}", std::strerror(error)));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    // The dynamic linker succeeds even if libraries are missing.
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw command_error(
            failure, fmt::format("'{}' has failed, so nothing can be told", fmt::join(words, " ")));
    return text;
}

}  // namespace

std::vector<image> images_of_process(const std::string& number)
{
    std::ifstream maps("/proc/" + number + "/maps");
    if (!maps)
        no_such_process(number, errno);
    std::vector<image> result;
    std::set<std::string> known;
    for (std::string line; std::getline(maps, line);) {
        const auto slash = line.find('/');
        // Executable mappings of files: the third letter of the permissions.
        const auto permissions = line.find(' ');
        if (slash == line.npos || permissions == line.npos || line[permissions + 3] != 'x')
            continue;
        const auto path = line.substr(slash);
        if (known.insert(path).second)
            // Through the process's own root, which may be a container's.
            result.push_back({path, read_elf_needs("/proc/" + number + "/root" + path)});
    }
    return result;
}

std::map<std::string, int> threads_of_process(const std::string& number)
{
    std::map<std::string, int> result;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/" + number + "/task", error)) {
        std::string name;
        std::getline(std::ifstream(entry.path() / "comm"), name);
        if (!name.empty())
            ++result[name];
    }
    return result;
}

std::vector<image> images_of_program(const std::string& path)
{
    const auto own = read_elf_needs(path);
    if (own.loader.empty())
        throw command_error(failure,
                            fmt::format("{}: not a program that is linked dynamically, or not a "
                                        "binary; for a script name its interpreter",
                                        path));
    std::vector<image> result{{path, own}};
    // By the shell: env would take a path that has an equals sign for one more variable.
    std::istringstream lines(
        output_of({fs::read_symlink("/proc/self/exe").string(), "run", "--", "/bin/sh", "-c",
                   "export LD_TRACE_LOADED_OBJECTS=1; exec \"$0\"", fs::absolute(path).string()}));
    for (std::string line; std::getline(lines, line);) {
        const auto slash = line.find('/');
        const auto end = line.rfind(" (0x");
        if (line.find("not found") != line.npos)
            warn("doctor", "{}:{}", path, line);
        if (slash == line.npos || end == line.npos || end < slash)
            continue;
        const auto library = line.substr(slash, end - slash);
        result.push_back({library, read_elf_needs(library)});
    }
    if (result.size() == 1)  // not even the dynamic linker itself
        throw command_error(failure, fmt::format("{}: its dynamic linker does not say what it "
                                                 "loads, so nothing can be told",
                                                 path));
    return result;
}

}  // namespace artel::tool
