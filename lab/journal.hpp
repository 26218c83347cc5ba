// The finished cells of a run that is not complete yet, one JSON object a line. With it an
// interrupted run can be resumed.
#pragma once

#include "lab/cell.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

namespace artel::lab {

// Used by one thread. add() returns when the kernel has the data: it survives the end of the
// process, but perhaps not of the machine.
class journal {
public:
    // Opens or makes the file. `header` describes what cells depend on (version, machine, options
    // that change cells): results under another header are useless; they are moved to file.old, and
    // the run starts anew. Throws std::runtime_error if the file cannot be written.
    journal(std::filesystem::path file, const json& header);

    std::size_t kept() const noexcept { return found_.size(); }  // cells from the interrupted run
    // Keeps only those whose result the function accepts.
    void keep_if(const std::function<bool(const json& result)>& stands);
    bool set_aside() const noexcept { return set_aside_; }
    const json* find(const cell& c) const;  // nullptr if it is still to be measured
    void add(const cell& c, const json& result);
    void remove();  // the run is complete

private:
    std::filesystem::path path_;
    std::ofstream out_;
    std::map<std::string, json> found_;
    bool set_aside_ = false;
};

}  // namespace artel::lab
