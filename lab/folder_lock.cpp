// See folder_lock.hpp.
//
// The lock is a flock of the folder itself: a lock file would have to stay behind, or be removed
// while the next lab opens it. The lock belongs to the open file description, which exec closes in
// jobs, and which the guardian of huge pages closes itself.
#include "lab/folder_lock.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace artel::lab {

namespace {

// /proc/locks has lines such as "1: FLOCK ADVISORY WRITE 4711 fe:00:1234 0 EOF": the process, then
// device and inode. 0 if no process is found, as may happen with some file systems and other PID
// namespaces.
int holder_of(const struct stat& folder)
{
    const auto wanted = fmt::format("{:02x}:{:02x}:{}", gnu_dev_major(folder.st_dev),
                                    gnu_dev_minor(folder.st_dev), std::uint64_t{folder.st_ino});
    std::ifstream locks("/proc/locks");
    std::string number, kind, advisory, mode, file, rest;
    for (int pid = 0; locks >> number >> kind >> advisory >> mode >> pid >> file;
         std::getline(locks, rest))
        if (kind == "FLOCK" && file == wanted && pid > 0)
            return pid;
    return 0;
}

}  // namespace

folder_lock::folder_lock(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (folder_ >= 0 && ::flock(folder_, LOCK_EX | LOCK_NB) == 0)
        return;
    const int error = errno;
    if (folder_ < 0)
        throw std::runtime_error(
            fmt::format("cannot open the folder {}: {}", folder.string(), std::strerror(error)));
    if (error != EWOULDBLOCK) {
        fmt::print(stderr,
                   "artel lab: {} cannot be locked ({}); let no other lab write to it meanwhile\n",
                   folder.string(), std::strerror(error));
        return;
    }
    struct stat status{};
    const int holder = ::fstat(folder_, &status) == 0 ? holder_of(status) : 0;
    ::close(folder_);
    throw std::runtime_error(fmt::format(
        "another lab{} is writing to {}; wait for its end, or choose another folder with -o",
        holder == 0 ? "" : fmt::format(" (process {})", holder), folder.string()));
}

folder_lock::~folder_lock()
{
    ::close(folder_);
}

}  // namespace artel::lab
