// One line on stderr that says how far a run is and how long it may yet take; redrawn on a terminal, a line now and then elsewhere.
#pragma once

#include "lab/cell.hpp"

#include <chrono>

namespace artel::lab {

class progress {
public:
    progress(std::size_t cells, std::size_t kept);
    ~progress();  // ends the line
    void begin(const cell& c);
    void end(const cell& c, const json& result);

private:
    void draw(const std::string& what);

    std::size_t all_, done_, measured_ = 0;
    bool terminal_, drawn_ = false;
    std::chrono::steady_clock::time_point started_, last_line_;
};

}  // namespace artel::lab
