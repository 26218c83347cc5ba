// See progress.hpp.
#include "lab/progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace artel::lab {

namespace {

std::string name_of(const cell& c)
{
    return fmt::format("{} {} N={}{}", c.workload, c.variant, c.tasks, c.allocator == "glibc" ? "" : " " + c.allocator);
}

std::string duration(double seconds)
{
    return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

progress::progress(std::size_t cells, std::size_t kept)
    : all_(cells), done_(kept), terminal_(::isatty(STDERR_FILENO) == 1), started_(std::chrono::steady_clock::now()),
      last_line_(started_)
{}

progress::~progress()
{
    if (drawn_)
        fmt::print(stderr, "\n");
}

void progress::begin(const cell& c)
{
    if (terminal_)
        draw(name_of(c));
}

void progress::end(const cell& c, const json& result)
{
    ++done_;
    ++measured_;
    if (result.value("status", "") != "ok") {
        fmt::print(stderr, "{}{}: {}: {}\n", drawn_ ? "\r\x1b[K" : "", name_of(c), result.value("status", ""),
                   result.value("reason", ""));
        drawn_ = false;
    }
    if (terminal_) {
        draw(name_of(c));
    } else if (const auto now = std::chrono::steady_clock::now(); now - last_line_ > std::chrono::seconds(20)) {
        last_line_ = now;
        fmt::print(stderr, "{} of {} cells, {}\n", done_, all_, name_of(c));
    }
}

void progress::draw(const std::string& what)
{
    constexpr std::size_t width = 30;
    const auto filled = all_ == 0 ? width : done_ * width / all_;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
    std::string rest;
    if (measured_ >= 5)
        rest = ", about " + duration(passed.count() / static_cast<double>(measured_) * static_cast<double>(all_ - done_)) + " left";
    fmt::print(stderr, "\r\x1b[K[{}{}] {}/{} {}{}", std::string(filled, '#'), std::string(width - filled, '.'), done_, all_, what,
               rest);
    std::fflush(stderr);
    drawn_ = true;
}

}  // namespace artel::lab
