// Shows on stderr how far a run is and how long it may still take: one line that is redrawn on a
// terminal, elsewhere a line now and then.
#pragma once

#include "lab/cell.hpp"
#include "lab/estimate.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace artel::lab {

class progress {
public:
    // `left`: the cells that are still to be measured, in order; `done`: how many an interrupted
    // run has measured; `known` has their durations.
    progress(std::vector<cell> left, std::size_t done, estimate known);
    ~progress();  // ends the line
    void begin(const cell& c);
    void end(const cell& c, const json& result, double seconds);

    // How long the remaining cells will take: "about 3 min"; "more than 3 min" if some cannot be
    // estimated; "" while nothing is known.
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

// "about 12 min", "more than 12 min" when some cannot be estimated, "" when none can.
std::string rest_in_words(const estimate::rest& rest);

}  // namespace artel::lab
