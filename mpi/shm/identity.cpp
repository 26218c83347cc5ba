// Facts out of /proc and /sys, read once, and again in a forked child, whose process is another
// one.
#include "shm/identity.hpp"

#include "shm/os.hpp"
#include "topology/cpu_quota.hpp"
#include "topology/small_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <sched.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <vector>

namespace artel::shm {
namespace {

// FNV-1a, twice with different starts: enough for the names of a few hosts.
class digest {
public:
    void add(const void* data, std::size_t bytes) noexcept
    {
        const auto* p = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < bytes; ++i) {
            a_ = (a_ ^ p[i]) * 0x100000001b3ULL;
            b_ = (b_ ^ p[i]) * 0x100000001b3ULL + 0x9e3779b97f4a7c15ULL;
        }
    }
    void add(const std::string& text) noexcept { add(text.c_str(), text.size() + 1); }
    void get(std::uint64_t (&out)[2]) const noexcept
    {
        out[0] = a_;
        out[1] = b_;
    }

private:
    std::uint64_t a_ = 0xcbf29ce484222325ULL, b_ = 0x84222325cbf29ce4ULL;
};

std::uint64_t inode(const char* path)
{
    struct stat s{};
    return ::stat(path, &s) == 0 ? s.st_ino : 0;
}

int lowest_cpu_of_cache(unsigned cpu)
{
    for (int index = 4; index >= 2; --index) {
        std::string text;
        if (topology::read_small_file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                          "/cache/index" + std::to_string(index) +
                                          "/shared_cpu_list",
                                      text)) {
            return std::atoi(text.c_str());
        }
    }
    return -1;
}

// Smallest "limit - use" of the group and its ancestors in a version 2 hierarchy.
std::uint64_t left_below(std::string group)
{
    auto left = std::numeric_limits<std::uint64_t>::max();
    for (;;) {
        std::string limit, use;
        const std::string folder = "/sys/fs/cgroup" + group;
        if (topology::read_small_file(folder + "/memory.max", limit) &&
            limit.compare(0, 3, "max") != 0 &&
            topology::read_small_file(folder + "/memory.current", use)) {
            const std::uint64_t most = std::strtoull(limit.c_str(), nullptr, 10),
                                now = std::strtoull(use.c_str(), nullptr, 10);
            left = std::min(left, most > now ? most - now : 0);
        }
        const auto slash = group.rfind('/');
        if (group.empty() || slash == std::string::npos) {
            return left;
        }
        group.erase(slash);
    }
}

// The numbers of a list like "0-3,8".
template <typename Visit>
void for_each_in_list(const std::string& text, Visit visit)
{
    const char* at = text.c_str();
    while (*at >= '0' && *at <= '9') {
        char* end = nullptr;
        const unsigned long from = std::strtoul(at, &end, 10);
        const unsigned long to = *end == '-' ? std::strtoul(end + 1, &end, 10) : from;
        for (unsigned long n = from; n <= to && n < 4096; ++n) {
            visit(n);
        }
        at = *end == ',' ? end + 1 : end;
    }
}

struct cpu_mask {
    std::uint64_t words[16] = {};
};

// Calls visit() with each CPU of the affinity mask. The kernel refuses to write into fewer bytes
// than it needs for all CPUs that the machine might have; asks with more, then. Returns whether the
// mask was found.
template <typename Visit>
bool for_each_allowed_cpu(Visit visit)
{
    for (std::size_t most = CPU_SETSIZE; most <= std::size_t{1} << 20; most *= 2) {
        std::vector<cpu_set_t> mask(most / CPU_SETSIZE);
        const std::size_t bytes = CPU_ALLOC_SIZE(most);
        if (::sched_getaffinity(0, bytes, mask.data()) == 0) {
            for (std::size_t cpu = 0; cpu < most; ++cpu) {
                if (CPU_ISSET_S(cpu, bytes, mask.data())) {
                    visit(cpu);
                }
            }
            return true;
        }
        if (errno != EINVAL) {
            return false;
        }
    }
    return false;
}

// The CPUs of each NUMA node that has any.
std::vector<cpu_mask> cpus_of_nodes()
{
    std::vector<cpu_mask> all;
    std::string online;
    topology::read_small_file("/sys/devices/system/node/online", online);
    for_each_in_list(online, [&](unsigned long node) {
        std::string text;
        cpu_mask mask;
        bool any = false;
        if (topology::read_small_file(
                "/sys/devices/system/node/node" + std::to_string(node) + "/cpulist", text)) {
            for_each_in_list(text, [&](unsigned long cpu) {
                any = any || cpu < 1024;
                mask.words[cpu / 64 % 16] |= cpu < 1024 ? std::uint64_t{1} << (cpu % 64) : 0;
            });
        }
        if (any) {
            all.push_back(mask);
        }
    });
    return all;
}

// Facts that do not change while a process runs, from files of /proc and /sys, so they are read
// once.
identity lasting_identity(pid_t pid) noexcept
{
    identity me;
    me.pid = pid;
    me.start = process_start(me.pid);
    try {
        digest d;
        std::string boot;
        topology::read_small_file("/proc/sys/kernel/random/boot_id", boot);
        d.add(boot);
        utsname names{};
        ::uname(&names);
        d.add(names.nodename, sizeof names.nodename);
        struct stat shm{};
        if (::stat("/dev/shm", &shm) == 0) {
            d.add(&shm.st_dev, sizeof shm.st_dev);
        }
        d.get(me.host);
        me.pid_namespace = inode("/proc/self/ns/pid");
        me.cpus_allowed = topology::read_cpu_quota().rounded_up();
    } catch (...) {
    }
    return me;
}

// The facts, read once.
struct findings {
    std::mutex mutex;
    identity lasting;
    std::map<unsigned, int> caches;
    std::vector<cpu_mask> nodes;
};

// Never destroyed: programs may communicate after static objects have gone.
findings& the_findings()
{
    static auto* const one = new findings;
    return *one;
}

}  // namespace

identity own_identity() noexcept
{
    findings& known = the_findings();
    const std::lock_guard<std::mutex> lock(known.mutex);
    // A forked child is another process.
    if (const pid_t pid = ::getpid(); known.lasting.pid != pid) {
        known.lasting = lasting_identity(pid);
        known.nodes = cpus_of_nodes();
        known.lasting.nodes = static_cast<std::uint32_t>(
            std::max<std::size_t>(known.nodes.size(), 1));
    }
    identity me = known.lasting;
    try {
        unsigned cpu = 0, node = 0;
        if (::getcpu(&cpu, &node) == 0) {
            me.numa = static_cast<std::int32_t>(node);
            const auto found = known.caches.find(cpu);
            me.cache = found != known.caches.end() ? found->second
                                                   : known.caches[cpu] = lowest_cpu_of_cache(cpu);
        }
        if (for_each_allowed_cpu([&](std::size_t i) {
                if (i < 64 * std::size(me.cpus)) {
                    me.cpus[i / 64] |= std::uint64_t{1} << (i % 64);
                } else {
                    ++me.more_cpus;
                }
            })) {
            const auto allowed = std::count_if(
                known.nodes.begin(), known.nodes.end(), [&](const cpu_mask& of) {
                    return std::inner_product(std::begin(of.words), std::end(of.words), me.cpus,
                                              std::uint64_t{0}, std::bit_or<>(),
                                              std::bit_and<>()) != 0;
                });
            me.nodes_allowed = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(allowed, 1));
        }
    } catch (...) {
    }
    return me;
}

std::uint64_t memory_left() noexcept
{
    try {
        std::string groups;
        if (topology::read_small_file("/proc/self/cgroup", groups)) {
            if (const auto at = groups.find("0::"); at != std::string::npos) {
                return left_below(groups.substr(at + 3, groups.find('\n', at) - at - 3));
            }
        }
    } catch (...) {
    }
    return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace artel::shm
