// Messages to the user: whole lines on stderr, each "artel: " + text + newline in one write.
//
// The library lives inside other people's programs, so it says nothing unless something is wrong or
// was asked for, never touches stdio or iostream (their locks and buffers belong to the program),
// and never lets an exception out. One line is one writev(2), so lines of several threads and
// processes do not mix. Callable from any thread, inside or outside the crew; write_line() also
// from signal handlers. None of these switches a fiber; all may block as long as stderr does.
// Rejected: log levels and log files. A message is either worth a line or it belongs into the
// trace.
#pragma once

#include <fmt/core.h>

#include <string_view>

namespace artel::base {

// Writes "artel: <text>\n" to stderr. Async-signal-safe; keeps errno; errors are ignored, as there
// is nobody to tell.
void write_line(std::string_view text) noexcept;

// Writes `text` to stderr as it stands (several lines, no prefix), for tables the user asked for.
// Async-signal-safe.
void write_raw(std::string_view text) noexcept;

// write_line() and abort(). Async-signal-safe.
[[noreturn]] void die(std::string_view text) noexcept;

// What warn() and fatal() call: formatting is compiled once, and not again where a message is.
void warn_formatted(fmt::string_view format, fmt::format_args args) noexcept;

// One formatted line for the user about something that is wrong but can be lived with.
template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    warn_formatted(format, fmt::make_format_args(args...));
}

// One formatted line for the user, then abort(): for states in which going on would corrupt the
// program's results.
template <typename... Args>
[[noreturn]] void fatal(fmt::format_string<Args...> format, Args&&... args) noexcept
{
    warn_formatted(format, fmt::make_format_args(args...));
    die("giving up");
}

}  // namespace artel::base
