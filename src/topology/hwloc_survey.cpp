// Surveys by hwloc. The library is loaded when first needed, and stays. See survey.hpp.
#include "topology/survey.hpp"

#include <hwloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <type_traits>
#include <unistd.h>

namespace artel::topology {
namespace {

static_assert(HWLOC_API_VERSION >> 16 == 2, "the name of the library below belongs to hwloc 2");

// nullptr if it is not there.
void* open_library() noexcept
{
    void* library = ::dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
#if defined(ARTEL_HWLOC_FOLDER)
    if (library == nullptr) {
        library = ::dlopen(ARTEL_HWLOC_FOLDER "/libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    }
#endif
    return library;
}

// Those functions of hwloc that are used here, by their names without the prefix.
struct hwloc_functions {
    decltype(&hwloc_topology_init) topology_init;
    decltype(&hwloc_topology_destroy) topology_destroy;
    decltype(&hwloc_topology_load) topology_load;
    decltype(&hwloc_topology_set_flags) topology_set_flags;
    decltype(&hwloc_topology_set_synthetic) topology_set_synthetic;
    decltype(&hwloc_topology_set_type_filter) topology_set_type_filter;
    decltype(&hwloc_topology_set_all_types_filter) topology_set_all_types_filter;
    decltype(&hwloc_topology_is_thissystem) topology_is_thissystem;
    decltype(&hwloc_get_type_depth) get_type_depth;
    decltype(&hwloc_get_obj_by_depth) get_obj_by_depth;
    decltype(&hwloc_bitmap_isset) bitmap_isset;
    decltype(&hwloc_bitmap_weight) bitmap_weight;

    // False if the library is not there.
    bool open()
    {
        void* const library = open_library();
        if (library == nullptr)
            return false;
        const auto find = [library](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                ::dlsym(library, name));
            return function != nullptr;
        };
        return find(topology_init, "hwloc_topology_init") &&
               find(topology_destroy, "hwloc_topology_destroy") &&
               find(topology_load, "hwloc_topology_load") &&
               find(topology_set_flags, "hwloc_topology_set_flags") &&
               find(topology_set_synthetic, "hwloc_topology_set_synthetic") &&
               find(topology_set_type_filter, "hwloc_topology_set_type_filter") &&
               find(topology_set_all_types_filter, "hwloc_topology_set_all_types_filter") &&
               find(topology_is_thissystem, "hwloc_topology_is_thissystem") &&
               find(get_type_depth, "hwloc_get_type_depth") &&
               find(get_obj_by_depth, "hwloc_get_obj_by_depth") &&
               find(bitmap_isset, "hwloc_bitmap_isset") &&
               find(bitmap_weight, "hwloc_bitmap_weight");
    }
};

// A topology, and how to ask about it.
class topology {
public:
    topology() = default;
    topology(const topology&) = delete;
    topology& operator=(const topology&) = delete;
    ~topology()
    {
        if (it_ != nullptr)
            call.topology_destroy(it_);
    }

    // False if hwloc is not there. The dynamic linker works only in here.
    bool open() { return call.open(); }

    // After open(). With cores, L3 caches, NUMA nodes and CPUs only, not yet loaded. Everything
    // else (devices, distances, memory attributes) is left out because it makes loading several
    // times slower. Packages and groups must stay: hwloc hangs NUMA nodes off them, and without
    // them gives each node the CPUs of the whole machine.
    bool make()
    {
        if (call.topology_init(&it_) != 0)
            return false;
        call.topology_set_all_types_filter(it_, HWLOC_TYPE_FILTER_KEEP_NONE);
        for (const auto kept : {HWLOC_OBJ_CORE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_PACKAGE})
            call.topology_set_type_filter(it_, kept, HWLOC_TYPE_FILTER_KEEP_ALL);
        // KEEP_ALL is an error.
        call.topology_set_type_filter(it_, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
        return true;
    }

    hwloc_topology_t get() const { return it_; }

    // Calls visit(object) for all objects of the type.
    template <class Visit>
    void each(hwloc_obj_type_t type, Visit visit) const
    {
        const int depth = call.get_type_depth(it_, type);
        for (unsigned i = 0;; ++i) {
            const hwloc_obj_t object = call.get_obj_by_depth(it_, depth, i);
            if (object == nullptr)
                return;
            visit(*object);
        }
    }

    hwloc_functions call{};

private:
    hwloc_topology_t it_ = nullptr;
};

// The logical index of the object of this type that the CPU is part of.
unsigned index_above(const hwloc_obj& pu, hwloc_obj_type_t type, unsigned if_none)
{
    for (hwloc_obj_t above = pu.parent; above != nullptr; above = above->parent)
        if (above->type == type)
            return above->logical_index;
    return if_none;
}

// The NUMA node a CPU belongs to. A CPU can be local to several nodes (memory-only nodes hang off
// the whole machine or a package, high-bandwidth memory off the same CPUs as DRAM): the one with
// the fewest CPUs is the nearest, and among equals the lowest number, which firmware gives to
// ordinary memory.
unsigned nearest_node(const topology& from, unsigned os_index)
{
    const hwloc_obj* best = nullptr;
    int best_weight = 0;
    from.each(HWLOC_OBJ_NUMANODE, [&](const hwloc_obj& node) {
        if (node.cpuset == nullptr || from.call.bitmap_isset(node.cpuset, os_index) == 0)
            return;
        const int weight = from.call.bitmap_weight(node.cpuset);
        if (best == nullptr || weight < best_weight ||
            (weight == best_weight && node.os_index < best->os_index)) {
            best = &node;
            best_weight = weight;
        }
    });
    return best == nullptr ? 0 : best->os_index;
}

void describe(const topology& from, survey& found)
{
    // Numbers that hwloc never gives, for CPUs whose core it does not know, and for those without
    // an L3, which share none with others: some processors have both kinds.
    constexpr unsigned no_core = 1u << 23, no_l3 = 1u << 23;
    found = {};
    from.each(HWLOC_OBJ_PU, [&](const hwloc_obj& pu) {
        found.cpus.push_back({pu.os_index, index_above(pu, HWLOC_OBJ_CORE, no_core + pu.os_index),
                              index_above(pu, HWLOC_OBJ_L3CACHE, no_l3),
                              nearest_node(from, pu.os_index),
                              index_above(pu, HWLOC_OBJ_PACKAGE, 0)});
    });
    found.online_cpus = static_cast<unsigned>(found.cpus.size());
    from.each(HWLOC_OBJ_NUMANODE, [&](const hwloc_obj& node) {
        const bool near = std::any_of(
            found.cpus.begin(), found.cpus.end(),
            [&](const surveyed_cpu& it) { return it.numa == node.os_index; });
        found.nodes.push_back(
            {node.os_index, 0, node.attr == nullptr ? 0 : node.attr->numanode.local_memory, !near});
    });
    std::sort(found.nodes.begin(), found.nodes.end(),
              [](const numa_node& a, const numa_node& b) { return a.os_index < b.os_index; });
}

// While one of these lives, hwloc finds no plug-ins. Debian's are for devices, which are left out
// here, but hwloc would load them all, and with them the libraries of X11, OpenCL and libxml2: into
// the program's address space, and for several milliseconds of each start. hwloc can only be told
// by an environment variable, and setenv may move the environment under the feet of the program's
// other threads. So the environment is shown to it in a copy, for a millisecond; the old one stays
// as it is. If somebody changes the environment meanwhile, the copy stays. Only one at a time, or a
// copy of a copy would stay; the holder of the lock must not need the dynamic linker (see
// this_machine.cpp). Plug-ins of the user's choice stay, but not in set-uid programs: there they
// would be anybody's code.
class without_plugins {
public:
    without_plugins()
    {
        if (::secure_getenv("HWLOC_PLUGINS_PATH") != nullptr) {
            alone_.unlock();
            return;
        }
        std::size_t n = 0;
        while (environ != nullptr && environ[n] != nullptr) {
            ++n;
        }
        old_ = environ;
        static char variable[] = "HWLOC_PLUGINS_PATH=/nonexistent";
        shown_ = static_cast<char**>(std::malloc((n + 2) * sizeof(char*)));
        if (shown_ == nullptr) {
            return;
        }
        shown_[0] = variable;  // the first of that name counts
        std::copy_n(old_, n, shown_ + 1);
        shown_[n + 1] = nullptr;
        count_ = n;
        environ = shown_;
    }
    ~without_plugins()
    {
        // Never freed: somebody may be reading it at this moment, once in the life of the process.
        // Kept, so that it is no leak.
        static std::atomic<char**> kept{nullptr};
        kept.store(shown_, std::memory_order_relaxed);  // relaxed: nobody reads it
        if (shown_ != nullptr && environ == shown_ && std::equal(old_, old_ + count_, shown_ + 1)) {
            environ = old_;
        }
    }
    without_plugins(const without_plugins&) = delete;
    without_plugins& operator=(const without_plugins&) = delete;

private:
    static inline std::mutex one_at_a_time;

    std::unique_lock<std::mutex> alone_{one_at_a_time};
    char** old_ = nullptr;
    char** shown_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace

bool hwloc_is_there()
{
    return hwloc_functions{}.open();
}

bool survey_by_hwloc(survey& found)
{
    topology system;
    if (!system.open())
        return false;
    const without_plugins here;
    if (!system.make())
        return false;
    // INCLUDE_DISALLOWED: the mask is applied by make_machine, which also wants to know how many
    // CPUs the machine has. DONT_CHANGE_BINDING: this runs in somebody's thread.
    system.call.topology_set_flags(system.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
                                                     HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
                                                     HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                                     HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                                     HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
    // The user's HWLOC_SYNTHETIC or HWLOC_XMLFILE may describe some other machine; workers cannot
    // be put there.
    if (system.call.topology_load(system.get()) != 0 ||
        system.call.topology_is_thissystem(system.get()) == 0)
        return false;
    describe(system, found);
    return true;
}

bool survey_synthetic(const char* description, survey& found)
{
    topology made_up;
    if (!made_up.open() || !made_up.make() ||
        made_up.call.topology_set_synthetic(made_up.get(), description) != 0 ||
        made_up.call.topology_load(made_up.get()) != 0)
        return false;
    describe(made_up, found);
    return true;
}

}  // namespace artel::topology
