// What one process of `artel tune` measures: a crew with one number of workers.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace artel::tool {

// One line of progress, rewritten in place on a terminal.
class reporter {
public:
    explicit reporter(bool quiet) : quiet_(quiet), terminal_(::isatty(2) != 0) {}
    void tell(const std::string& what, std::size_t done, std::size_t all)
    {
        if (quiet_ || (!terminal_ && done != 0)) {
            return;
        }
        if (terminal_) {
            fmt::print(stderr, "\r\033[Kartel tune: {}: {} of {} runs", what, done, all);
        } else {
            fmt::print(stderr, "artel tune: {}: {} runs\n", what, all);
        }
        std::fflush(stderr);
    }
    void end() const
    {
        if (!quiet_ && terminal_) {
            fmt::print(stderr, "\r\033[K");
        }
    }

private:
    bool quiet_, terminal_;
};

// Finds the best fan-out, with a tenth of the runs for each candidate, then measures its
// distribution with all runs.
nlohmann::ordered_json measure_width(unsigned threads, std::size_t runs, reporter& report);

}  // namespace artel::tool
