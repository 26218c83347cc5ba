// Written beside the file under a name with the process's number, and then renamed.
#include "artel/whole_file.hpp"

#include "artel/command.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace artel::tool {

void write_whole_file(const std::string& path, const std::string& text)
{
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    const std::string beside = fmt::format("{}.{}", path, ::getpid());
    {
        std::ofstream file(beside);
        file << text;
        if (!file.flush()) {
            const int cause = errno;
            std::filesystem::remove(beside, error);
            throw command_error(failure,
                                fmt::format("cannot write {}: {}", path, std::strerror(cause)));
        }
    }
    std::filesystem::rename(beside, path, error);
    if (error) {
        const std::string cause = error.message();
        std::filesystem::remove(beside, error);
        throw command_error(failure, fmt::format("cannot write {}: {}", path, cause));
    }
}

}  // namespace artel::tool
