// One lab at a time writes to a folder.
#pragma once

#include <filesystem>

namespace artel::lab {

// Holds the folder from its construction to its end, or the end of the process: the kernel gives it
// back, so no crash leaves it locked. Nothing is written into the folder.
class folder_lock {
public:
    // Throws std::runtime_error, with the number of the process that holds the folder if the kernel
    // tells it, when somebody else does. A file system that knows no such locks is used without
    // one, with a warning on stderr.
    explicit folder_lock(const std::filesystem::path& folder);
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;
    ~folder_lock();

private:
    int folder_ = -1;
};

}  // namespace artel::lab
