// The paper's analytic model beside measurements of what it predicts. Its parameters and, at
// several fragment sizes, the paper's protocol are measured among processes of this tool.
#pragma once

#include "coll/model.hpp"
#include "coll/settings.hpp"

#include <string>
#include <vector>

namespace artel::tool {

struct model_row {
    std::size_t bytes, fragment;
    coll::model_times times;  // measured with messages of this size right before
    // seconds; from the common start until the last rank has everything; median.
    double predicted, measured;
};

struct model_report {
    coll::model_times times;
    std::size_t queue_bytes, sets;
    std::vector<model_row> rows;
    bool works = false;
    std::string story;
};

// Takes some seconds. With more ranks than CPUs the measured times say more about the scheduler
// than about the protocol.
model_report compare_model(unsigned ranks, const coll::settings& own);

}  // namespace artel::tool
