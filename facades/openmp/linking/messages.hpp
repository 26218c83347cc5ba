// Messages in libgomp's words and layout ("\nlibgomp: text\n" on stderr), because scripts and test
// suites look for them. Any thread; may block as long as stderr does.
#pragma once

#include "base/log.hpp"

#include <cstdlib>

namespace artel::openmp {

// The part of complain() that is no template, so that formatting is compiled once.
void complain_formatted(fmt::string_view format, fmt::format_args args) noexcept;

// Prints a warning; the program continues.
template <typename... Args>
void complain(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    complain_formatted(format, fmt::make_format_args(args...));
}

// Whether warnings in libomp's words are printed: KMP_WARNINGS, kmp_set_warnings_on and _off. Any
// thread.
bool libomp_warns() noexcept;
void set_libomp_warns(bool on) noexcept;

namespace libomp {

// One line "OMP: kind text", or "OMP: kind #number: text" where the number is not 0. Errors are
// printed also while warnings are off.
void say_formatted(const char* kind, int number, fmt::string_view format,
                   fmt::format_args args) noexcept;

template <typename... Args>
void say(const char* kind, fmt::format_string<Args...> format, Args&&... args) noexcept
{
    say_formatted(kind, 0, format, fmt::make_format_args(args...));
}

}  // namespace libomp

// For programs made for libomp: its words and its message numbers.
template <typename... Args>
void warn_as_libomp(int number, fmt::format_string<Args...> format, Args&&... args) noexcept
{
    libomp::say_formatted("Warning", number, format, fmt::make_format_args(args...));
}
template <typename... Args>
void inform_as_libomp(int number, fmt::format_string<Args...> format, Args&&... args) noexcept
{
    libomp::say_formatted("Info", number, format, fmt::make_format_args(args...));
}
inline void hint_as_libomp(const char* text) noexcept
{
    libomp::say("Hint", "{}", text);
}

// Ends the program as libomp does: prints an error in its words, then calls abort().
template <typename... Args>
[[noreturn]] void give_up_as_libomp(int number, fmt::format_string<Args...> format,
                                    Args&&... args) noexcept
{
    libomp::say_formatted("Error", number, format, fmt::make_format_args(args...));
    std::abort();
}

// As complain(), then exit(1), as libgomp does.
template <typename... Args>
[[noreturn]] void give_up(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    complain_formatted(format, fmt::make_format_args(args...));
    std::exit(EXIT_FAILURE);
}

}  // namespace artel::openmp
