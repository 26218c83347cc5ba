// CPUs are those of the process's affinity mask, nodes those of /sys; lists are in the kernel's
// notation (0,2-3).
#include "processors.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace cp {

namespace {

// The numbers of a list such as 0,2-3; empty if the text is no list.
std::vector<unsigned> numbers(const std::string& list)
{
    std::vector<unsigned> all;
    const char* at = list.c_str();
    while (true) {
        char* end = nullptr;
        if (*at < '0' || *at > '9') {
            return {};
        }
        const unsigned long first = std::strtoul(at, &end, 10);
        unsigned long last = first;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
            last = std::strtoul(end + 1, &end, 10);
        }
        if (last < first || last > 65535) {
            return {};
        }
        for (unsigned long n = first; n <= last; ++n) {
            all.push_back(static_cast<unsigned>(n));
        }
        if (*end == 0 || *end == '\n') {
            return all;
        }
        if (*end != ',') {
            return {};
        }
        at = end + 1;
    }
}

std::vector<unsigned> of_node(unsigned node)
{
    std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
    std::string line;
    std::getline(file, line);
    return numbers(line);
}

const cpu_set_t& allowed()
{
    static const cpu_set_t all = [] {
        cpu_set_t set;
        CPU_ZERO(&set);
        if (sched_getaffinity(0, sizeof set, &set) != 0) {
            for (long n = sysconf(_SC_NPROCESSORS_ONLN); n > 0; --n) {
                CPU_SET(static_cast<std::size_t>(n - 1), &set);
            }
        }
        return set;
    }();
    return all;
}

}  // namespace

std::vector<unsigned> nodes_of(const std::string& list)
{
    const bool named = std::ifstream("/sys/devices/system/node/online").good();
    const std::vector<unsigned> all = numbers(list);
    for (const unsigned n : all) {
        // If the kernel names no nodes, there is one.
        if (named ? of_node(n).empty() : n != 0) {
            return {};
        }
    }
    return all;
}

std::vector<unsigned> processors(const std::vector<unsigned>& nodes)
{
    std::vector<unsigned> of_nodes, all;
    for (const unsigned n : nodes) {
        const std::vector<unsigned> more = of_node(n);
        of_nodes.insert(of_nodes.end(), more.begin(), more.end());
    }
    for (unsigned n = 0; n < CPU_SETSIZE; ++n) {
        if (CPU_ISSET(n, &allowed()) &&
            (of_nodes.empty() ||
             std::find(of_nodes.begin(), of_nodes.end(), n) != of_nodes.end())) {
            all.push_back(n);
        }
    }
    if (all.empty()) {
        all.push_back(0);
    }
    return all;
}

void bind_to(unsigned processor)
{
    bind_to(std::vector<unsigned>{processor});
}

void bind_to(const std::vector<unsigned>& processors)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned n : processors) {
        CPU_SET(n, &set);
    }
    sched_setaffinity(0, sizeof set, &set);  // refused: the kernel places the thread
}

}  // namespace cp
