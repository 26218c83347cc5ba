// One line on stderr that says how far a run is and how long it may yet take; redrawn on a
// terminal, a line now and then elsewhere.
#pragma once

#include "lab/cell.hpp"
#include "lab/estimate.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace artel::lab {

class progress {
public:
    // `left` are the cells that are still to be measured, in order; `done` those that an
    // interrupted run has left, with their durations known to `known`.
    progress(std::vector<cell> left, std::size_t done, estimate known);
    ~progress();  // ends the line
    void begin(const cell& c);
    void end(const cell& c, const json& result, double seconds);

    // Of the cells left, and of the whole run as far as it can be told: "about 3 min", "more than 3
    // min", or "" while nothing is known.
    std::string rest() const;

private:
    void draw(const std::string& what);

    std::vector<cell> left_;  // reversed: the next one is the last
    std::size_t all_, done_;
    estimate known_;
    bool terminal_, drawn_ = false;
    std::chrono::steady_clock::time_point last_line_;
};

// "40 s", "12 min", "3.5 h".
std::string duration_in_words(double seconds);

// "about 12 min", "more than 12 min" when some cannot be judged, "" when none can.
std::string rest_in_words(const estimate::rest& rest);

}  // namespace artel::lab
