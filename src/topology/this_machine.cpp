// The machine this process runs on: affinity mask, hwloc and cgroup quota joined, once. See
// topology.hpp.
#include "topology/topology.hpp"

#include "base/log.hpp"
#include "base/options.hpp"
#include "base/publish.hpp"

#include <hwloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace artel::topology {

namespace {

// hwloc has locks of its own that a fork would leave locked in the child: no fork goes by while it
// reads.
std::mutex loading;

struct topology_deleter {
    void operator()(hwloc_topology* topology) const noexcept { hwloc_topology_destroy(topology); }
};
using topology_ptr = std::unique_ptr<hwloc_topology, topology_deleter>;

// A topology with cores, L3 caches, NUMA nodes and CPUs only, not yet loaded. Everything else
// (devices, distances, memory attributes) is left out because it makes loading several times
// slower. Packages and groups must stay: hwloc hangs NUMA nodes off them, and without them gives
// each node the CPUs of the whole machine.
topology_ptr new_topology()
{
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0)
        return nullptr;
    topology_ptr result(topology);
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    for (const auto kept : {HWLOC_OBJ_CORE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_PACKAGE})
        hwloc_topology_set_type_filter(topology, kept, HWLOC_TYPE_FILTER_KEEP_ALL);
    // KEEP_ALL is an error.
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    return result;
}

// While one of these lives, hwloc finds no plug-ins. Debian's are for devices, which are left out
// here, but hwloc would load them all, and with them the libraries of X11, OpenCL and libxml2: into
// the program's address space, and for several milliseconds of each start. hwloc can only be told
// by an environment variable, and setenv may move the environment under the feet of the program's
// other threads. So the environment is shown to it in a copy, for a millisecond; the old one stays
// as it is. If somebody changes the environment meanwhile, the copy stays.
class without_plugins {
public:
    without_plugins()
    {
        if (std::getenv("HWLOC_PLUGINS_PATH") != nullptr) {
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
        std::copy_n(old_, n, shown_);
        shown_[n] = variable;
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
        if (shown_ != nullptr && environ == shown_ && std::equal(old_, old_ + count_, shown_)) {
            environ = old_;
        }
    }
    without_plugins(const without_plugins&) = delete;
    without_plugins& operator=(const without_plugins&) = delete;

private:
    char** old_ = nullptr;
    char** shown_ = nullptr;
    std::size_t count_ = 0;
};

topology_ptr load_this_system()
{
    const without_plugins here;
    auto result = new_topology();
    if (result == nullptr)
        return nullptr;
    // INCLUDE_DISALLOWED: the mask is applied by make_machine, which also wants to know how many
    // CPUs the machine has. DONT_CHANGE_BINDING: this runs in somebody's thread.
    hwloc_topology_set_flags(result.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
                                               HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
                                               HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                               HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                               HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
    if (hwloc_topology_load(result.get()) != 0)
        return nullptr;
    // The user's HWLOC_SYNTHETIC or HWLOC_XMLFILE may describe some other machine; workers cannot
    // be put there.
    if (hwloc_topology_is_thissystem(result.get()) == 0)
        return nullptr;
    return result;
}

// The mask of the process's initial thread; empty if the system does not tell.
std::vector<unsigned> read_affinity()
{
    // The kernel rejects masks that are too small for the machine, so grow until it fits.
    for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
        const auto free_set = [](cpu_set_t* set) { CPU_FREE(set); };
        const std::unique_ptr<cpu_set_t, decltype(free_set)> set(CPU_ALLOC(cpus), free_set);
        const std::size_t size = CPU_ALLOC_SIZE(cpus);
        if (set == nullptr)
            return {};
        CPU_ZERO_S(size, set.get());
        if (::sched_getaffinity(::getpid(), size, set.get()) != 0) {
            if (errno == EINVAL)
                continue;
            return {};
        }
        std::vector<unsigned> result;
        for (int i = 0; i < cpus; ++i)
            if (CPU_ISSET_S(static_cast<std::size_t>(i), size, set.get()))
                result.push_back(static_cast<unsigned>(i));
        return result;
    }
    return {};
}

// Runs when the library is loaded, before the program can narrow its mask: one system call.
// Preloading is early enough; a library opened later sees the mask of that moment.
[[gnu::constructor]] void remember_affinity() noexcept
{
    try {
        inherited_affinity();
    } catch (...) {  // asked again, and reported, when it is needed
    }
}

}  // namespace

const std::vector<unsigned>& inherited_affinity()
{
    static std::atomic<const std::vector<unsigned>*> published{nullptr};
    return base::publish_once(published, [] {
        auto mask = std::make_unique<std::vector<unsigned>>(read_affinity());
        if (mask->empty())
            mask->push_back(0);
        return std::unique_ptr<const std::vector<unsigned>>(std::move(mask));
    });
}

bool make_synthetic_machine(const char* description, const restrictions& limits, machine& result)
{
    const auto topology = new_topology();
    if (topology == nullptr || hwloc_topology_set_synthetic(topology.get(), description) != 0 ||
        hwloc_topology_load(topology.get()) != 0)
        return false;
    result = make_machine(topology.get(), limits);
    return true;
}

void before_fork() noexcept
{
    loading.lock();
}

void after_fork() noexcept
{
    loading.unlock();
}

const machine& this_machine() noexcept
{
    static std::atomic<const machine*> published{nullptr};
    try {
        return base::publish_once(published, [] {
            const std::scoped_lock hold(loading);
            const auto topology = load_this_system();
            const restrictions limits{inherited_affinity(), base::options().numas,
                                      read_cpu_quota()};
            return std::make_unique<const machine>(make_machine(topology.get(), limits));
        });
    } catch (...) {
        // as in base::options().
        base::die("out of memory while reading the topology of the machine");
    }
}

}  // namespace artel::topology
