// Alloc's tasks compute the same under every runtime and allocator, so one run that was checked in
// full is the reference for all others of the same work: their checksums, which cover every task,
// must be equal to its own. Each of them thereby avoids a check as slow as itself.
#pragma once

#include "lab/cell.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace artel::lab {

class cross_check {
public:
    // Whether this cell should be checked in full, for others to be compared with: nobody vouches
    // for its work yet.
    bool needs_full_check(const cell& c) const;

    // Results as they come, or come back from an interrupted run. Those checked in full say so:
    // {"check": "full"}.
    void add(const cell& c, const json& result);

    // At the end: turns results that differ from the one that was checked into failures. `entries`
    // are {"cell": ..., "result": ...}.
    void apply(json& entries) const;

private:
    std::map<std::string, std::string> checked_;  // checksums by work
};

}  // namespace artel::lab
