// loop-model — what distribution trees, delays and stealing cost on machines that are not
// available.
#include "algorithm.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

namespace {

using namespace artel::model;

struct options {
    std::vector<std::string> machines;
    std::vector<std::string> by;
    std::vector<std::string> shapes{"balanced", "triangle", "hyperbolic"};
    std::vector<unsigned> fan_outs{2};
    std::vector<unsigned> workers;
    std::int64_t iterations = 0;
    std::int64_t per_worker = 512;
    double mean = 100;
    double timespan = 0;
    bool parked = false;
    bool count_in_tree = false;
    std::uint64_t seed = 1;
    std::string costs_file;
    std::string out;
};

// Machines of 2 to 1024 CPUs; from 64 CPUs on with as many nodes as such machines have.
const std::vector<std::string> usual_machines{
    "numa:1 l3:1 core:2 pu:1", "numa:1 l3:1 core:4 pu:1", "numa:1 l3:1 core:8 pu:1",
    "numa:1 l3:2 core:8 pu:1", "numa:1 l3:4 core:8 pu:1", "numa:2 l3:4 core:8 pu:1",
    "numa:4 l3:4 core:8 pu:1", "numa:8 l3:4 core:8 pu:1", "numa:16 l3:4 core:8 pu:1",
    "numa:16 l3:8 core:8 pu:1"};

// The thesis takes the 99th percentile of the time until all have their first iteration; here
// nothing varies, so it is that time.
double derived_timespan(const machine& where, const costs& what, const setting& how)
{
    const shape one("balanced", how.workers, 1e6);
    return simulate(algorithm_named("static"), where, what, one, how).last_start;
}

int run(const options& o)
{
    const costs what = o.costs_file.empty() ? costs{} : read_costs(o.costs_file);
    nlohmann::json rows = nlohmann::json::array();
    fmt::print("{:<26} {:>7} {:>7} {:<11} {:<14} {:>10} {:>10} {:>7} {:>6} {:>7}\n", "machine",
               "workers", "fan-out", "shape", "algorithm", "last start", "finish", "x ideal",
               "idle", "steals");
    for (const std::string& text : o.machines) {
        const machine where(text);
        const std::vector<unsigned> workers = o.workers.empty()
                                                  ? std::vector<unsigned>{where.cpus()}
                                                  : o.workers;
        for (const unsigned p : workers) {
            if (o.parked && p > where.cpus()) {
                throw std::runtime_error(
                    fmt::format("--parked is for at most as many workers as CPUs, not {} on {}", p,
                                where.cpus()));
            }
            const std::int64_t n = o.iterations != 0 ? o.iterations : o.per_worker * p;
            for (const std::string& form : o.shapes) {
                const shape body(form, n, o.mean);
                for (const unsigned k : o.fan_outs) {
                    for (const std::string& name : o.by) {
                        setting how;
                        how.workers = p;
                        how.fan_out = k;
                        how.parked = o.parked;
                        how.count_in_tree = o.count_in_tree;
                        how.seed = o.seed;
                        how.timespan = o.timespan != 0 ? o.timespan
                                                       : derived_timespan(where, what, how);
                        const outcome r = simulate(algorithm_named(name), where, what, body, how);
                        const double ideal = std::max(body.total() / std::min(p, where.cpus()),
                                                      body.longest());
                        fmt::print(
                            "{:<26} {:>7} {:>7} {:<11} {:<14} {:>7.0f} ns {:>7.1f} us {:>7.3f} "
                            "{:>5.1f}% {:>7}\n",
                            text, p, k, form, name, r.last_start, r.finish / 1000, r.finish / ideal,
                            100 * r.idle_share, r.steals);
                        std::fflush(stdout);
                        rows.push_back({{"machine", text},
                                        {"cpus", where.cpus()},
                                        {"nodes", where.nodes()},
                                        {"workers", p},
                                        {"fan_out", k},
                                        {"parked", o.parked},
                                        {"count_in_tree", o.count_in_tree},
                                        {"shape", form},
                                        {"algorithm", name},
                                        {"iterations", n},
                                        {"mean_ns", o.mean},
                                        {"timespan_ns", how.timespan},
                                        {"last_start_ns", r.last_start},
                                        {"finish_ns", r.finish},
                                        {"ideal_ns", ideal},
                                        {"idle_share", r.idle_share},
                                        {"took_part", r.took_part},
                                        {"steals", r.steals},
                                        {"events", r.events}});
                    }
                }
            }
        }
    }
    if (!o.out.empty()) {
        std::ofstream file(o.out);
        file << nlohmann::json{{"costs", described(what)}, {"rows", rows}}.dump(1) << '\n';
        if (!file.flush()) {
            throw std::runtime_error(fmt::format("cannot write {}", o.out));
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app{
        "Simulates a parallel loop's distribution, delay and stealing on machines of any size.\n"
        "Exit status: 0; 1 when a file or a description is wrong; other values for wrong usage."};
    app.add_option("--machine", o.machines,
                   "hwloc synthetic descriptions (default: ten, of 2 to 1024 CPUs)");
    app.add_option("--workers", o.workers, "workers (default: one per CPU)")
        ->delimiter(',')
        ->check(CLI::Range(1, 4096));
    app.add_option(
           "--algorithm", o.by,
           "static, automatic, automatic-map, counter, timespan, timespan-grain, lazy (default: "
           "all)")
        ->delimiter(',');
    app.add_option("--shape", o.shapes, "balanced, triangle, hyperbolic (default: all)")
        ->delimiter(',');
    app.add_option("--fan-out", o.fan_outs,
                   "how many workers each tells; 0: the caller tells all (2)")
        ->delimiter(',');
    app.add_option("--iterations", o.iterations,
                   "of the loop (default: --per-worker times the workers)")
        ->check(CLI::Range(1L, 1L << 26));
    app.add_option("--per-worker", o.per_worker, "iterations per worker (512)")
        ->check(CLI::Range(1L, 1L << 20));
    app.add_option("--mean-ns", o.mean, "of one iteration, on average (100)")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--timespan-ns", o.timespan,
                   "the thesis's delay (default: until all have started)")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--parked", o.parked, "the others sleep when the loop begins");
    app.add_flag("--count-in-tree", o.count_in_tree,
                 "participants count those they invited (default: one line counts all)");
    app.add_option("--seed", o.seed, "of the thieves' choices (1)");
    app.add_option("--costs", o.costs_file, "JSON with costs of this machine");
    app.add_option("--out", o.out, "JSON file for the results");
    CLI11_PARSE(app, argc, argv);
    if (o.machines.empty()) {
        o.machines = usual_machines;
    }
    if (o.by.empty()) {
        for (const artel::model::algorithm& each : algorithms()) {
            o.by.push_back(each.name);
        }
    }
    try {
        return run(o);
    } catch (const std::exception& e) {
        fmt::print(stderr, "loop-model: {}\n", e.what());
        return 1;
    }
}
