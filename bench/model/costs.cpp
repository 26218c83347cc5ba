// Costs are read from JSON by a table of names. Where a file has both a profile's levels and
// `transfer_ns`, the latter counts.
#include "costs.hpp"

#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace artel::model {
namespace {

constexpr std::pair<const char*, double costs::*> plain[] = {{"atomic_ns", &costs::atomic},
                                                             {"look_ns", &costs::look},
                                                             {"call_ns", &costs::call},
                                                             {"claim_ns", &costs::claim},
                                                             {"leave_ns", &costs::leave},
                                                             {"wake_ns", &costs::wake},
                                                             {"wake_call_ns", &costs::wake_call},
                                                             {"yield_ns", &costs::yield},
                                                             {"worthwhile_ns", &costs::worthwhile},
                                                             {"hold_ns", &costs::hold}};

constexpr const char* names[distances] = {"same", "core", "cache", "node", "machine"};

double number(const std::string& path, const std::string& name, const nlohmann::json& value)
{
    if (!value.is_number() || value.get<double>() < 0) {
        throw std::runtime_error(
            fmt::format("{}: {} must be a number of nanoseconds, 0 or more", path, name));
    }
    return value.get<double>();
}

}  // namespace

costs read_costs(const std::string& path, costs defaults)
{
    std::ifstream in(path);
    if (!in) {
        throw std::runtime_error(fmt::format("cannot read {}", path));
    }
    nlohmann::json file;
    try {
        file = nlohmann::json::parse(in);
    } catch (const nlohmann::json::exception& e) {
        throw std::runtime_error(fmt::format("{} is no JSON: {}", path, e.what()));
    }
    if (!file.is_object()) {
        throw std::runtime_error(fmt::format("{}: an object is expected", path));
    }
    costs c = defaults;
    for (const auto& [name, member] : plain) {
        if (file.contains(name)) {
            c.*member = number(path, name, file[name]);
        }
    }
    if (file.contains("levels") && file["levels"].is_array()) {  // a profile of artel tune
        for (const auto& level : file["levels"]) {
            for (unsigned i = 1; i < distances; ++i) {
                if (level.is_object() && level.value("share", "") == names[i] &&
                    level.contains("notification_ns")) {
                    c.transfer[i] = number(path,
                                           fmt::format("notification_ns of level {}", names[i]),
                                           level["notification_ns"]);
                }
            }
        }
    }
    if (file.contains("transfer_ns")) {
        for (unsigned i = 1; i < distances; ++i) {
            if (file["transfer_ns"].contains(names[i])) {
                c.transfer[i] = number(path, fmt::format("transfer_ns.{}", names[i]),
                                       file["transfer_ns"][names[i]]);
            }
        }
    }
    return c;
}

nlohmann::json described(const costs& c)
{
    nlohmann::json result;
    for (unsigned i = 1; i < distances; ++i) {
        result["transfer_ns"][names[i]] = c.transfer[i];
    }
    for (const auto& [name, member] : plain) {
        result[name] = c.*member;
    }
    return result;
}

}  // namespace artel::model
