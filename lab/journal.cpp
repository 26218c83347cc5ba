// See journal.hpp.
#include "lab/journal.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace artel::lab {

namespace {

// A finished cell; a damaged line counts as none, and its cell is measured again.
bool is_entry(const json& entry)
{
    if (!entry.is_object() || !entry.contains("key") || !entry["key"].is_string() || !entry.contains("result"))
        return false;
    const json& result = entry["result"];
    if (!result.is_object() || !result.contains("status") || !result["status"].is_string())
        return false;
    return result["status"] == "ok" ? result.contains("seconds") && result["seconds"].is_number()
                                    : result.contains("reason") && result["reason"].is_string();
}

}  // namespace

journal::journal(std::filesystem::path file, const json& header) : path_(std::move(file))
{
    std::ifstream in(path_);
    std::string line;
    const bool exists = static_cast<bool>(std::getline(in, line));
    const bool usable = exists && json::parse(line, nullptr, false) == header;
    while (usable && std::getline(in, line)) {
        const auto entry = json::parse(line, nullptr, false);
        // The last line may have been cut short by the interrupt.
        if (!is_entry(entry))
            continue;
        // What was skipped costs nothing, and what it lacked may be there by now.
        if (entry["result"].value("status", "") != "skip")
            found_[entry["key"]] = entry["result"];
    }
    in.close();
    std::error_code error;
    if (exists && !usable) {
        std::filesystem::rename(path_, path_.string() + ".old", error);
        set_aside_ = true;
    }
    out_.open(path_, std::ios::app);
    if (usable)
        out_ << '\n';  // ends a line cut short
    else
        out_ << header.dump() << '\n';
    if (!out_.flush())
        throw std::runtime_error(fmt::format("cannot write {}", path_.string()));
}

const json* journal::find(const cell& c) const
{
    const auto it = found_.find(c.key());
    return it == found_.end() ? nullptr : &it->second;
}

void journal::add(const cell& c, const json& result)
{
    const json entry{{"key", c.key()}, {"result", result}};
    out_ << entry.dump() << '\n';
    if (!out_.flush())
        throw std::runtime_error(fmt::format("cannot write {}", path_.string()));
}

void journal::remove()
{
    out_.close();
    std::error_code error;
    std::filesystem::remove(path_, error);
}

}  // namespace artel::lab
