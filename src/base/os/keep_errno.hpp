// For system calls of the runtime inside a program that may check errno.
#pragma once

#include <cerrno>

namespace artel::base::os {

// Restores errno at its end; beginning and end must be under the same OS thread's TLS.
class keep_errno {
public:
    keep_errno() noexcept = default;
    ~keep_errno() { errno = saved_; }
    keep_errno(const keep_errno&) = delete;
    keep_errno& operator=(const keep_errno&) = delete;

private:
    int saved_ = errno;
};

}  // namespace artel::base::os
