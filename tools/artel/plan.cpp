// artel plan: how to distribute a program of several processes over machines like this one: a
// process for each NUMA node, with as many threads as the node has CPUs, so that the memory of a
// process is near for all of its threads. It prints the commands that start them: under dask, ray
// or MPI, or by hand.
//
// The JSON form is made first and holds all facts. New keys may be added to it, but none renamed.
#include "artel/command.hpp"
#include "artel/json_text.hpp"
#include "base/options.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

struct plan_arguments {
    unsigned machines = 1;
    std::string synthetic, form = "all";
    bool as_json = false;
};

topology::machine machine_for_plan(const std::string& synthetic)
{
    if (synthetic.empty())
        return topology::this_machine();
    topology::machine m;
    if (!topology::make_synthetic_machine(synthetic.c_str(), {{}, base::options().numas, {}}, m))
        throw command_error(usage, fmt::format("--synthetic '{}': hwloc does not understand this "
                                               "description, or is missing; an example is "
                                               "'numa:2 l3:1 core:4 pu:2'",
                                               synthetic));
    return m;
}

// The threads of a process on so many CPUs: less than these where a quota is smaller than the
// machine.
unsigned threads_of(const topology::machine& m, unsigned cpus)
{
    const auto all = static_cast<unsigned>(m.cpus.size());
    return std::max(1U, cpus * m.effective_cpus / all);
}

json describe(const topology::machine& m, unsigned machines)
{
    json result{{"machines", machines}, {"processes", json::array()}};
    for (unsigned machine = 0; machine < machines; ++machine)
        for (const auto& node : m.nodes) {
            std::vector<unsigned> cpus;
            for (const auto& it : m.cpus)
                if (it.numa == node.os_index)
                    cpus.push_back(it.os_index);
            if (cpus.empty())
                continue;
            std::sort(cpus.begin(), cpus.end());
            result["processes"].push_back(
                {{"machine", machine},
                 {"node", node.os_index},
                 {"cpus", topology::format_list(cpus)},
                 {"threads", threads_of(m, static_cast<unsigned>(cpus.size()))}});
        }
    return result;
}

// The beginning of a command that starts a process on its CPUs. Without `limited` it has as many
// threads as CPUs.
std::string placed(const json& process, bool limited)
{
    return fmt::format(
        "taskset -c {} {}", process["cpus"].get<std::string>(),
        limited ? fmt::format("env ARTEL_NUM_THREADS={} ", process["threads"].get<unsigned>())
                : "");
}

void print_commands(const json& plan, bool limited, const std::string& form)
{
    const unsigned machines = plan["machines"];
    const auto per_machine = plan["processes"].size() / machines;
    const bool all = form == "all";
    // Machines are alike, so the lines of one are printed.
    const auto lines = [&](const char* name, const char* title, auto command) {
        if (!all && form != name)
            return;
        if (all)
            fmt::print("\n{}{}\n", title, machines > 1 ? ", on each machine" : "");
        for (std::size_t i = 0; i < per_machine; ++i)
            fmt::print("{}{}\n", all ? "  " : "", command(plan["processes"][i]));
    };
    lines("run", "any program",
          [&](const json& it) { return placed(it, limited) + "artel run -- PROGRAM"; });
    lines("dask", "dask; SCHEDULER is what 'dask scheduler' prints", [&](const json& it) {
        return fmt::format(
            "{}dask worker SCHEDULER --nworkers 1 --nthreads {} --name "
            "$(hostname)-{} --preload artel.dask --preload-nanny artel.dask",
            placed(it, limited), it["threads"].get<unsigned>(), it["node"].get<unsigned>());
    });
    lines("ray", "ray; HEAD is what 'ray start --head' prints", [&](const json& it) {
        return fmt::format("{}artel run -- ray start --address=HEAD --num-cpus={}",
                           placed(it, limited), it["threads"].get<unsigned>());
    });
    if (all || form == "mpi") {
        // One command starts them all, so the smallest share of a quota is everybody's.
        unsigned least = std::numeric_limits<unsigned>::max();
        for (const auto& it : plan["processes"])
            least = std::min(least, it["threads"].get<unsigned>());
        fmt::print("{}mpirun -n {} --map-by ppr:1:numa --bind-to numa {}artel run -- PROGRAM\n",
                   all ? "\nMPI (Open MPI), once\n  " : "", plan["processes"].size(),
                   limited ? fmt::format("env ARTEL_NUM_THREADS={} ", least) : "");
    }
}

void plan(const plan_arguments& arguments)
{
    const auto m = machine_for_plan(arguments.synthetic);
    const auto layout = describe(m, arguments.machines);
    if (arguments.as_json) {
        fmt::print("{}\n", json_text(layout));
        return;
    }
    if (arguments.form == "all") {
        const auto processes = layout["processes"].size();
        fmt::print("{} process{}: one for each NUMA node of {} machine{}\n", processes,
                   processes == 1 ? "" : "es", arguments.machines,
                   arguments.machines == 1 ? "" : "s like this one");
        for (const auto& it : layout["processes"])
            fmt::print("  machine {:<3} node {:<3} {:>4} threads on CPUs {}\n",
                       it["machine"].get<unsigned>(), it["node"].get<unsigned>(),
                       it["threads"].get<unsigned>(), it["cpus"].get<std::string>());
    }
    print_commands(layout, m.quota.limited() && m.effective_cpus < m.cpus.size(), arguments.form);
}

}  // namespace

void add_plan(CLI::App& app, context&)
{
    auto* command = app.add_subcommand(
        "plan", "Show how several processes are best laid out: one for each NUMA node");
    auto arguments = std::make_shared<plan_arguments>();
    command->add_option("--machines", arguments->machines, "How many machines like this one")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    command->add_option("--for", arguments->form, "Print only the commands for this")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"run", "dask", "ray", "mpi"}));
    command
        ->add_option("--synthetic", arguments->synthetic,
                     "Plan for a made-up machine, such as 'numa:2 l3:1 core:4 pu:2'")
        ->type_name("DESCRIPTION");
    command->add_flag("--json", arguments->as_json, "The layout as JSON");
    command->callback([arguments] { plan(*arguments); });
}

}  // namespace artel::tool
