// Counts that explain a time: those of the kernel and of the processor during a measurement, for
// this process and the children that it makes meanwhile. A count that is not available is reported
// as null with the reason, never left out.
#pragma once

#include "lab/cell.hpp"

#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <vector>

namespace artel::lab {

class evidence {
public:
    evidence() = default;
    evidence(const evidence&) = delete;
    evidence& operator=(const evidence&) = delete;
    ~evidence();

    // What this process's threads and its children do between the two calls is counted, except in
    // children that are not awaited.
    void start();
    void stop();
    json as_json() const;

private:
    struct counter {
        const char* name = nullptr;
        int file = -1;
        std::string unavailable{};  // why
        std::uint64_t value = 0;
    };
    void open_counters();

    rusage self_{}, children_{};
    json usage_;
    std::vector<counter> counters_;
    double busy_seconds_ = 0, wall_seconds_ = 0;  // of all CPUs; passed
    std::int64_t shootdowns_ = -1;                // of the whole machine, from /proc/interrupts
    std::int64_t huge_page_kib_ = -1;             // mapped by this process when the tasks had ended
};

}  // namespace artel::lab
