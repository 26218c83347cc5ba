// KMP_AFFINITY as a list of places, in its common forms: the types compact, scatter, balanced,
// explicit, none, disabled, with granularity, permute, offset and the switches.
#include "hw_subset.hpp"
#include "items.hpp"
#include "linking/messages.hpp"
#include "settings.hpp"
#include "settings/env_text.hpp"
#include "settings/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

namespace artel::openmp {
namespace {

using key = std::array<unsigned, 4>;
using topology::cpu;

// A CPU's position in the machine, outermost level first: node and socket, L3, core, hardware
// thread.
key levels_of(const cpu& c) noexcept
{
    return {c.numa + (c.package << 16), c.l3, c.core, c.smt};
}

// The CPUs in the order of their places. compact: the innermost level varies fastest; scatter: the
// outermost does. `permute` rotates the levels.
std::vector<cpu> in_order(bool scatter, unsigned permute)
{
    // Numbers each level densely within the next outer one, so that the first core of each socket
    // comes before any second one.
    std::vector<std::pair<key, cpu>> keyed;
    std::vector<cpu> cpus(hardware().cpus.begin(), hardware().cpus.end());
    std::sort(cpus.begin(), cpus.end(),
              [](const cpu& a, const cpu& b) { return levels_of(a) < levels_of(b); });
    std::map<std::vector<unsigned>, std::map<unsigned, unsigned>> seen;
    for (const cpu& c : cpus) {
        const key path = levels_of(c);
        key dense{};
        for (std::size_t i = 0; i < path.size(); ++i) {
            auto& numbers = seen[std::vector<unsigned>(
                path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i))];
            dense[i] = numbers.try_emplace(path[i], static_cast<unsigned>(numbers.size()))
                           .first->second;
        }
        if (scatter) {
            std::reverse(dense.begin(), dense.end());
        }
        // permute: this many of the fastest varying levels become the slowest ones.
        std::rotate(dense.begin(), dense.end() - permute % dense.size(), dense.end());
        keyed.emplace_back(dense, c);
    }
    std::sort(keyed.begin(), keyed.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        cpus[i] = keyed[i].second;
    }
    return cpus;
}

// The number that CPUs of one place share.
unsigned group_of(const cpu& c, const std::string& granularity) noexcept
{
    if (granularity == "fine" || granularity == "thread") {
        return c.os_index;
    }
    if (granularity == "socket" || granularity == "package") {
        return c.package;
    }
    if (granularity == "numa") {
        return c.numa;
    }
    return granularity == "ll_cache" || granularity == "l3" ? c.l3 : c.core;
}

bool is_granularity(const std::string& word) noexcept
{
    constexpr std::array known{"fine",     "thread", "core", "socket", "package", "numa",
                               "ll_cache", "l3",     "die",  "tile",   "module"};
    return std::find(known.begin(), known.end(), word) != known.end();
}

}  // namespace

std::string kmp_affinity::text() const
{
    constexpr const char* names[] = {"none",    "none",     "disabled", "compact",
                                     "scatter", "balanced", "explicit"};
    std::string text = fmt::format("{},{},", verbose ? "verbose" : "noverbose",
                                   warnings ? "warnings" : "nowarnings");
    if (type == kind::disabled) {
        return text + "disabled";
    }
    text += fmt::format("{},{},granularity={},", respect ? "respect" : "norespect",
                        reset ? "reset" : "noreset", granularity);
    if (type == kind::explicit_) {
        return text + fmt::format("proclist=[{}],explicit", list);
    }
    text += names[static_cast<unsigned>(type)];
    return binds() ? text + fmt::format(",{},{}", permute, offset) : text;
}

std::vector<std::vector<unsigned>> kmp_affinity::places() const
{
    if (type == kind::explicit_) {
        return parse_proclist(list);
    }
    std::vector<std::vector<unsigned>> made;
    std::map<unsigned, std::size_t> index;
    for (const cpu& c : in_order(type == kind::scatter, permute)) {
        const auto [at, is_new] = index.try_emplace(group_of(c, granularity), made.size());
        if (is_new) {
            made.emplace_back();
        }
        made[at->second].push_back(c.os_index);
    }
    for (auto& place : made) {
        std::sort(place.begin(), place.end());
    }
    std::rotate(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(offset % made.size()),
                made.end());
    return made;
}

kmp_affinity parse_kmp_affinity(const char* variable_name, const std::string& value)
{
    using kind = kmp_affinity::kind;
    const std::map<std::string, kind> types{
        {"none", kind::none},        {"disabled", kind::disabled}, {"compact", kind::compact},
        {"scatter", kind::scatter},  {"balanced", kind::balanced}, {"explicit", kind::explicit_},
        {"physical", kind::scatter}, {"logical", kind::compact}};
    const std::map<std::string, std::pair<bool kmp_affinity::*, bool>> switches{
        {"verbose", {&kmp_affinity::verbose, true}},
        {"noverbose", {&kmp_affinity::verbose, false}},
        {"warnings", {&kmp_affinity::warnings, true}},
        {"nowarnings", {&kmp_affinity::warnings, false}},
        {"respect", {&kmp_affinity::respect, true}},
        {"norespect", {&kmp_affinity::respect, false}},
        {"reset", {&kmp_affinity::reset, true}},
        {"noreset", {&kmp_affinity::reset, false}}};
    kmp_affinity a;
    unsigned numbers = 0;
    for (const std::string& item : items_of(normalized(value))) {
        if (const auto type = types.find(item); type != types.end()) {
            a.type = type->second;
        } else if (const auto flag = switches.find(item); flag != switches.end()) {
            a.*flag->second.first = flag->second.second;
        } else if (item.starts_with("granularity=") && is_granularity(item.substr(12))) {
            a.granularity = item.substr(12) == "fine" ? "thread" : item.substr(12);
        } else if (item.starts_with("proclist=[") && item.ends_with("]")) {
            a.list = item.substr(10, item.size() - 11);
        } else if (const auto n = number(item); n && numbers < 2 && a.type != kind::unset) {
            (numbers++ == 0 ? a.permute : a.offset) = *n;
        } else if (a.warnings) {
            warn_as_libomp(58, "{}: parameter invalid, ignoring \"{}\".", variable_name, item);
        }
    }
    if (a.type == kind::explicit_ && a.list.empty()) {
        if (a.warnings) {
            warn_as_libomp(
                62, "{}: proclist not specified with explicit affinity type, using \"none\".",
                variable_name);
        }
        a.type = kind::none;
    }
    return a;
}

}  // namespace artel::openmp
