// In the file, rows of groups that were measured anew are replaced and all others kept. With
// --check nothing is written, and the exit status tells whether the present choice is within 5 % of
// the best tree.
#include "artel/mpi_tune_command.hpp"

#include "artel/json_text.hpp"
#include "artel/mpi_ranks.hpp"
#include "artel/mpi_tune.hpp"
#include "artel/whole_file.hpp"
#include "coll/tree_file.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

constexpr double most_behind = 1.05;  // --check: time of the chosen tree over the best one's

struct tune_arguments {
    std::vector<unsigned> ranks;
    double seconds = 60;
    bool check = false, dry = false, as_json = false;
};

// Powers of two, up to as many ranks as the machine has CPUs, and at least to 16.
std::vector<unsigned> usual_ranks()
{
    const std::size_t most = std::max<std::size_t>(topology::this_machine().cpus.size(), 16);
    std::vector<unsigned> all;
    for (unsigned n = 2; n <= most && n <= most_mpi_ranks; n *= 2)
        all.push_back(n);
    return all;
}

double behind(const tree_times& t)
{
    return t.in_force / t.middle[t.best()];
}

json as_document(const tree_report& r)
{
    json result{{"ranks", r.ranks},
                {"group", r.group},
                {"crowded", r.crowded},
                {"in_force", r.in_words},
                {"sizes", json::array()}};
    for (const tree_times& t : r.sizes) {
        json row{{"bytes", t.bytes},
                 {"rounds", t.rounds},
                 {"best", words_of(coll::tree_forms.at(t.best()))},
                 {"chosen", words_of(coll::tree_forms.at(t.chosen))},
                 {"chosen_us", t.in_force * 1e6},
                 {"chosen_to_best", behind(t)}};
        for (std::size_t i = 0; i < t.middle.size(); ++i)
            row["trees_us"][words_of(coll::tree_forms.at(i))] = t.middle[i] * 1e6;
        result["sizes"].push_back(std::move(row));
    }
    return result;
}

void print(const tree_report& r)
{
    fmt::print("{} ranks, {} in the largest cache group{}; in force: {}\n{:>10}", r.ranks, r.group,
               r.crowded ? ", more than CPUs" : "", r.in_words, "bytes");
    for (const auto& form : coll::tree_forms)
        fmt::print(" {:>10}", words_of(form));
    fmt::print(" {:>10} {:>8}   us, means of the middle half\n", "in force", "to best");
    for (const tree_times& t : r.sizes) {
        fmt::print("{:>10}", t.bytes);
        for (const double time : t.middle)
            fmt::print(" {:>10.2f}", time * 1e6);
        fmt::print(" {:>10.2f} {:>8.3f}\n", t.in_force * 1e6, behind(t));
    }
}

// The rows of the new file: those of the old one that were not measured anew, and the measured
// ones.
std::vector<coll::tree_row> rows_to_keep(const std::vector<tree_report>& reports)
{
    std::vector<coll::tree_row> rows = coll::this_machines_trees().rows;
    for (const tree_report& r : reports) {
        std::erase_if(rows, [&](const coll::tree_row& row) {
            return row.group == r.group && row.crowded == r.crowded;
        });
        // In groups of two every tree is the same.
        for (const tree_times& t : r.sizes)
            rows.push_back({r.group, r.crowded, t.bytes, r.group > 2 ? t.wanted() : 0});
    }
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::tie(a.crowded, a.group, a.bytes) < std::tie(b.crowded, b.group, b.bytes);
    });
    return rows;
}

int tune(const tune_arguments& arguments)
{
    const std::string machine = coll::this_machine_in_words();
    const std::string path = coll::tree_file_path(machine);
    const bool keep = !arguments.dry && !arguments.check;
    if (path.empty() && keep)
        throw command_error(
            failure,
            "no place for the file: neither XDG_CACHE_HOME nor HOME is an absolute path (--dry-run "
            "needs none)");
    const auto ranks = arguments.ranks.empty() ? usual_ranks() : arguments.ranks;
    std::vector<tree_report> reports;
    for (const unsigned n : ranks)
        reports.push_back(measure_trees(
            n, arguments.seconds / static_cast<double>(ranks.size()), [&](std::uint64_t bytes) {
                fmt::print(stderr, "artel mpi tune: {} ranks, {} bytes\n", n, bytes);
            }));
    json document{{"machine", machine}, {"file", path}, {"reports", json::array()}};
    bool good = true;
    for (const tree_report& r : reports) {
        document["reports"].push_back(as_document(r));
        if (!arguments.as_json)
            print(r);
        // In groups of two all trees are the same, and times differ by chance.
        for (const tree_times& t : r.sizes)
            good = good && (r.group <= 2 || behind(t) <= most_behind);
    }
    if (keep)
        write_whole_file(path, coll::text_of(rows_to_keep(reports), machine));
    if (arguments.as_json)
        fmt::print("{}\n", json_text(document));
    else if (keep)
        fmt::print("written to {}\n", path);
    else if (arguments.check)
        fmt::print("what is in force is {} behind the best tree by more than {:.0f} %\n",
                   good ? "nowhere" : "SOMEWHERE", (most_behind - 1) * 100);
    return arguments.check && !good ? failure : success;
}

}  // namespace

void add_mpi_tune(CLI::App& mpi, context& state)
{
    auto arguments = std::make_shared<tune_arguments>();
    auto* command = mpi.add_subcommand(
        "tune", "Measure which notification tree is fastest here, and keep that for later jobs");
    command
        ->add_option("-n", arguments->ranks,
                     "Numbers of processes (default: powers of two, up to 16 or the CPUs)")
        ->delimiter(',')
        ->check(CLI::Range(2U, most_mpi_ranks))
        ->type_name("LIST");
    command->add_option("--seconds", arguments->seconds, "To take in all (default 60)")
        ->check(CLI::Range(0.1, 86400.0))
        ->type_name("S");
    command->add_flag("--check", arguments->check,
                      "Only compare what is chosen now with every tree; exit code 1 if it is more "
                      "than 5 % behind the best one somewhere");
    command->add_flag("--dry-run", arguments->dry, "Measure, but leave the file as it is");
    command->add_flag("--json", arguments->as_json, "The same as JSON");
    command->footer(
        "The file is kept in $XDG_CACHE_HOME/artel or ~/.cache/artel, one for each machine; jobs "
        "read it when they set up.");
    command->callback([arguments, &state] { state.exit_code = tune(*arguments); });
}

}  // namespace artel::tool
