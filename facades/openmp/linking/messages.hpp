// Messages in libgomp's words and layout ("\nlibgomp: text\n" on stderr): scripts and test suites
// look for them. Any thread; may block as long as stderr does.
#pragma once

#include "base/log.hpp"

#include <cstdlib>
#include <iterator>

namespace artel::openmp {

// Something is wrong; the program goes on.
template <typename... Args>
void complain(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    try {
        fmt::memory_buffer line;
        fmt::format_to(std::back_inserter(line), "\nlibgomp: ");
        fmt::format_to(std::back_inserter(line), format, std::forward<Args>(args)...);
        line.push_back('\n');
        base::write_raw({line.data(), line.size()});
    } catch (...) {
        base::write_raw("\nlibgomp: out of memory\n");
    }
}

// Whether warnings in libomp's words are said at all: KMP_WARNINGS, kmp_set_warnings_on and _off.
// Any thread.
bool libomp_warns() noexcept;
void set_libomp_warns(bool on) noexcept;

namespace libomp {

// One line "OMP: kind text".
template <typename... Args>
void say(const char* kind, fmt::format_string<Args...> format, Args&&... args) noexcept
{
    if (!libomp_warns()) {
        return;
    }
    try {
        fmt::memory_buffer line;
        fmt::format_to(std::back_inserter(line), "OMP: {} ", kind);
        fmt::format_to(std::back_inserter(line), format, std::forward<Args>(args)...);
        line.push_back('\n');
        base::write_raw({line.data(), line.size()});
    } catch (...) {
        base::write_raw("OMP: out of memory\n");
    }
}

}  // namespace libomp

// For programs made for libomp, in its words and with its numbers.
template <typename... Args>
void warn_as_libomp(int number, fmt::format_string<Args...> format, Args&&... args) noexcept
{
    libomp::say(fmt::format("Warning #{}:", number).c_str(), format, std::forward<Args>(args)...);
}
template <typename... Args>
void inform_as_libomp(int number, fmt::format_string<Args...> format, Args&&... args) noexcept
{
    libomp::say(fmt::format("Info #{}:", number).c_str(), format, std::forward<Args>(args)...);
}
inline void hint_as_libomp(const char* text) noexcept
{
    libomp::say("Hint", "{}", text);
}

// As complain(), then exit(1), as libgomp does.
template <typename... Args>
[[noreturn]] void give_up(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    complain(format, std::forward<Args>(args)...);
    std::exit(EXIT_FAILURE);
}

}  // namespace artel::openmp
