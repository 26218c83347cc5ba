// Messages to the user: whole lines on stderr, each "artel: " + text + newline in one write.
//
// The library is part of other people's programs, so it prints only errors and what was asked for,
// never uses stdio or iostream (their locks and buffers belong to the program), and never throws.
// One line is one writev(2), so lines of several threads and processes do not mix. Callable from
// any thread, inside or outside the crew; write_line() also from signal handlers. None of these
// functions switches a fiber; all may block as long as stderr does. Rejected: log levels and log
// files. A message either deserves a line or belongs in the trace.
#pragma once

#include <fmt/core.h>

#include <string_view>

namespace artel::base {

// Writes "artel: <text>\n" to stderr. Async-signal-safe; keeps errno; ignores errors, as they
// cannot be reported.
void write_line(std::string_view text) noexcept;

// Writes `text` to stderr as it stands (several lines, no prefix), for tables the user asked for.
// Async-signal-safe.
void write_raw(std::string_view text) noexcept;

// write_line() and abort(). Async-signal-safe.
[[noreturn]] void die(std::string_view text) noexcept;

// The common part of warn() and fatal(), so that formatting is compiled once, and not again for
// each message.
void warn_formatted(fmt::string_view format, fmt::format_args args) noexcept;

// One formatted line for the user about a problem that the program survives.
template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    warn_formatted(format, fmt::make_format_args(args...));
}

// One formatted line for the user, then abort(): for states in which continuing would give wrong
// results.
template <typename... Args>
[[noreturn]] void fatal(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    warn_formatted(format, fmt::make_format_args(args...));
    die("giving up");
}

}  // namespace artel::base
