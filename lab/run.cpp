// See run.hpp.
#include "lab/run.hpp"

#include "lab/cross_check.hpp"
#include "lab/errors.hpp"
#include "lab/folder_lock.hpp"
#include "lab/html_report.hpp"
#include "lab/huge_pages.hpp"
#include "lab/journal.hpp"
#include "lab/machine.hpp"
#include "lab/progress.hpp"
#include "lab/summary.hpp"
#include "lab/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

namespace artel::lab {

namespace fs = std::filesystem;

namespace {

void write_file(const fs::path& path, const std::string& text)
{
    // Writes a new file and renames it: an interrupt must not leave half a report in the place of a
    // whole one.
    const auto fresh = path.string() + ".new";
    std::ofstream file(fresh);
    file << text << std::flush;
    std::error_code error;
    if (file)
        fs::rename(fresh, path, error);
    if (!file || error)
        throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(),
                                             error ? error.message() : error_in_words(errno)));
}

// Reserves once, as many pages as the largest cell needs: early the kernel finds them, later memory
// may be fragmented.
std::unique_ptr<huge_page_reservation> reserve(const std::vector<cell>& left, bool allowed,
                                               std::string& why_not)
{
    std::size_t most = 0;
    for (const auto& c : left)
        most = std::max(most, huge_pages_needed(c));
    if (most == 0)
        return nullptr;
    if (!allowed) {
        why_not = fmt::format(
            "reserving huge pages is off (--no-reserve); enable: sysctl -w vm.nr_hugepages={}",
            most);
        // Enough may be reserved already; then the cells just run.
        if (free_huge_pages() >= most)
            why_not.clear();
        return nullptr;
    }
    auto result = std::make_unique<huge_page_reservation>(most);
    why_not = result->why_not();
    return result;
}

// Whether the result of an interrupted run is taken over. A refusal is not: what was lacking may be
// there by now, as for skipped cells. Nor is a time limit that was exceeded, if it is longer now. A
// wrong result is taken over: it must not go unnoticed.
bool stands(const json& result, std::chrono::seconds timeout)
{
    return result.value("status", "") == "ok" || is_wrong(result) ||
           result.value("timeout_seconds", 0l) >= timeout.count();
}

// The results of all cells of the plan, as far as they were measured.
struct outcome {
    json entries = json::array();  // {"cell", "result"}
    std::size_t missing = 0;       // cells for which there was no time
    std::string rest;              // how long those may take, in words
};

json measure(const cell& c, const cross_check& sums, const job_settings& how)
{
    auto checked = c;
    checked.full_check = c.full_check || sums.needs_full_check(c);
    auto result = run_job(checked, how);
    if (checked.full_check)
        result["check"] = "full";
    return result;
}

outcome measure_all(const std::vector<cell>& plan, const run_options& options, journal& finished)
{
    const auto started = std::chrono::steady_clock::now();
    std::vector<cell> left;
    estimate known;
    for (const auto& c : plan)
        if (const auto* kept = finished.find(c); kept == nullptr)
            left.push_back(c);
        else if (kept->contains("job_seconds"))
            known.add(c, kept->at("job_seconds"));
    std::string no_huge_pages;
    const auto reservation = reserve(left, options.reserve, no_huge_pages);
    progress bar(left, plan.size() - left.size(), std::move(known));
    outcome all;
    cross_check sums;
    for (const auto& c : plan)
        if (const auto* kept = finished.find(c); kept != nullptr)
            sums.add(c, *kept);
    for (const auto& c : plan) {
        json result;
        if (const auto* kept = finished.find(c); kept != nullptr) {
            result = *kept;
        } else {
            if (const int signal = pending_interrupt(); signal != 0)
                throw interrupted{signal};
            const auto begin = std::chrono::steady_clock::now();
            if (options.stop_after && begin - started >= *options.stop_after) {
                ++all.missing;
                all.entries.push_back(
                    {{"cell", c},
                     {"result", {{"status", "missing"}, {"reason", "not measured yet"}}}});
                continue;
            }
            bar.begin(c);
            if (huge_pages_needed(c) != 0 && !no_huge_pages.empty())
                result = {{"status", "skip"}, {"reason", no_huge_pages}};
            else
                result = measure(c, sums, options.job);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            result["job_seconds"] = took.count();  // with preparation and check
            finished.add(c, result);
            sums.add(c, result);
            bar.end(c, result, took.count());
        }
        all.entries.push_back({{"cell", c}, {"result", std::move(result)}});
    }
    sums.apply(all.entries);
    all.rest = bar.rest();
    return all;
}

int count_wrong(const json& entries)
{
    return static_cast<int>(std::count_if(entries.begin(), entries.end(), [](const json& entry) {
        return is_wrong(entry["result"]);
    }));
}

}  // namespace

int run_lab(const run_options& options)
{
    auto plan_settings = completed(options.plan);
    const auto plan = make_plan(plan_settings);
    if (const auto without = left_out(plan_settings); !without.empty()) {
        const auto why = fmt::format("none of the variants {} applies to {}",
                                     fmt::join(plan_settings.variant_names, ", "),
                                     fmt::join(without, ", "));
        if (plan.empty())
            throw std::invalid_argument("nothing to measure: " + why);
        fmt::print(stderr, "artel lab: {}\n", why);
    }
    if (options.list_only) {
        for (const auto& c : plan)
            fmt::print("{}\n", c.key());
        return 0;
    }
    fs::create_directories(options.folder);
    const folder_lock alone(options.folder);
    const auto unfinished = options.folder / "unfinished.jsonl";
    if (options.fresh)
        fs::remove(unfinished);
    const auto machine = describe_machine();
    journal finished(unfinished, {{"version", ARTEL_VERSION},
                                  {"machine", machine["identity"]},
                                  {"tmpfs", plan_settings.tmpfs}});
    finished.keep_if([&](const json& result) { return stands(result, options.job.timeout); });
    if (finished.set_aside())
        fmt::print(
            stderr,
            "artel lab: the interrupted run in {} is of another machine or version; starting "
            "anew\n",
            options.folder.string());
    else if (finished.kept() != 0)
        fmt::print(
            stderr,
            "artel lab: going on with the interrupted run in {}: {} cells are kept (--fresh starts "
            "anew)\n",
            options.folder.string(), finished.kept());

    catch_interrupts();
    const auto all = measure_all(plan, options, finished);
    const auto& entries = all.entries;
    const results r(entries);
    json document{
        {"version", ARTEL_VERSION}, {"machine", machine}, {"options", describe(plan_settings)}};
    document["progress"] = {{"cells", plan.size()}, {"missing", all.missing}, {"rest", all.rest}};
    document["summary"] = summary_as_json(r);
    document["cells"] = entries;
    write_file(options.folder / "results.json", document.dump(1) + "\n");
    write_file(options.folder / "report.html", html_report(document, r));
    if (all.missing == 0)
        finished.remove();

    for (const auto& t : make_tables(r))
        fmt::print("{}\n", as_text(t));
    if (const auto t = make_allocator_table(r); !t.rows.empty())
        fmt::print("{}\n", as_text(t));
    for (const auto& sentence : summary_sentences(r))
        fmt::print("{}\n", sentence);
    const int wrong = count_wrong(entries);
    if (wrong != 0)
        fmt::print("{} cells computed a WRONG RESULT.\n", wrong);
    if (all.missing != 0)
        fmt::print("\n{} of {} cells are measured; the same command goes on from there{}\n",
                   plan.size() - all.missing, plan.size(),
                   all.rest.empty() ? "" : " and needs " + all.rest + " more");
    fmt::print("\n{}\n{}\n", (options.folder / "report.html").string(),
               (options.folder / "results.json").string());
    return wrong == 0 ? 0 : 1;
}

}  // namespace artel::lab
