// Alloc's tasks compute the same whatever runs them and whatever the allocator, so one cell that
// was checked in full is the reference for all others with the same work: their checksums, which
// cover every task, must equal its own. So the others need no full check, which takes as long as
// the measurement.
#pragma once

#include "lab/cell.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace artel::lab {

class cross_check {
public:
    // Whether this cell should be checked in full: no cell with the same work has been yet.
    bool needs_full_check(const cell& c) const;

    // Adds a new result, or one of an interrupted run. Those checked in full have {"check":
    // "full"}.
    void add(const cell& c, const json& result);

    // At the end: turns results that differ from the one that was checked into failures. `entries`
    // are {"cell": ..., "result": ...}.
    void apply(json& entries) const;

private:
    std::map<std::string, std::string> checked_;  // checksums by work
};

}  // namespace artel::lab
