// See journal.hpp.
#include "lab/journal.hpp"

#include "lab/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace artel::lab {

namespace {

// Whether the line is a finished cell. A damaged line is none, so its cell is measured again.
bool is_entry(const json& entry)
{
    if (!entry.is_object() || !entry.contains("key") || !entry["key"].is_string() ||
        !entry.contains("result"))
        return false;
    const json& result = entry["result"];
    if (!result.is_object() || !result.contains("status"))
        return false;
    const auto is_text = [&](const char* name) {
        return result.contains(name) && result[name].is_string();
    };
    if (result["status"] == "fail" || result["status"] == "skip")
        return is_text("reason");
    if (result["status"] != "ok" || !result.contains("seconds") || !result["seconds"].is_number() ||
        !result.contains("evidence") || !result["evidence"].is_object())
        return false;
    const json reasons = result["evidence"].value("unavailable", json::object());
    return reasons.is_object() && std::all_of(reasons.begin(), reasons.end(),
                                              [](const json& it) { return it.is_string(); });
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
        // Skipped cells are tried again: that costs nothing, and what they lacked may be there by
        // now.
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
        throw std::runtime_error(
            fmt::format("cannot write {}: {}", path_.string(), error_in_words(errno)));
}

void journal::keep_if(const std::function<bool(const json& result)>& stands)
{
    std::erase_if(found_, [&](const auto& entry) { return !stands(entry.second); });
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
        throw std::runtime_error(
            fmt::format("cannot write {}: {}", path_.string(), error_in_words(errno)));
}

void journal::remove()
{
    out_.close();
    std::error_code error;
    std::filesystem::remove(path_, error);
}

}  // namespace artel::lab
