// See small_file.hpp.
#include "topology/small_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace artel::topology {

namespace {

struct descriptor {
    int number;
    ~descriptor()
    {
        if (number >= 0)
            ::close(number);
    }
};

}  // namespace

bool read_small_file(const std::string& path, std::string& content)
{
    constexpr std::size_t most = 16 << 20;  // mountinfo of a busy container host has megabytes
    content.clear();
    const descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.number < 0)
        return false;
    char block[4096];
    while (content.size() < most) {
        const ssize_t count = ::read(file.number, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        if (count == 0)
            break;
        content.append(block, static_cast<std::size_t>(count));
    }
    return true;
}

}  // namespace artel::topology
