// Messages in libgomp's words and layout ("\nlibgomp: text\n" on stderr): scripts and test suites look for them. Any thread; may block as
// long as stderr does.
#pragma once

#include "base/log.hpp"

#include <cstdlib>

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

// As complain(), then exit(1), as libgomp does.
template <typename... Args>
[[noreturn]] void give_up(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    complain(format, std::forward<Args>(args)...);
    std::exit(EXIT_FAILURE);
}

}  // namespace artel::openmp
