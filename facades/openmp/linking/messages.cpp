// Each message is made in memory and written by one call, so that lines of several threads do not
// mix. kmp_set_warnings_off silences libomp's, errors excepted.
#include "messages.hpp"

#include <fmt/format.h>

#include <atomic>
#include <iterator>
#include <string_view>

namespace artel::openmp {
namespace {

constinit std::atomic<bool> warns{true};  // relaxed, all accesses: only a flag

}  // namespace

bool libomp_warns() noexcept
{
    return warns.load(std::memory_order_relaxed);  // relaxed: see there
}

void set_libomp_warns(bool on) noexcept
{
    warns.store(on, std::memory_order_relaxed);  // relaxed: see there
}

void complain_formatted(fmt::string_view format, fmt::format_args args) noexcept
{
    try {
        fmt::memory_buffer line;
        fmt::format_to(std::back_inserter(line), "\nlibgomp: ");
        fmt::vformat_to(std::back_inserter(line), format, args);
        line.push_back('\n');
        base::write_raw({line.data(), line.size()});
    } catch (...) {
        base::write_raw("\nlibgomp: out of memory\n");
    }
}

void libomp::say_formatted(const char* kind, int number, fmt::string_view format,
                           fmt::format_args args) noexcept
{
    if (!libomp_warns() && kind != std::string_view("Error")) {
        return;
    }
    try {
        fmt::memory_buffer line;
        fmt::format_to(std::back_inserter(line), "OMP: {}", kind);
        if (number != 0) {
            fmt::format_to(std::back_inserter(line), " #{}:", number);
        }
        line.push_back(' ');
        fmt::vformat_to(std::back_inserter(line), format, args);
        line.push_back('\n');
        base::write_raw({line.data(), line.size()});
    } catch (...) {
        base::write_raw("OMP: out of memory\n");
    }
}

}  // namespace artel::openmp
