// See explanation.hpp.
#include "lab/explanation.hpp"

#include "lab/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace artel::lab {

namespace {

struct counted {
    const char* name;
    const char* words;
};
const counted explaining[]{
    {"futex_waits", "waits in a futex"},
    {"minor_faults", "page faults"},
    {"tlb_flushes_sent", "TLB flushes sent to other CPUs"},
    {"tlb_flushes_local", "local TLB flushes"},
    {"dtlb_load_misses", "data TLB load misses"},
    {"voluntary_switches", "voluntary context switches"},
    {"involuntary_switches", "involuntary context switches"},
    {"cpu_migrations", "CPU migrations"},
    {"munmap_calls", "calls of munmap"},
    {"brk_calls", "calls of brk"},
};

// Means over the numbers of tasks that two variants have in common.
struct policy_means {
    double user = 0, system = 0, faults = 0, huge_kib = 0, dtlb = 0;
    bool has_dtlb = true, has_huge = true;

    void add(const measurement& m)
    {
        const auto value = [&](const char* name) {
            const auto it = m.evidence.find(name);
            return it == m.evidence.end() ? 0 : it->second;
        };
        user += value("user_seconds");
        system += value("system_seconds");
        faults += value("minor_faults");
        huge_kib += value("huge_page_kib");
        dtlb += value("dtlb_load_misses") + value("dtlb_store_misses");
        has_huge = has_huge && m.evidence.count("huge_page_kib") != 0;
        has_dtlb = has_dtlb && m.evidence.count("dtlb_load_misses") != 0;
    }
    void divide(unsigned count)
    {
        for (double* const it : {&user, &system, &faults, &huge_kib, &dtlb})
            *it /= count;
    }
};

// How much of the difference in CPU time belongs to the kernel and how much to the program. `gain`:
// the wall time is shorter, too.
std::string shares(const policy_means& large, const policy_means& small, bool gain)
{
    const double own = large.user - small.user, kernel = large.system - small.system;
    const auto change = [](double seconds) {
        return fmt::format("{}{} s", seconds < 0 ? "-" : "+", format_seconds(std::abs(seconds)));
    };
    auto text = fmt::format(
        " Of the CPU time of all tasks the program's own changes by {} ({} to {} s) and the "
        "kernel's by {} ({} to {} s)",
        change(own), format_seconds(small.user), format_seconds(large.user), change(kernel),
        format_seconds(small.system), format_seconds(large.system));
    text += fmt::format("; page faults go from {:.0f} to {:.0f}", small.faults, large.faults);
    if (large.has_dtlb && small.has_dtlb)
        return text +
               fmt::format(", data TLB misses from {:.3g} to {:.3g}.", small.dtlb, large.dtlb);
    if (own + kernel == 0 || (own + kernel < 0) != gain)
        return text +
               ". So it is not CPU time that explains the difference, but when the tasks ran.";
    // User time includes both address translation and cache misses; only a count of TLB misses
    // could distinguish them.
    return text +
           (std::abs(own) > std::abs(kernel)
                ? ": most of it is not the faults but how memory is reached, by the TLB or by the "
                  "caches, which this machine does not count."
                : ": most of it is the cost of the faults.");
}

}  // namespace

std::string explanation(const measurement& slower, const measurement& faster,
                        const char* slower_name, const char* faster_name)
{
    // The counts that are clearly higher in the slower of two cells: at least one and a half times,
    // and enough to matter.
    std::vector<std::pair<double, std::string>> found;
    for (const auto& it : explaining) {
        const auto a = slower.evidence.find(it.name), b = faster.evidence.find(it.name);
        if (a == slower.evidence.end() || b == faster.evidence.end())
            continue;
        const double more = a->second / std::max(b->second, 1.0);
        if (more >= 1.5 && a->second >= 100)
            found.emplace_back(
                more, fmt::format("{:.0f} {} against {:.0f}", a->second, it.words, b->second));
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<std::string> words;
    for (const auto& [more, text] : found)
        if (words.size() < 3)
            words.push_back(text);
    const auto system = [](const measurement& m) {
        return m.evidence.count("system_seconds") != 0 ? m.evidence.at("system_seconds") : 0;
    };
    if (system(slower) > 1.5 * system(faster) && system(slower) > 0.1 * slower.median())
        words.push_back(fmt::format("{} s in the kernel against {} s",
                                    format_seconds(system(slower)),
                                    format_seconds(system(faster))));
    if (words.empty())
        return fmt::format("None of the counters taken tells {} from {}.", slower_name,
                           faster_name);
    return fmt::format("With {} there were {}.", slower_name, fmt::join(words, ", "));
}

std::string page_effect(const results& r, const std::string& workload, const char* large,
                        const char* small, const char* words)
{
    double logarithms = 0, least = 1e300, most = 0, spread = 0;
    unsigned count = 0, repeated = 0;
    policy_means with, without;
    for (const unsigned n : r.tasks()) {
        const auto ratio = r.ratio(workload, large, small, n);
        if (!ratio)
            continue;
        const auto &a = *r.find(workload, large, n), &b = *r.find(workload, small, n);
        logarithms += std::log(*ratio);
        least = std::min(least, *ratio);
        most = std::max(most, *ratio);
        if (a.seconds.size() > 1 && b.seconds.size() > 1) {
            spread += std::max(a.spread(), b.spread());
            ++repeated;
        }
        with.add(a);
        without.add(b);
        ++count;
    }
    if (count == 0)
        return {};
    with.divide(count);
    without.divide(count);
    // The geometric mean over N, since single points are noisy.
    const double mean = std::exp(logarithms / count);
    auto text = fmt::format(
        "{}: {} ({} against {}) change the time by {:+.0f} % on average over N ({:+.0f} to {:+.0f} "
        "%).",
        title_of(workload), words, large, small, 100 * (mean - 1), 100 * (least - 1),
        100 * (most - 1));
    if (with.has_huge && with.huge_kib == 0)
        return text +
               fmt::format(" But {} got no such pages from the kernel, so this is noise.", large);
    if (repeated == 0)
        return text + " Measured once, so nothing is concluded from it.";
    if (std::abs(mean - 1) < spread / repeated / std::sqrt(count))
        return text +
               fmt::format(" That is less than repeats differ ({:.0f} %): no effect to explain.",
                           100 * spread / repeated);
    return text + shares(with, without, mean < 1);
}

std::vector<missing_counter> missing_counters(const results& r)
{
    std::map<std::string, std::set<std::string>> by_reason;
    r.for_each([&](const auto&, const auto&, const auto&, unsigned, const measurement& m) {
        for (const auto& [name, why] : m.unavailable)
            by_reason[why].insert(name);
    });
    std::vector<missing_counter> result;
    for (const auto& [why, names] : by_reason)
        result.push_back({why, {names.begin(), names.end()}});
    return result;
}

}  // namespace artel::lab
