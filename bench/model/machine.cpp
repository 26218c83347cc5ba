// Takes the core, the L3 cache and the NUMA node of each CPU out of hwloc's synthetic topology.
// Caches of other levels are ignored.
#include "machine.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <memory>
#include <stdexcept>

namespace artel::model {
namespace {

unsigned index_above(hwloc_topology_t topology, hwloc_obj_t cpu, hwloc_obj_type_t type,
                     unsigned otherwise)
{
    const hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(topology, type, cpu);
    return found != nullptr ? found->logical_index : otherwise;
}

}  // namespace

machine::machine(const std::string& synthetic) : description_(synthetic)
{
    hwloc_topology_t raw = nullptr;
    hwloc_topology_init(&raw);
    const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(
        raw, hwloc_topology_destroy);
    if (hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0 ||
        hwloc_topology_load(raw) != 0) {
        throw std::runtime_error(fmt::format(
            "'{}' is no machine: an hwloc synthetic description is expected, such as 'numa:4 l3:2 "
            "core:8 pu:1'",
            synthetic));
    }
    const int count = hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_PU);
    nodes_ = static_cast<unsigned>(std::max(hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_NUMANODE), 1));
    for (int i = 0; i < count; ++i) {
        const hwloc_obj_t cpu = hwloc_get_obj_by_type(raw, HWLOC_OBJ_PU, static_cast<unsigned>(i));
        unsigned node = 0;
        while (node + 1 < nodes_ &&
               !hwloc_bitmap_isset(hwloc_get_obj_by_type(raw, HWLOC_OBJ_NUMANODE, node)->cpuset,
                                   cpu->os_index)) {
            ++node;
        }
        // In a description without caches, a node counts as one.
        places_.push_back({index_above(raw, cpu, HWLOC_OBJ_CORE, static_cast<unsigned>(i)),
                           index_above(raw, cpu, HWLOC_OBJ_L3CACHE, node), node});
    }
}

}  // namespace artel::model
