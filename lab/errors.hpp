// Errors of the kernel, explained to a user.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

namespace artel::lab {

// The error's text, followed by the limit that is the usual cause.
inline std::string error_in_words(int error)
{
    const char* const hint =
        error == EMFILE   ? " (limit of open files: ulimit -n)"
        : error == ENFILE ? " (the machine's limit of open files: sysctl fs.file-max)"
        : error == ENOMEM ? " (ulimit -v, or the machine's memory)"
        : error == EAGAIN
            ? " (limit of processes and threads, or memory for their stacks: ulimit -u, -v, pids "
              "cgroup)"
            : "";
    return std::strerror(error) + std::string(hint);
}

}  // namespace artel::lab
