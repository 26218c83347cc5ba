// Reads the environment variables. An invalid value counts as not set.
#include "settings.hpp"

#include "sched/crew.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <strings.h>
#include <unistd.h>

namespace artel::argobots {
namespace {

const char* variable(const char* name) noexcept
{
    std::array<char, 64> full{};
    for (const char* const prefix : {"ABT_", "ABT_ENV_"}) {
        std::strcpy(full.data(), prefix);
        std::strcat(full.data(), name);
        if (const char* const value = std::getenv(full.data()); value != nullptr) {
            return value;
        }
    }
    return nullptr;
}

// A larger value than `most` counts as that.
std::uint64_t number(const char* name, std::uint64_t otherwise, std::uint64_t least,
                     std::uint64_t most = UINT64_MAX) noexcept
{
    const char* const text = variable(name);
    // A negative number would become a large one.
    if (text == nullptr || std::strchr(text, '-') != nullptr) {
        return otherwise;
    }
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(text, &end, 10);
    return end == text || value < least ? otherwise : std::min(value, most);
}

unsigned small_number(const char* name, std::uint64_t otherwise) noexcept
{
    constexpr std::uint64_t most = INT_MAX;  // programs may read them into an int
    return static_cast<unsigned>(number(name, otherwise, 1, most));
}

bool on(const char* name, bool otherwise) noexcept
{
    const char* const text = variable(name);
    if (text == nullptr) {
        return otherwise;
    }
    for (const char* const yes : {"1", "y", "yes", "true", "on"}) {
        if (::strcasecmp(text, yes) == 0) {
            return true;
        }
    }
    return false;
}

int overflow_check() noexcept
{
    const char* const text = variable("STACK_OVERFLOW_CHECK");
    if (text == nullptr) {
        return 0;
    }
    return ::strcasecmp(text, "mprotect_strict") == 0 ? 3
           : ::strcasecmp(text, "mprotect") == 0      ? 2
                                                      : 0;
}

}  // namespace

settings read_settings() noexcept
{
    settings s;
    const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
    s.max_xstreams = small_number("MAX_NUM_XSTREAMS", static_cast<std::uint64_t>(cpus));
    s.overflow_check = overflow_check();
    if (s.overflow_check >= 2) {
        // A guard takes up to two pages of a stack; units have as much as without one.
        const std::size_t guard = 2 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        s.thread_stack_size += guard;
        s.scheduler_stack_size += guard;
    }
    s.thread_stack_size = number("THREAD_STACKSIZE", s.thread_stack_size, 512);
    s.scheduler_stack_size = number("SCHED_STACKSIZE", s.scheduler_stack_size, 512);
    s.event_frequency = small_number("SCHED_EVENT_FREQ", s.event_frequency);
    s.sleep_nanoseconds = number("SCHED_SLEEP_NSEC", s.sleep_nanoseconds, 0);
    s.key_table_size = small_number("KEY_TABLE_SIZE", s.key_table_size);
    s.print_config = on("PRINT_CONFIG", s.print_config);
    return s;
}

}  // namespace artel::argobots
