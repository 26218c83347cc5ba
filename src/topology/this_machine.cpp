// The machine this process runs on: affinity mask, survey and cgroup quota joined, once. See
// topology.hpp.
#include "topology/small_file.hpp"
#include "topology/survey.hpp"

#include "base/log.hpp"
#include "base/options.hpp"
#include "base/publish.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <sched.h>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace artel::topology {

namespace {

// hwloc, and the dynamic linker that loads it, have locks of their own that a fork would leave
// locked in the child: a fork holds this exclusively, and so waits for the surveys under way. They
// share it, because the constructor of a library that is being opened may need the machine: it has
// the dynamic linker's lock, for which another survey may be waiting.
std::shared_mutex surveys;

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

std::size_t allowed_by_now()
{
    const auto& inherited = inherited_affinity();
    const auto now = read_affinity();
    return static_cast<std::size_t>(
        std::count_if(inherited.begin(), inherited.end(), [&](unsigned cpu) {
            return now.empty() || std::binary_search(now.begin(), now.end(), cpu);
        }));
}

bool make_synthetic_machine(const char* description, const restrictions& limits, machine& result)
{
    survey found;
    if (!survey_synthetic(description, found))
        return false;
    result = make_machine(found, limits);
    return true;
}

std::uint64_t node_memory(unsigned os_index)
{
    std::string text;
    // Node 0 MemTotal:       11757772 kB
    constexpr std::string_view name = "MemTotal:";
    const bool there = read_small_file(
        "/sys/devices/system/node/node" + std::to_string(os_index) + "/meminfo", text);
    const auto at = there ? text.find(name) : text.npos;
    return at == text.npos ? 0 : std::strtoull(text.c_str() + at + name.size(), nullptr, 10) * 1024;
}

void before_fork() noexcept
{
    surveys.lock();
}

void after_fork_in_parent() noexcept
{
    surveys.unlock();
}

// A new lock: the old one knows its writer by the number of the parent's thread.
void after_fork_in_child() noexcept
{
    new (&surveys) std::shared_mutex;
}

const machine& this_machine() noexcept
{
    static std::atomic<const machine*> published{nullptr};
    try {
        return base::publish_once(published, [] {
            const std::shared_lock hold(surveys);
            const restrictions limits{inherited_affinity(), base::options().numas,
                                      read_cpu_quota()};
            survey found;
            if (!survey_one_node(limits.affinity, found) && !survey_by_hwloc(found)) {
                found = {};
                if (has_several_nodes())
                    found.failure = std::string("all CPUs count as one NUMA node, because ") +
                                    (hwloc_is_there()
                                         ? "hwloc fails, or its variables (HWLOC_XMLFILE, "
                                           "HWLOC_SYNTHETIC) describe another machine"
                                         : "libhwloc.so.15 cannot be loaded");
            }
            return std::make_unique<const machine>(make_machine(found, limits));
        });
    } catch (...) {
        // as in base::options().
        base::die("out of memory while reading the topology of the machine");
    }
}

}  // namespace artel::topology
