#include "costs.hpp"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace artel::model {
namespace {

double number(const std::string& path, const std::string& name, const nlohmann::json& value)
{
    if (!value.is_number() || value.get<double>() < 0) {
        throw std::runtime_error(fmt::format("{}: {} must be a number of nanoseconds, 0 or more", path, name));
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
    const std::pair<const char*, double costs::*> plain[] = {{"atomic_ns", &costs::atomic},
                                                             {"look_ns", &costs::look},
                                                             {"call_ns", &costs::call},
                                                             {"claim_ns", &costs::claim},
                                                             {"leave_ns", &costs::leave},
                                                             {"wake_ns", &costs::wake},
                                                             {"wake_call_ns", &costs::wake_call},
                                                             {"yield_ns", &costs::yield},
                                                             {"worthwhile_ns", &costs::worthwhile},
                                                             {"hold_ns", &costs::hold}};
    for (const auto& [name, member] : plain) {
        if (file.contains(name)) {
            c.*member = number(path, name, file[name]);
        }
    }
    const char* const names[] = {"same", "core", "cache", "node", "machine"};
    if (file.contains("levels") && file["levels"].is_array()) {  // a profile of artel tune
        for (const auto& level : file["levels"]) {
            for (unsigned i = 1; i < distances; ++i) {
                if (level.is_object() && level.value("share", "") == names[i] && level.contains("notification_ns")) {
                    c.transfer[i] = number(path, fmt::format("notification_ns of level {}", names[i]), level["notification_ns"]);
                }
            }
        }
    }
    if (file.contains("transfer_ns")) {
        for (unsigned i = 1; i < distances; ++i) {
            if (file["transfer_ns"].contains(names[i])) {
                c.transfer[i] = number(path, fmt::format("transfer_ns.{}", names[i]), file["transfer_ns"][names[i]]);
            }
        }
    }
    return c;
}

}  // namespace artel::model
