// Becomes the installed script of the experiments, run by python3.
#include "bench.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <vector>

namespace fs = std::filesystem;

namespace cpt {

int run_experiments(int count, char** arguments)
{
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const fs::path script = fs::path(self).parent_path() / "../share/artel/bench/cpt/experiments";
    if (!fs::exists(script)) {
        std::cerr << "cpt: error: the experiments are not installed; they are looked for at '"
                  << script.lexically_normal().string() << "'\n";
        return 127;
    }
    std::vector<std::string> words = {"python3", script.lexically_normal().string(), "--cpt", self};
    words.insert(words.end(), arguments + 2, arguments + count);
    std::vector<char*> all;
    for (std::string& w : words) {
        all.push_back(w.data());
    }
    all.push_back(nullptr);
    execvp(all[0], all.data());
    std::cerr << "cpt: error: cannot run python3: " << std::strerror(errno) << "\n";
    return 127;
}

}  // namespace cpt
