// See progress.hpp.
#include "lab/progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace artel::lab {

namespace {

std::string name_of(const cell& c)
{
    return fmt::format("{} {} N={}{}", c.workload, c.variant, c.tasks,
                       c.allocator == "glibc" ? "" : " " + c.allocator);
}

}  // namespace

std::string duration_in_words(double seconds)
{
    return seconds < 90     ? fmt::format("{:.0f} s", seconds)
           : seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60)
                            : fmt::format("{:.1f} h", seconds / 3600);
}

std::string rest_in_words(const estimate::rest& rest)
{
    if (rest.seconds == 0)
        return {};
    return fmt::format("{} {}", rest.unknown == 0 ? "about" : "more than",
                       duration_in_words(rest.seconds));
}

progress::progress(std::vector<cell> left, std::size_t done, estimate known)
    : left_(std::move(left)), all_(left_.size() + done), done_(done), known_(std::move(known)),
      terminal_(::isatty(STDERR_FILENO) == 1), last_line_(std::chrono::steady_clock::now())
{
    std::reverse(left_.begin(), left_.end());
}

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

void progress::end(const cell& c, const json& result, double seconds)
{
    ++done_;
    left_.pop_back();
    // A skipped cell took no time and says nothing about similar ones.
    if (result.value("status", "") != "skip")
        known_.add(c, seconds);
    if (result.value("status", "") != "ok") {
        fmt::print(stderr, "{}{}: {}: {}\n", drawn_ ? "\r\x1b[K" : "", name_of(c),
                   result.value("status", ""), result.value("reason", ""));
        drawn_ = false;
    }
    if (terminal_) {
        draw(name_of(c));
    } else if (const auto now = std::chrono::steady_clock::now();
               now - last_line_ > std::chrono::seconds(20)) {
        last_line_ = now;
        const auto left = rest();
        fmt::print(stderr, "{} of {} cells, {}{}\n", done_, all_, name_of(c),
                   left.empty() ? "" : ", " + left + " left");
    }
}

std::string progress::rest() const
{
    return rest_in_words(known_.of(left_));
}

void progress::draw(const std::string& what)
{
    constexpr std::size_t width = 30;
    const auto filled = all_ == 0 ? width : done_ * width / all_;
    const auto left = rest();
    fmt::print(stderr, "\r\x1b[K[{}{}] {}/{} {}{}", std::string(filled, '#'),
               std::string(width - filled, '.'), done_, all_, what,
               left.empty() ? "" : ", " + left + " left");
    std::fflush(stderr);
    drawn_ = true;
}

}  // namespace artel::lab
