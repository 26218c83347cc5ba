// Builds a machine from what a survey found and the restrictions of the process. See topology.hpp.
#include "topology/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace artel::topology {

namespace {

// A number that no survey gives, for CPUs it does not know; each such CPU is a core of its own.
constexpr unsigned unknown_base = 1u << 24;

bool contains(const std::vector<unsigned>& sorted, unsigned value)
{
    return std::binary_search(sorted.begin(), sorted.end(), value);
}

// All CPUs of the affinity mask, also those that the survey does not know.
std::vector<surveyed_cpu> allowed_cpus(const survey& found, const std::vector<unsigned>& affinity)
{
    std::vector<surveyed_cpu> result;
    std::vector<unsigned> known;
    for (const auto& it : found.cpus)
        if (affinity.empty() || contains(affinity, it.os_index)) {
            result.push_back(it);
            known.push_back(it.os_index);
        }
    std::sort(known.begin(), known.end());
    for (const unsigned os_index : affinity)
        if (!contains(known, os_index))
            result.push_back({os_index, unknown_base + os_index, unknown_base, 0, 0});
    if (result.empty())
        result.push_back({0, unknown_base, unknown_base, 0, 0});
    return result;
}

// Numbers cores and L3 groups densely in the order of (node, L3, core), and puts SMT siblings last.
std::vector<cpu> ordered(std::vector<surveyed_cpu> raw)
{
    std::sort(raw.begin(), raw.end(), [](const surveyed_cpu& a, const surveyed_cpu& b) {
        return std::tie(a.numa, a.l3, a.core, a.os_index) <
               std::tie(b.numa, b.l3, b.core, b.os_index);
    });
    std::map<std::pair<unsigned, unsigned>, unsigned> groups;
    std::map<unsigned, unsigned> packages;
    // the survey's number to ours, and how many threads were seen.
    std::map<unsigned, std::pair<unsigned, unsigned>> cores;
    std::vector<cpu> result;
    for (const auto& it : raw) {
        const auto group = groups
                               .try_emplace({it.numa, it.l3}, static_cast<unsigned>(groups.size()))
                               .first->second;
        auto& [core, seen] = cores.try_emplace(it.core, static_cast<unsigned>(cores.size()), 0)
                                 .first->second;
        const unsigned package = packages
                                     .try_emplace(it.package,
                                                  static_cast<unsigned>(packages.size()))
                                     .first->second;
        result.push_back({it.os_index, core, group, it.numa, package, seen++});
    }
    std::sort(result.begin(), result.end(), [](const cpu& a, const cpu& b) {
        return std::tie(a.smt, a.core) < std::tie(b.smt, b.core);
    });
    return result;
}

unsigned count_distinct(const std::vector<cpu>& cpus, unsigned cpu::* field)
{
    std::vector<unsigned> values;
    for (const auto& it : cpus)
        values.push_back(it.*field);
    std::sort(values.begin(), values.end());
    return static_cast<unsigned>(std::unique(values.begin(), values.end()) - values.begin());
}

// "NUMA node 7 does not exist, there is only node 0; ..." for those of `numas` that give no CPU.
std::string explain_unusable(const std::vector<unsigned>& numas,
                             const std::vector<numa_node>& nodes,
                             const std::vector<surveyed_cpu>& cpus)
{
    std::vector<unsigned> existing, missing, empty;
    for (const auto& node : nodes)
        existing.push_back(node.os_index);
    for (const unsigned wanted : numas)
        if (!contains(existing, wanted))
            missing.push_back(wanted);
        else if (std::none_of(cpus.begin(), cpus.end(),
                              [&](const surveyed_cpu& it) { return it.numa == wanted; }))
            empty.push_back(wanted);
    std::vector<std::string> facts;
    if (!missing.empty())
        facts.push_back(fmt::format(
            "NUMA node{} {} {} not exist, there {} {}", missing.size() == 1 ? "" : "s",
            format_list(missing), missing.size() == 1 ? "does" : "do",
            existing.size() == 1 ? "is only node" : "are nodes", format_list(existing)));
    if (!empty.empty())
        facts.push_back(fmt::format("NUMA node{} {} {} no CPU that the process may use",
                                    empty.size() == 1 ? "" : "s", format_list(empty),
                                    empty.size() == 1 ? "has" : "have"));
    return fmt::format("{}", fmt::join(facts, "; "));
}

const char* plural(unsigned count)
{
    return count == 1 ? "CPU" : "CPUs";
}

// What narrowed the machine down, tightest last, so that the sentence ends with the fact that
// decides.
std::string explain(const machine& m, const restrictions& limits, unsigned in_mask,
                    bool numas_ignored)
{
    std::vector<std::string> causes;
    const auto usable = static_cast<unsigned>(m.cpus.size());
    if (in_mask < m.online_cpus)
        causes.push_back(
            fmt::format("the inherited affinity mask has CPUs {}", format_list(limits.affinity)));
    if (numas_ignored)
        causes.push_back(fmt::format("ARTEL_NUMAS={} is ignored because no usable CPU is there",
                                     format_list(limits.numas)));
    else if (usable < in_mask)
        causes.push_back(fmt::format("ARTEL_NUMAS={} leaves {} {}", format_list(limits.numas),
                                     usable, plural(usable)));
    if (m.quota.limited()) {
        const bool whole = m.quota.quota_us % m.quota.period_us == 0;
        const double shown = static_cast<double>(m.quota.quota_us * 100 / m.quota.period_us) / 100;
        causes.push_back(fmt::format("cgroup v{} quota {}/{} us at {} allows {}{}", m.quota.version,
                                     m.quota.quota_us, m.quota.period_us, m.quota.group, shown,
                                     whole ? "" : ", rounded up"));
    }
    if (!m.survey_failed.empty())
        causes.push_back(m.survey_failed);
    if (causes.empty())
        causes.push_back(m.online_cpus == 1 ? "the machine has no more"
                                            : "nothing restricts the process");
    return fmt::format("{} of {} {}: {}", m.effective_cpus, m.online_cpus, plural(m.online_cpus),
                       fmt::join(causes, "; "));
}

}  // namespace

machine make_machine(const survey& found, const restrictions& limits)
{
    machine m;
    auto raw = allowed_cpus(found, limits.affinity);
    const auto in_mask = static_cast<unsigned>(raw.size());

    m.nodes = found.nodes;
    if (m.nodes.empty())
        m.nodes.push_back({0, 0, 0, false});
    m.survey_failed = found.failure;
    m.numas_unusable = explain_unusable(limits.numas, m.nodes, raw);
    auto chosen = raw;
    if (!limits.numas.empty())
        std::erase_if(chosen,
                      [&](const surveyed_cpu& it) { return !contains(limits.numas, it.numa); });
    const bool numas_ignored = chosen.empty();
    m.cpus = ordered(numas_ignored ? std::move(raw) : std::move(chosen));

    m.online_cpus = std::max(in_mask, found.online_cpus);
    for (auto& node : m.nodes)
        node.cpus = static_cast<unsigned>(std::count_if(
            m.cpus.begin(), m.cpus.end(), [&](const cpu& it) { return it.numa == node.os_index; }));
    m.cores = count_distinct(m.cpus, &cpu::core);
    m.l3s = count_distinct(m.cpus, &cpu::l3);
    m.quota = limits.quota;
    m.effective_cpus = static_cast<unsigned>(m.cpus.size());
    if (m.quota.limited())
        m.effective_cpus = std::min(m.effective_cpus, m.quota.rounded_up());
    m.reason = explain(m, limits, in_mask, numas_ignored);
    return m;
}

std::string format_list(std::span<const unsigned> indices, std::size_t shortest_range)
{
    std::string text;
    for (std::size_t i = 0; i < indices.size();) {
        std::size_t last = i;
        while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1)
            ++last;
        if (last - i + 1 < shortest_range)
            last = i;
        text += text.empty() ? "" : ",";
        text += last == i ? fmt::format("{}", indices[i])
                          : fmt::format("{}-{}", indices[i], indices[last]);
        i = last + 1;
    }
    return text;
}

}  // namespace artel::topology
