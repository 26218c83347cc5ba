// For system calls of the runtime in the midst of a program that may be looking at errno.
#pragma once

#include <cerrno>

namespace artel::base::os {

// errno is at its end what it was at its beginning; both on the same OS thread's TLS.
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
