// Cases are parsed by the table of settings (coll/settings.hpp), so that an error names what is
// allowed. Results are printed as text or JSON.
#include "artel/mpi_trial_command.hpp"

#include "artel/json_text.hpp"
#include "artel/mpi_trial.hpp"
#include "artel/old_name.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

constexpr std::uint64_t most_message = std::uint64_t{1} << 30;

struct trial_arguments {
    trial_plan plan;
    std::vector<std::string> cases;
    std::string off_cache = "0";
    bool steps = false, as_json = false;
};

[[noreturn]] void refuse(const std::string& words, const std::string& why)
{
    throw command_error(usage, fmt::format("case '{}': {}", words, why));
}

// Parses a number of bytes in the notation of the settings, by means of one of them.
bool parse_bytes(const std::string& word, std::uint64_t& bytes)
{
    coll::settings s;
    if (!coll::set_by_name(s, "stream", word.c_str()))
        return false;
    bytes = s.stream_from;
    return true;
}

std::string names_of_settings()
{
    std::string names;
    for (const auto& row : coll::setting_table()) {
        std::string name = row.variable;
        if (name == "ARTEL_MPI")
            continue;
        name.erase(0, std::string_view("ARTEL_MPI_").size());
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        names += ", " + name;
    }
    return names;
}

std::string allowed_for(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const auto table = coll::setting_table();
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const auto& r) { return r.variable == "ARTEL_MPI_" + name; });
    return row == table.end() ? "" : row->allowed;
}

json as_json(const coll::model_times& t)
{
    return {{"per_byte_ns", t.per_byte * 1e9},
            {"quicker_per_byte_ns", (t.quicker != 0 ? t.quicker : t.per_byte) * 1e9},
            {"notify_ns", t.notify * 1e9},
            {"set_wait_ns", t.set_wait * 1e9},
            {"atomic_ns", t.atomic * 1e9}};
}

json as_json(const trial_case& c, const trial_result& r)
{
    json found{{"case", c.words},          {"bytes", c.bytes},
               {"fragment", r.fragment},   {"queue_bytes", r.queue_bytes},
               {"sets", c.chosen.sets},    {"us", middle_mean(r.runs) * 1e6},
               {"runs_us", json::array()}, {"times", as_json(r.times)}};
    for (const double run : r.runs)
        found["runs_us"].push_back(run * 1e6);
    return found;
}

void trials(const trial_plan& plan, bool wants_json)
{
    const auto results = run_trials(plan);
    json document{{"ranks", plan.ranks},
                  {"crowded", too_many_ranks(plan.ranks)},
                  {"off_cache", plan.off_cache},
                  {"rotate", plan.rotate},
                  {"cases", json::array()}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        const trial_case& c = plan.cases[i];
        const trial_result& r = results[i];
        document["cases"].push_back(as_json(c, r));
        if (!wants_json)
            fmt::print("{:>12.2f} us ({:.2f} to {:.2f})  {}\n", middle_mean(r.runs) * 1e6,
                       *std::min_element(r.runs.begin(), r.runs.end()) * 1e6,
                       *std::max_element(r.runs.begin(), r.runs.end()) * 1e6, c.words);
    }
    if (wants_json)
        fmt::print("{}\n", json_text(document));
}

// Prints the steps; times count from the root's first step.
void steps(const trial_plan& plan, bool wants_json)
{
    json document{
        {"ranks", plan.ranks}, {"crowded", too_many_ranks(plan.ranks)}, {"cases", json::array()}};
    for (const trial_case& c : plan.cases) {
        if (c.chosen.protocol != coll::protocol_kind::paper)
            refuse(c.words, "--steps is for protocol=paper: the other one has no such steps");
        const recorded_steps found = record_steps(plan, c);
        if (found.left_out != 0)
            refuse(c.words, fmt::format("more than {} steps; a larger fragment has fewer",
                                        most_trial_steps));
        double start = std::numeric_limits<double>::max();
        for (const auto& own : found.of)
            start = own.empty() ? start : std::min(start, own.front().begin);
        json entry{{"case", c.words}, {"bytes", c.bytes}, {"ranks", json::array()}};
        if (!wants_json)
            fmt::print("{}\n", c.words);
        for (unsigned r = 0; r < plan.ranks; ++r) {
            json list = json::array();
            for (const coll::step& s : found.of[r]) {
                list.push_back({{"step", name_of(s.kind)},
                                {"fragment", s.fragment},
                                {"begin_us", (s.begin - start) * 1e6},
                                {"end_us", (s.end - start) * 1e6}});
                if (!wants_json)
                    fmt::print("  rank {} {:<2} {:>3} {:>10.3f} to {:>10.3f} us\n", r,
                               name_of(s.kind), s.fragment, (s.begin - start) * 1e6,
                               (s.end - start) * 1e6);
            }
            entry["ranks"].push_back(std::move(list));
        }
        document["cases"].push_back(std::move(entry));
    }
    if (wants_json)
        fmt::print("{}\n", json_text(document));
}

void run(const trial_arguments& arguments)
{
    trial_plan plan = arguments.plan;
    if (!parse_bytes(arguments.off_cache, plan.off_cache) || plan.off_cache > most_message)
        throw command_error(usage,
                            fmt::format("--off-cache {}: 0 to 1G bytes", arguments.off_cache));
    if (arguments.cases.size() > most_trial_cases)
        throw command_error(
            usage, fmt::format("{} cases: at most {}", arguments.cases.size(), most_trial_cases));
    const coll::settings others = coll::settings_of_environment();
    for (const std::string& words : arguments.cases)
        plan.cases.push_back(parse_trial_case(words, others));
    arguments.steps ? steps(plan, arguments.as_json) : trials(plan, arguments.as_json);
}

}  // namespace

trial_case parse_trial_case(const std::string& words, const coll::settings& others)
{
    trial_case c{words, 0, others};
    std::set<std::string> given;
    for (std::string rest = words; !rest.empty();) {
        const std::string part = rest.substr(0, rest.find(','));
        rest.erase(0, part.size() + 1);
        const auto equals = part.find('=');
        if (equals == std::string::npos)
            refuse(words, fmt::format("'{}' is not of the form NAME=VALUE", part));
        const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
        if (!given.insert(name).second)
            refuse(words, fmt::format("'{}' is there twice", name));
        if (name == "bytes") {
            if (!parse_bytes(value, c.bytes) || c.bytes == 0 || c.bytes > most_message)
                refuse(words, fmt::format("'{}' bytes: 1 to 1G", value));
        } else if (!coll::set_by_name(c.chosen, name.c_str(), value.c_str())) {
            const std::string allowed = allowed_for(name);
            refuse(words, allowed.empty()
                              ? fmt::format("there is no '{}' (there are bytes{})", name,
                                            names_of_settings())
                              : fmt::format("{}={}: allowed are {}", name, value, allowed));
        }
    }
    if (c.bytes == 0)
        refuse(words, "it needs bytes=NUMBER, the size of the message");
    if (given.count("length") != 0 && given.count("rule") == 0) {
        if (c.chosen.fragment == 0)
            refuse(words, "length needs fragment=BYTES as well, or a rule");
        c.chosen.queue_bytes = c.chosen.fragment * c.chosen.length;
        if (c.chosen.queue_bytes > most_message)
            refuse(words, "fragment times length is more than 1G");
    }
    return c;
}

void add_mpi_trial(CLI::App& mpi, context&)
{
    auto arguments = std::make_shared<trial_arguments>();
    auto* command = mpi.add_subcommand(
        "trial", "Time broadcasts with given settings, among processes of this tool");
    command
        ->add_option("CASE", arguments->cases,
                     "As in bytes=1M,protocol=paper,fragment=8K,length=64,sets=1,tree=chain: "
                     "the message, and settings as artel mpi info has them")
        ->required();
    command->add_option("-n", arguments->plan.ranks, "Number of processes (default 2)")
        ->check(CLI::Range(2U, most_mpi_ranks));
    const auto rounds = CLI::Range(1U, static_cast<unsigned>(most_trial_runs));
    CLI::Option* const in_rounds = command
                                       ->add_option("--rounds", arguments->plan.runs,
                                                    "Set-ups of each case, in turns; the least and "
                                                    "the longest do not count (default 5)")
                                       ->check(rounds);
    add_old_name(*command, "artel mpi trial", "--runs", in_rounds, arguments->plan.runs)
        ->check(rounds);
    command
        ->add_option("--calls", arguments->plan.calls,
                     "Broadcasts of each, of which the median counts (default: by their size)")
        ->check(CLI::Range(1U, 1000000U));
    command
        ->add_option("--off-cache", arguments->off_cache,
                     "Every call takes another part of a buffer of so many bytes (default: the "
                     "same part)")
        ->type_name("BYTES");
    command->add_flag("--rotate", arguments->plan.rotate, "Every call has another root");
    command->add_flag("--steps", arguments->steps,
                      "Show what each rank does in one broadcast, and when (protocol=paper)");
    command->add_flag("--json", arguments->as_json, "The same as JSON");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace artel::tool
