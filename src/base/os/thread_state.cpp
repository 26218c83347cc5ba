#include "base/os/thread_state.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace artel::base::os {

std::uint64_t read_clock(clockid_t clock) noexcept
{
    timespec now{};
    if (::clock_gettime(clock, &now) != 0) {
        return 0;
    }
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000 + static_cast<std::uint64_t>(now.tv_nsec);
}

thread_state read_thread_state(int thread) noexcept
{
    constexpr int state_field = 3;  // counted from 1, as in proc(5)
    constexpr int cpu_field = 39;
    thread_state found;
    char text[512];
    std::snprintf(text, sizeof text, "/proc/self/task/%d/stat", thread);
    const int file = ::open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return found;
    }
    const ssize_t length = ::read(file, text, sizeof text - 1);
    ::close(file);
    text[length > 0 ? length : 0] = 0;
    const char* at = std::strrchr(text, ')');  // ends the name, which may contain anything
    if (at == nullptr || at[1] == 0) {
        return found;
    }
    found.code = at[2];
    for (int field = state_field - 1; field < cpu_field && at != nullptr; ++field) {
        at = std::strchr(at + 1, ' ');
    }
    if (at != nullptr) {
        found.cpu = std::atoi(at + 1);
    }
    return found;
}

}  // namespace artel::base::os
