// Queries about NUMA nodes and core types. Nodes have the numbers that the kernel gives them. All
// cores are of one type, 0. These are the stock library's answers when it has its helper library
// tbbbind; without that its answers are -1 (automatic), which means that the machine is not known.
#include "machine.hpp"

#include "abi.hpp"
#include "base/publish.hpp"
#include "control.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <utility>

namespace artel::onetbb {
namespace {

const std::set<int>& nodes()
{
    static std::atomic<const std::set<int>*> found{nullptr};
    return base::publish_once(found, [] {
        auto seen = std::make_unique<std::set<int>>();
        for (const topology::cpu& c : topology::this_machine().cpus) {
            seen->insert(static_cast<int>(c.numa));
        }
        if (seen->empty()) {
            seen->insert(-1);
        }
        return std::unique_ptr<const std::set<int>>(std::move(seen));
    });
}

}  // namespace

int concurrency_of(int numa_id, int, int max_threads_per_core) noexcept
{
    const auto everywhere = static_cast<int>(default_concurrency());
    // A single node is the whole machine, for which the user may have asked for more threads than
    // CPUs.
    if (nodes().size() == 1 && nodes().count(numa_id) != 0) {
        numa_id = -1;
    }
    int here = 0;
    std::set<unsigned> cores;
    for (const topology::cpu& c : topology::this_machine().cpus) {
        if (numa_id < 0 || static_cast<int>(c.numa) == numa_id) {
            ++here;
            cores.insert(c.core);
        }
    }
    if (max_threads_per_core > 0) {
        here = std::min(here, static_cast<int>(cores.size()) * max_threads_per_core);
    }
    return numa_id < 0 && max_threads_per_core <= 0 ? everywhere : std::clamp(here, 1, everywhere);
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

unsigned numa_node_count()
{
    return static_cast<unsigned>(artel::onetbb::nodes().size());
}

void fill_numa_indices(int* indices)
{
    for (const int node : artel::onetbb::nodes()) {
        *indices++ = node;
    }
}

int numa_default_concurrency(int numa_id)
{
    return artel::onetbb::concurrency_of(numa_id, -1, -1);
}

unsigned core_type_count(std::intptr_t)
{
    return 1;
}

void fill_core_type_indices(int* indices, std::intptr_t)
{
    *indices = 0;
}

// May be left by an exception of the program's assertion handler.
int constraints_default_concurrency(const d1::constraints& c, std::intptr_t)
{
    if (c.max_threads_per_core <= 0 && c.max_threads_per_core != -1) {
        assertion_failure(__func__, __LINE__, "max_threads_per_core is automatic or above 0",
                          "Wrong max_threads_per_core constraints field value.");
    }
    return artel::onetbb::concurrency_of(c.numa_id, c.core_type, c.max_threads_per_core);
}

int constraints_threads_per_core(const d1::constraints& c, std::intptr_t)
{
    return c.max_threads_per_core;
}

}  // namespace tbb::detail::r1
