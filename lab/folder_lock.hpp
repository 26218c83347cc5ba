// One lab at a time writes to a folder.
#pragma once

#include <filesystem>

namespace artel::lab {

// Locks the folder for its lifetime, at most until the process ends: the kernel releases the lock
// then, so no crash leaves it taken. Nothing is written into the folder.
class folder_lock {
public:
    // Throws std::runtime_error when another process holds the lock, with its number if the kernel
    // tells it. On a file system without such locks it locks nothing, and warns on stderr.
    explicit folder_lock(const std::filesystem::path& folder);
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;
    ~folder_lock();

private:
    int folder_ = -1;
};

}  // namespace artel::lab
