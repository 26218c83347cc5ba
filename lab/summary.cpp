// See summary.hpp.
#include "lab/summary.hpp"

#include "lab/allocators.hpp"
#include "lab/explanation.hpp"
#include "lab/paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace artel::lab {

const std::vector<variant_pair>& fair_pairs()
{
    static const std::vector<variant_pair> pairs{{"T-M", "P"}, {"HP.T-M", "HP.P"}, {"T-N", "P-N"}};
    return pairs;
}

const char* title_of(const std::string& workload)
{
    return workload == "alloc"   ? "Alloc"
           : workload == "rows"  ? "Matrix multiply by rows"
           : workload == "tiles" ? "Matrix multiply in tiles"
                                 : "Exchanges";
}

std::string format_seconds(double seconds)
{
    return seconds >= 100   ? fmt::format("{:.0f}", seconds)
           : seconds >= 10  ? fmt::format("{:.1f}", seconds)
           : seconds >= 1   ? fmt::format("{:.2f}", seconds)
           : seconds >= 0.1 ? fmt::format("{:.3f}", seconds)
                            : fmt::format("{:.4f}", seconds);
}

win_count matrix_wins(const results& r)
{
    win_count wins;
    for (const char* workload : {"rows", "tiles"})
        for (const auto& pair : fair_pairs())
            for (const unsigned n : r.tasks())
                if (const auto ratio = r.ratio(workload, pair.threads, pair.processes, n)) {
                    ++wins.all;
                    wins.processes += *ratio > 1 ? 1 : 0;
                }
    return wins;
}

namespace {

std::string factor(double ratio)
{
    return ratio >= 10 ? fmt::format("{:.0f}", ratio) : fmt::format("{:.2f}", ratio);
}

// "3.21 times as fast" and the like: a bare ratio would not say which is faster.
std::string comparison(double threads_over_processes)
{
    const double gain = std::max(threads_over_processes, 1 / threads_over_processes);
    if (gain < 1.03)
        return "threads and processes take the same time (within 3 %)";
    return fmt::format("{} are {} times as fast as {}",
                       threads_over_processes > 1 ? "processes" : "threads", factor(gain),
                       threads_over_processes > 1 ? "threads" : "processes");
}

void compare(const results& r, const std::string& workload, const char* threads,
             const char* processes, unsigned n, std::vector<std::string>& out)
{
    const auto ratio = r.ratio(workload, threads, processes, n);
    if (!ratio)
        return;
    const auto &t = *r.find(workload, threads, n), &p = *r.find(workload, processes, n);
    // When the times of repeats overlap, neither is faster; a single repeat has no spread to
    // compare.
    const bool overlap = t.least() <= p.most() && p.least() <= t.most();
    const bool unclear = overlap && t.seconds.size() > 1;
    auto text = fmt::format("{}, {} against {}, N = {}: {} ({} s and {} s)", title_of(workload),
                            threads, processes, n, comparison(*ratio),
                            format_seconds(*r.seconds(workload, threads, n)),
                            format_seconds(*r.seconds(workload, processes, n)));
    if (const auto theirs = paper_ratio(workload, "X5675", threads, processes, n))
        text += fmt::format("; the paper's X5675: {}", comparison(*theirs));
    text += ".";
    if (unclear)
        text += fmt::format(" The repeats overlap ({} to {} s, {} to {} s): no clear winner.",
                            format_seconds(t.least()), format_seconds(t.most()),
                            format_seconds(p.least()), format_seconds(p.most()));
    else if (*ratio >= 1.1 || *ratio <= 1 / 1.1) {
        text.append(" ").append(*ratio > 1 ? explanation(t, p, "threads", "processes")
                                           : explanation(p, t, "processes", "threads"));
    }
    out.push_back(text);
}

void alloc_sentences(const results& r, std::vector<std::string>& out)
{
    const auto best_t = r.best("alloc", "T"), best_p = r.best("alloc", "P");
    const unsigned most = *r.tasks().rbegin();
    if (!best_t || !best_p)
        return;
    if (const auto p = r.seconds("alloc", "P", most))
        out.push_back(fmt::format(
            "Alloc: {} processes take {} s, the best number of threads ({}) takes {} s: {}. The "
            "paper found more than 5 (20 by its table 2) on 12 cores with glibc 2.12.",
            most, format_seconds(*p), best_t->first, format_seconds(best_t->second),
            comparison(best_t->second / *p)));
    compare(r, "alloc", "T", "P", most, out);

    // Separates the allocator from the address space: with an arena for each thread there is no
    // contention for locks, and the remaining difference between threads and processes comes from
    // what else threads share.
    const auto one = r.seconds("alloc", "T", most, "glibc-1-arena"),
               usual = r.seconds("alloc", "T", most),
               own = r.seconds("alloc", "T", most, "glibc-arena-per-task"),
               processes = r.seconds("alloc", "P", most);
    if (one && usual && own && processes)
        out.push_back(fmt::format(
            "Alloc, {} threads: {} s with one arena, {} s with glibc's default, {} s with an arena "
            "for each thread; {} processes: {} s. {} {}",
            most, format_seconds(*one), format_seconds(*usual), format_seconds(*own), most,
            format_seconds(*processes),
            *usual > *own ? fmt::format("Contention for arenas costs threads {} s by default.",
                                        format_seconds(*usual - *own))
                          : "Contention for arenas costs threads nothing by default.",
            *own > *processes
                ? fmt::format("The shared address space costs {} s.",
                              format_seconds(*own - *processes))
                : fmt::format("The shared address space costs less than {} processes do.", most)));
    std::vector<std::string> others;
    for (const auto& it : allocators()) {
        const auto t = r.seconds("alloc", "T", most, it.name),
                   p = r.seconds("alloc", "P", most, it.name);
        if (t && p)
            others.push_back(fmt::format("{} {} s / {} s = {}", it.name, format_seconds(*t),
                                         format_seconds(*p), factor(*t / *p)));
    }
    if (others.size() > 1)
        out.push_back(fmt::format("Alloc by allocator, {} threads / processes: {}.", most,
                                  fmt::join(others, "; ")));
}

void matrix_sentences(const results& r, std::vector<std::string>& out)
{
    if (const auto wins = matrix_wins(r); wins.all != 0)
        out.push_back(fmt::format(
            "Processes win {} of {} comparisons of matrix multiply under the same page policy: "
            "{:.2f} % (the paper: 58.56 %).",
            wins.processes, wins.all, 100 * wins.share()));
    for (const char* workload : {"rows", "tiles"}) {
        if (!r.has(workload))
            continue;
        const unsigned most = *r.tasks().rbegin();
        for (const auto& pair : fair_pairs())
            compare(r, workload, pair.threads, pair.processes, most, out);
        for (const auto& [huge, small, words] :
             {std::tuple{"HP.T-M", "T-M", "explicit 2 MiB pages"},
              std::tuple{"HP.P", "P", "explicit 2 MiB pages"},
              std::tuple{"T", "T-N", "transparent huge pages"}})
            if (auto text = page_effect(r, workload, huge, small, words); !text.empty())
                out.push_back(std::move(text));
    }
}

void exchange_sentences(const results& r, std::vector<std::string>& out)
{
    const unsigned most = *r.tasks().rbegin();
    compare(r, "exchanges", "T", "P", most, out);
    unsigned first = 0;
    bool compared = false;
    for (const unsigned n : r.tasks())
        if (const auto ratio = r.ratio("exchanges", "T", "P", n); ratio) {
            compared = true;
            if (*ratio <= 1)
                first = 0;
            else if (first == 0)
                first = n;
        }
    if (!compared)
        return;
    out.push_back(
        first == 0
            ? "Exchanges: threads win up to the largest number of tasks measured (the paper: "
              "processes from 128)."
            : fmt::format("Exchanges: processes win from {} tasks on (the paper: from 128).",
                          first));
}

// Times measured beside other programs mean little, and so do those of a single repeat.
void quality_sentences(const results& r, std::vector<std::string>& out)
{
    unsigned disturbed = 0, all = 0, single = 0, missing = 0;
    std::map<std::string, unsigned> refusals;
    r.for_each([&](const auto&, const auto&, const auto&, unsigned, const measurement& m) {
        if (!m.ok()) {
            ++(m.status == "missing"
                   ? missing
                   : refusals[fmt::format("{}: {}", m.status == "skip" ? "SKIP" : "FAIL",
                                          m.reason)]);
            return;
        }
        ++all;
        single += m.seconds.size() == 1 ? 1 : 0;
        const auto share = m.evidence.find("other_programs_share");
        disturbed += share != m.evidence.end() && share->second > 0.1 ? 1 : 0;
    });
    if (missing != 0)
        out.push_back(fmt::format(
            "Caution: {} cells are not measured yet, and the comparisons leave them out.",
            missing));
    for (const auto& [what, count] : refusals)
        out.push_back(fmt::format("{} cell{} {}.", count, count == 1 ? "" : "s", what));
    for (const auto& it : missing_counters(r))
        out.push_back(fmt::format("Not counted: {} ({}); explanations do without them.",
                                  fmt::join(it.names, ", "), it.why));
    if (disturbed != 0)
        out.push_back(fmt::format(
            "Caution: during {} of {} measurements other programs took more than a tenth of the "
            "CPUs.",
            disturbed, all));
    if (single != 0)
        out.push_back(fmt::format(
            "Caution: {} of {} cells were measured only once, so small differences mean nothing.",
            single, all));
}

}  // namespace

std::vector<std::string> summary_sentences(const results& r)
{
    std::vector<std::string> out;
    quality_sentences(r, out);
    if (r.has("alloc"))
        alloc_sentences(r, out);
    if (r.has("rows") || r.has("tiles"))
        matrix_sentences(r, out);
    if (r.has("exchanges"))
        exchange_sentences(r, out);
    return out;
}

json summary_as_json(const results& r)
{
    json result;
    result["sentences"] = summary_sentences(r);
    const auto wins = matrix_wins(r);
    result["matrix_comparisons"] = {{"processes_win", wins.processes},
                                    {"all", wins.all},
                                    {"share", wins.all == 0 ? json(nullptr) : json(wins.share())},
                                    {"paper_share", paper_process_share}};
    json ratios = json::array();
    for (const char* workload : {"alloc", "rows", "tiles", "exchanges"})
        for (const auto& pair : std::vector<variant_pair>{
                 {"T", "P"}, {"T-M", "P"}, {"HP.T-M", "HP.P"}, {"T-N", "P-N"}})
            for (const unsigned n : r.tasks())
                if (const auto ratio = r.ratio(workload, pair.threads, pair.processes, n)) {
                    const auto theirs = paper_ratio(workload, "X5675", pair.threads, pair.processes,
                                                    n);
                    ratios.push_back({{"workload", workload},
                                      {"threads", pair.threads},
                                      {"processes", pair.processes},
                                      {"tasks", n},
                                      {"ratio", *ratio},
                                      {"paper_x5675", theirs ? json(*theirs) : json(nullptr)}});
                }
    result["threads_over_processes"] = ratios;
    json medians = json::array();
    r.for_each([&](const std::string& workload, const std::string& variant,
                   const std::string& allocator, unsigned tasks, const measurement& m) {
        if (m.ok())
            medians.push_back({{"workload", workload},
                               {"variant", variant},
                               {"allocator", allocator},
                               {"tasks", tasks},
                               {"median", m.median()},
                               {"least", m.least()},
                               {"most", m.most()},
                               {"repeats", m.seconds.size()}});
    });
    result["medians"] = medians;
    return result;
}

}  // namespace artel::lab
