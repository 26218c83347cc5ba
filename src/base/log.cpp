// See log.hpp. Lines are written by writev(2) alone, so that functions without formatting are safe
// in signal handlers and before main().
#include "base/log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <sys/uio.h>
#include <unistd.h>

namespace artel::base {

namespace {

iovec piece(std::string_view text) noexcept
{
    return {const_cast<char*>(text.data()), text.size()};
}

void write_pieces(const iovec* pieces, int count) noexcept
{
    const int saved = errno;
    // A short write to a terminal or pipe loses the tail of a message; a retry loop could spin on a
    // full pipe for ever.
    [[maybe_unused]] const auto written = ::writev(STDERR_FILENO, pieces, count);
    errno = saved;
}

}  // namespace

void write_line(std::string_view text) noexcept
{
    const iovec pieces[] = {piece("artel: "), piece(text), piece("\n")};
    write_pieces(pieces, 3);
}

void write_raw(std::string_view text) noexcept
{
    const iovec pieces[] = {piece(text)};
    write_pieces(pieces, 1);
}

void warn_formatted(fmt::string_view format, fmt::format_args args) noexcept
{
    try {
        fmt::memory_buffer line;
        fmt::vformat_to(std::back_inserter(line), format, args);
        write_line({line.data(), line.size()});
    } catch (...) {
        write_line("out of memory while writing a message");
    }
}

void die(std::string_view text) noexcept
{
    write_line(text);
    std::abort();
}

}  // namespace artel::base
