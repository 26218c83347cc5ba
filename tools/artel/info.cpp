// artel info: the machine as a program under `artel run` would see it, the options in force, the
// libraries, the kernel.
//
// The JSON form is made first and holds all facts; the text form prints them for people. The keys
// of the JSON are an interface: new ones may be added, but none renamed.
#include "artel/command.hpp"
#include "artel/json_text.hpp"
#include "artel/kernel_features.hpp"
#include "artel/library.hpp"
#include "artel/options_document.hpp"
#include "artel/page_policy.hpp"
#include "base/options.hpp"
#include "loop/profile.hpp"
#include "sched/crew.hpp"
#include "sched/placement.hpp"
#include "topology/topology.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

struct info_arguments {
    std::string synthetic, document;
    bool as_json = false;
};

json describe(const topology::machine& m)
{
    json result;
    result["effective_cpus"] = m.effective_cpus;
    result["reason"] = m.reason;
    result["online_cpus"] = m.online_cpus;
    result["usable_cpus"] = m.cpus.size();
    result["cores"] = m.cores;
    result["l3_groups"] = m.l3s;
    if (m.quota.limited())
        result["quota"] = {{"cpus", m.quota.cpus},
                           {"cgroup_version", m.quota.version},
                           {"quota_us", m.quota.quota_us},
                           {"period_us", m.quota.period_us},
                           {"group", m.quota.group}};
    else
        result["quota"] = nullptr;
    result["numa_nodes"] = json::array();
    for (const auto& node : m.nodes)
        result["numa_nodes"].push_back({{"node", node.os_index},
                                        {"cpus", node.cpus},
                                        {"memory_bytes", node.memory},
                                        {"memory_only", node.memory_only}});
    result["cpus"] = json::array();  // in the order in which workers are placed
    for (const auto& it : m.cpus)
        result["cpus"].push_back({{"cpu", it.os_index},
                                  {"core", it.core},
                                  {"l3", it.l3},
                                  {"node", it.numa},
                                  {"smt", it.smt}});
    return result;
}

json describe_options()
{
    static const std::map<base::option_source, const char*> words{
        {base::option_source::by_default, "default"},
        {base::option_source::environment, "environment"},
        {base::option_source::rejected, "rejected"}};
    const auto& parsed = base::options_and_sources();
    json result = json::array();
    const auto rows = base::option_table();
    for (std::size_t i = 0; i < rows.size(); ++i)
        result.push_back({{"variable", rows[i].variable},
                          {"value", rows[i].print(parsed.values)},
                          {"source", words.at(parsed.sources.at(i))},
                          {"default", rows[i].default_text},
                          {"allowed", rows[i].allowed}});
    return result;
}

json describe_pages()
{
    const auto pages = current_page_policy();
    return {{"transparent_system", pages.system},
            {"transparent_job", pages.job},
            {"reason", pages.reason},
            {"malloc_asks", pages.malloc_asks},
            {"malloc_huge", pages.malloc_huge},
            {"huge_2mib_total", pages.huge_total},
            {"huge_2mib_free", pages.huge_free}};
}

// What the timespan algorithms know of the machine, and where that comes from.
struct loop_facts {
    unsigned threads = 0;
    loop::width_profile tree;
    std::string source;
};

loop_facts facts_of_loops()
{
    loop_facts facts;
    const auto& options = base::options();
    const unsigned cpus = sched::usable_cpus();
    facts.threads = options.num_threads != 0 ? options.num_threads : cpus;
    const auto& profile = loop::machine_profile();
    facts.tree = loop::derive(profile, facts.threads, cpus);
    const bool measured = std::any_of(
        profile.widths.begin(), profile.widths.end(),
        [&](const loop::width_profile& w) { return w.threads == facts.threads; });
    if (measured)
        facts.source = fmt::format("measured: {}", profile.path);
    else if (profile.found())
        facts.source = fmt::format("derived from other widths: {}", profile.path);
    else if (!profile.problem.empty())
        facts.source = fmt::format("derived; {} is ignored: {}", profile.path, profile.problem);
    else
        facts.source = "derived; 'artel tune' measures it";
    return facts;
}

json describe_loops()
{
    const auto facts = facts_of_loops();
    return {{"threads", facts.threads},
            {"fan_out", facts.tree.fan_out},
            {"timespan_ns", facts.tree.timespan_ns},
            {"source", facts.source},
            {"profile", loop::machine_profile().path}};
}

json describe_all(const topology::machine& m)
{
    json result;
    result["version"] = ARTEL_VERSION;
    result["machine"] = describe(m);
    result["pages"] = describe_pages();
    result["options"] = describe_options();
    result["loops"] = describe_loops();
    const auto openmp = find_openmp_library();
    const auto openblas = find_openblas_library();
    result["libraries"] = {{"core", core_library_path()},
                           {"openmp", openmp.empty() ? json(nullptr) : json(openmp)},
                           {"openblas", openblas.empty() ? json(nullptr) : json(openblas)}};
    result["kernel"]["version"] = kernel_version();
    for (const auto& feature : kernel_features())
        result["kernel"][feature.name] = feature.available;
    return result;
}

// The CPUs that `select` picks, as a list like 0-3,8.
template <typename Select>
std::string cpu_list(const topology::machine& m, Select select)
{
    std::vector<unsigned> list;
    for (const auto& it : m.cpus)
        if (select(it))
            list.push_back(it.os_index);
    std::sort(list.begin(), list.end());
    return list.empty() ? "none usable" : topology::format_list(list);
}

void print_machine(const topology::machine& m)
{
    fmt::print("effective CPUs   {}\n", m.reason);
    fmt::print("topology         {} of {} CPUs usable: {} cores, {} cache groups, {} NUMA nodes\n",
               m.cpus.size(), m.online_cpus, m.cores, m.l3s, m.nodes.size());
    for (const auto& node : m.nodes)
        fmt::print("  NUMA node {:<4} CPUs {}; {:.1f} GiB{}\n", node.os_index,
                   cpu_list(m, [&](const topology::cpu& it) { return it.numa == node.os_index; }),
                   static_cast<double>(node.memory) / (1 << 30),
                   node.memory_only ? "; memory only" : "");
    for (unsigned group = 0; group < m.l3s; ++group)
        fmt::print("  cache group {:<2} CPUs {}\n", group,
                   cpu_list(m, [&](const topology::cpu& it) { return it.l3 == group; }));
}

void print_rest()
{
    fmt::print("options\n{}", base::describe_options(base::options_and_sources()));
    const auto loops = facts_of_loops();
    fmt::print("timespan loops   {:.0f} ns for {} workers, each reaching up to {} others\n  {}\n",
               loops.tree.timespan_ns, loops.threads, loops.tree.fan_out, loops.source);
    const auto pages = current_page_policy();
    fmt::print(
        "huge pages       transparent: {} ({})\n  explicit, 2 MiB {} free of {}; malloc {} them\n",
        pages.job, pages.reason, pages.huge_free, pages.huge_total,
        pages.malloc_huge ? "takes" : "does not take");
    const auto openmp = find_openmp_library();
    const auto openblas = find_openblas_library();
    fmt::print(
        "libraries        Artel {}\n  core            {}\n  OpenMP          {}\n"
        "  OpenBLAS        {}\n",
        ARTEL_VERSION, core_library_path(),
        openmp.empty() ? fmt::format("{} is missing", openmp_library) : openmp,
        openblas.empty() ? "libartel-openblas.so.1 is missing" : openblas);
    fmt::print("kernel           {}\n", kernel_version());
    for (const auto& feature : kernel_features())
        fmt::print("  {:<15} {:<4} {}\n", feature.name, feature.available ? "yes" : "no",
                   feature.purpose);
}

void info(const info_arguments& arguments)
{
    if (!arguments.document.empty()) {
        fmt::print("{}", arguments.document == "man" ? options_as_man() : options_as_markdown());
        return;
    }
    topology::machine m;
    if (arguments.synthetic.empty()) {
        m = topology::this_machine();
        for (auto& node : m.nodes)
            if (node.memory == 0)
                node.memory = topology::node_memory(node.os_index);
    } else if (!topology::make_synthetic_machine(arguments.synthetic.c_str(),
                                                 {{}, base::options().numas, {}}, m))
        throw command_error(
            usage,
            topology::hwloc_is_there()
                ? fmt::format("--synthetic '{}': hwloc does not understand this description; an "
                              "example is 'numa:2 l3:1 core:4 pu:2'",
                              arguments.synthetic)
                : fmt::format("--synthetic '{}': needs hwloc, but libhwloc.so.15 cannot be loaded",
                              arguments.synthetic));
    if (arguments.as_json) {
        fmt::print("{}\n", json_text(describe_all(m)));
        return;
    }
    print_machine(m);
    print_rest();
}

}  // namespace

void add_info(CLI::App& app, context&)
{
    auto* command = app.add_subcommand(
        "info", "Show the machine, the options in force and why they are so");
    auto arguments = std::make_shared<info_arguments>();
    command->add_flag("--json", arguments->as_json, "The same facts, and more, as JSON");
    command
        ->add_option("--synthetic", arguments->synthetic,
                     "Show how a made-up machine is seen, e.g. 'numa:2 core:4 pu:2'")
        ->type_name("DESCRIPTION");
    command->add_option("--dump-options", arguments->document)
        ->check(CLI::IsMember({"man", "markdown"}))
        ->group("");  // hidden: for tools/update_docs
    command->footer("Exit code: 0, or 2 if the command line is wrong.");
    command->callback([arguments] { info(*arguments); });
}

}  // namespace artel::tool
