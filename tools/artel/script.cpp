// A script is looked for relative to the library, in the build tree's layout and in the installed
// one; the system's Python runs it.
#include "artel/script.hpp"

#include "artel/command.hpp"
#include "artel/library.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace artel::tool {

namespace fs = std::filesystem;

fs::path library_folder()
{
    return fs::path(core_library_path()).parent_path();
}

void run_script(const std::string& script, const std::string& name,
                const std::vector<std::string>& arguments)
{
    const auto folder = library_folder();
    const fs::path candidates[] = {folder / "../share/artel" / script,
                                   folder / "../../share/artel" / script};
    for (const auto& candidate : candidates) {
        // Without libraries the paths would begin in the current folder, which may be anybody's.
        if (folder.empty() || !fs::exists(candidate))
            continue;
        // The system's Python is the one that sees the distribution's packages.
        const char* const python = ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3"
                                                                           : "python3";
        std::vector<std::string> words{python, candidate.lexically_normal().string()};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (auto& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        ::setenv("ARTEL_BENCH_NAME", name.c_str(), 1);
        ::execvp(python, pointers.data());
        throw command_error(failure, fmt::format("{}: {}", python, std::strerror(errno)));
    }
    throw command_error(
        failure, fmt::format("share/artel/{} is not installed beside the libraries", script));
}

}  // namespace artel::tool
