// Options become environment variables, then this process becomes the program. The runtime is found
// by what the program is linked to.
#include "run.hpp"

#include "command_line.hpp"
#include "runtimes.hpp"
#include "settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace cpt {

namespace {

int wrong(const std::string& text)
{
    std::cerr << "cpt run: " << text << " (see cpt --help)\n";
    return 2;
}

// The file that would be started by a name.
fs::path found(const std::string& name)
{
    if (name.find('/') != name.npos) {
        return name;
    }
    if (fs::exists(name)) {
        return "./" + name;
    }
    const char* const path = std::getenv("PATH");
    std::stringstream all(path != nullptr ? path : "");
    for (std::string folder; std::getline(all, folder, ':');) {
        std::error_code ignored;
        if (fs::exists(fs::path(folder) / name, ignored)) {
            return fs::path(folder) / name;
        }
    }
    return name;
}

// Makes the program run on the runtime; returns an error if it cannot.
std::string choose(const std::string& runtime, const std::string& program)
{
    std::string fixed;
    switch (linkage(program, fixed)) {
    case linked::to_one:
        if (fixed != runtime) {
            return "'" + program + "' is linked to the runtime " + fixed + ", not to " + runtime +
                   "; a program that cpt c links without naming one takes any";
        }
        return {};
    case linked::not_at_all: return "'" + program + "' is not linked to a runtime of cpt";
    default: break;
    }
    // Scripts may start such programs, too.
    const char* const before = std::getenv("LD_LIBRARY_PATH");
    const std::string folder = (runtime_folder() / "cpt" / "start" / runtime).string();
    setenv("LD_LIBRARY_PATH",
           (before != nullptr && *before != 0 ? folder + ":" + before : folder).c_str(), 1);
    return {};
}

}  // namespace

int run_program(int count, char** arguments, const char* usage)
{
    bool info = false;
    std::set<std::string> given;
    int at = 2;
    for (; at < count && arguments[at][0] == '-'; ++at) {
        const std::string option = arguments[at];
        const setting* const s = setting_of_option(option);
        if (option == "--") {
            ++at;
            break;
        }
        if (option == "--help") {
            std::cout << usage;
            return 0;
        }
        if (option == "--info") {
            info = true;
        } else if (s == nullptr) {
            return wrong("unknown option '" + option + "'");
        } else if (!given.insert(option).second) {
            return wrong("'" + option + "' is given twice");
        } else if (*s->value == 0) {
            setenv(s->variable, "1", 1);
        } else if (at + 1 >= count) {
            return wrong("'" + option + "' wants a value");
        } else {
            setenv(s->variable, arguments[++at], 1);
        }
    }
    const char* const wanted = std::getenv("CP_RUNTIME");
    const bool asked = wanted != nullptr && *wanted != 0;
    std::string runtime = asked ? wanted : "artel";
    if (const auto& names = runtime_names();
        std::find(names.begin(), names.end(), runtime) == names.end() || !is_installed(runtime)) {
        return wrong("there is no runtime '" + runtime + "'; there are " + installed_runtimes());
    }
    std::string program;
    if (at < count) {
        program = found(arguments[at]).string();
        if (asked) {
            if (const std::string error = choose(runtime, program); !error.empty()) {
                return wrong(error);
            }
        } else {
            (void)linkage(program, runtime);  // `runtime` becomes that to which the program is
                                              // linked, if any
        }
    }
    if (const std::string error = apply_settings(runtime); !error.empty()) {
        return wrong(error);
    }
    if (info) {
        std::cout << "runtime: " << runtime << " (installed: " << installed_runtimes() << ")\n"
                  << settings_table();
        return 0;
    }
    if (program.empty()) {
        return wrong("no program");
    }
    execv(program.c_str(), arguments + at);
    const int error = errno;
    std::cerr << "cpt: error: cannot run '" << program << "': " << std::strerror(error) << "\n";
    return error == ENOENT ? 127 : 126;
}

}  // namespace cpt
