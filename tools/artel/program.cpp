// See program.hpp. Reads ELF headers by hand: four fields do not justify libelf.
#include "artel/program.hpp"

#include "artel/command.hpp"

#include <cerrno>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

namespace artel::tool {

namespace {

namespace fs = std::filesystem;

bool is_regular(const std::string& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error);
}

bool is_executable(const std::string& path)
{
    return is_regular(path) && ::access(path.c_str(), X_OK) == 0;
}

[[noreturn]] void cannot_execute(const std::string& path)
{
    std::error_code error;
    if (fs::is_directory(path, error))
        throw command_error(not_executable, fmt::format("{}: is a directory", path));
    throw command_error(not_executable,
                        fmt::format("{}: not executable ({})", path, std::strerror(EACCES)));
}

// The kernel then starts the program in secure mode, in which the loader ignores LD_PRELOAD paths.
std::string why_secure(const std::string& path)
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return {};
    if ((status.st_mode & S_ISUID) != 0 &&
        (status.st_uid != ::geteuid() || ::geteuid() != ::getuid()))
        return "it is set-uid";
    if ((status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0 &&
        (status.st_gid != ::getegid() || ::getegid() != ::getgid()))
        return "it is set-gid";
    if (::geteuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
        return "it has file capabilities";
    return {};
}

// False if the program is linked statically; else the dynamic linker that it names.
bool has_interpreter(std::ifstream& file, const Elf64_Ehdr& header, std::string& name)
{
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        file.seekg(
            static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment))
            return true;  // a broken file, which execve reports
        if (segment.p_type == PT_INTERP) {
            file.seekg(static_cast<std::streamoff>(segment.p_offset));
            std::getline(file, name, '\0');
            return true;
        }
    }
    return false;
}

bool is_of_glibc(const std::string& linker)
{
    const auto name = fs::path(linker).filename().string();
    for (const char* each : {"ld-linux", "ld-lsb", "ld-2.", "ld.so"})
        if (name.starts_with(each))
            return true;
    return name.empty();
}

obstacle why_not_elf(std::ifstream& file, const Elf64_Ehdr& header)
{
    if (header.e_ident[EI_CLASS] == ELFCLASS32)
        return {"it is a 32-bit program and the library is 64-bit"};
    // Our own machine type is the one this tool was compiled for; the loader of another one cannot
    // load our library.
    Elf64_Ehdr own{};
    std::ifstream("/proc/self/exe", std::ios::binary)
        .read(reinterpret_cast<char*>(&own), sizeof own);
    if (own.e_machine != 0 && own.e_machine != header.e_machine)
        return {"it is built for another processor architecture"};
    std::string linker;
    if (!has_interpreter(file, header, linker))
        return {"it is statically linked"};
    if (is_of_glibc(linker))
        return {};
    // That of musl ends a program for which it cannot load all that is to be preloaded.
    return {fmt::format("its dynamic linker {} is not that of glibc", linker), true};
}

bool takes_next_word(const std::string& option_of_env)
{
    for (const char* each : {"-u", "--unset", "-C", "--chdir", "-a", "--argv0"})
        if (option_of_env == each)
            return true;
    return false;
}

// The file that will run in the end, for a line like "#!/usr/bin/env python3 -u"; env's own options
// and assignments are skipped. Env itself where this cannot be told: it may set another PATH.
std::string script_interpreter(const std::string& line)
{
    std::istringstream words(line.substr(2));
    std::string interpreter, word;
    words >> interpreter;
    if (fs::path(interpreter).filename() != "env")
        return interpreter;
    while (words >> word) {
        if (word.starts_with("PATH="))
            break;
        if (takes_next_word(word))
            words >> word;
        else if (word.front() != '-' && word.find('=') == word.npos)
            try {
                return find_program(word);
            } catch (const command_error&) {
                break;
            }
    }
    return interpreter;
}

obstacle inspect(const std::string& path, int depth)
{
    if (auto reason = why_secure(path); !reason.empty())
        return {std::move(reason)};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return {};  // execute-only files are legal
    Elf64_Ehdr header{};
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    const std::string_view start(reinterpret_cast<const char*>(&header),
                                 static_cast<std::size_t>(file.gcount()));
    if (start.starts_with(ELFMAG) && start.size() == sizeof header) {
        file.clear();
        return why_not_elf(file, header);
    }
    if (!start.starts_with("#!") || depth == 0)
        return {};
    file.clear();
    file.seekg(0);
    std::string line;
    std::getline(file, line);
    const auto interpreter = script_interpreter(line);
    if (interpreter.empty())
        return {};  // the kernel knows no such scripts, and execvp and shells give them to sh
    if (!is_executable(interpreter))
        throw command_error(not_found, fmt::format("{}: its interpreter '{}' cannot be executed",
                                                   path, interpreter));
    auto found = inspect(interpreter, depth - 1);
    if (!found.reason.empty())
        found.reason = fmt::format("of its interpreter {}: {}", interpreter, found.reason);
    return found;
}

}  // namespace

std::string find_program(const std::string& name)
{
    if (name.empty())
        throw command_error(not_found, "the name of the program is empty");
    if (name.find('/') != name.npos) {
        std::error_code error;
        if (is_executable(name))
            return name;
        if (fs::exists(name, error))
            cannot_execute(name);
        throw command_error(not_found, fmt::format("{}: no such file", name));
    }
    const char* variable = std::getenv("PATH");
    const std::string folders = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
    std::string unusable;
    // By hand, since a last entry may be empty, and getline finds none there.
    for (std::size_t begin = 0, end = 0; end != folders.npos; begin = end + 1) {
        end = folders.find(':', begin);
        const auto folder = folders.substr(begin, end - begin);
        // an empty entry means the current directory.
        const auto path = (folder.empty() ? "." : folder) + "/" + name;
        if (is_executable(path))
            return path;
        if (unusable.empty() && is_regular(path))
            unusable = path;
    }
    if (!unusable.empty())
        cannot_execute(unusable);
    throw command_error(not_found, fmt::format("{}: not found in PATH", name));
}

obstacle why_not_preloadable(const std::string& path)
{
    return inspect(path, 4);  // the kernel follows interpreters of interpreters no deeper either
}

}  // namespace artel::tool
