// A machine with one NUMA node, from /sys. Files that say the same for several CPUs are read for
// the first of them only. Numbers of caches and cores begin with the lowest package and the lowest
// CPU, as hwloc's do. See survey.hpp.
#include "topology/small_file.hpp"
#include "topology/survey.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace artel::topology {
namespace {

constexpr unsigned unassigned = ~0u;

// "0-3,8\n" as the kernel writes it; false for anything else. Empty lists are right.
bool parse_list(std::string_view text, std::vector<unsigned>& list)
{
    list.clear();
    while (!text.empty() && text.back() == '\n')
        text.remove_suffix(1);
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        unsigned first = 0;
        auto [next, error] = std::from_chars(at, end, first);
        if (error != std::errc{})
            return false;
        unsigned last = first;
        if (next != end && *next == '-') {
            const auto to = std::from_chars(next + 1, end, last);
            if (to.ec != std::errc{} || last < first || last - first > 1u << 20)
                return false;
            next = to.ptr;
        }
        for (unsigned i = first; i <= last; ++i)
            list.push_back(i);
        if (next != end && *next++ != ',')
            return false;
        at = next;
    }
    return true;
}

class reader {
public:
    explicit reader(const std::string& root) : base_(root + "/sys/devices/system/") {}

    bool list(const std::string& name, std::vector<unsigned>& result)
    {
        return read_small_file(base_ + name, text_) && parse_list(text_, result);
    }

    bool text(const std::string& name, std::string& content) const
    {
        return read_small_file(base_ + name, content);
    }

    // Gives CPUs that share something the same number, from 0: those that `file` of one of them
    // lists together. False when it cannot be read.
    bool group(std::vector<surveyed_cpu>& cpus, unsigned surveyed_cpu::* number, const char* file,
               const char* older_file)
    {
        unsigned next = 0;
        for (auto& it : cpus)
            it.*number = unassigned;
        for (auto& it : cpus) {
            if (it.*number != unassigned)
                continue;
            const std::string folder = "cpu/cpu" + std::to_string(it.os_index) + '/';
            if (!list(folder + file, members_) &&
                (older_file == nullptr || !list(folder + older_file, members_)))
                return false;
            for (auto& other : cpus)
                if (std::binary_search(members_.begin(), members_.end(), other.os_index))
                    other.*number = next;
            it.*number = next++;
        }
        return true;
    }

private:
    std::string base_;
    std::string text_;
    std::vector<unsigned> members_;
};

}  // namespace

bool has_several_nodes(const std::string& root)
{
    std::vector<unsigned> nodes;
    return reader(root).list("node/online", nodes) && nodes.size() > 1;
}

bool survey_one_node(const std::vector<unsigned>& wanted, survey& found, const std::string& root)
{
    reader system(root);
    std::vector<unsigned> nodes;
    std::vector<unsigned> online;
    if (!system.list("node/online", nodes) || nodes.size() != 1 ||
        !system.list("cpu/online", online) || online.empty())
        return false;
    found.nodes = {{nodes.front(), 0, 0, false}};
    found.online_cpus = static_cast<unsigned>(online.size());
    found.cpus.clear();
    for (const unsigned i : online)
        if (wanted.empty() || std::binary_search(wanted.begin(), wanted.end(), i))
            found.cpus.push_back({i, i, 0, nodes.front(), 0});
    if (found.cpus.empty())
        return true;
    if (!system.group(found.cpus, &surveyed_cpu::package, "topology/package_cpus_list",
                      "topology/core_siblings_list"))
        return false;
    std::stable_sort(
        found.cpus.begin(), found.cpus.end(),
        [](const surveyed_cpu& a, const surveyed_cpu& b) { return a.package < b.package; });
    // The kernel's own summary: no core has two threads online.
    std::string smt;
    if (!(system.text("cpu/smt/active", smt) && smt == "0\n") &&
        !system.group(found.cpus, &surveyed_cpu::core, "topology/core_cpus_list",
                      "topology/thread_siblings_list"))
        return false;
    // The fourth cache is the L3 where there are two of level 1. Without a fourth one there is
    // none, or the kernel does not tell.
    std::string level;
    if (!system.text(
            "cpu/cpu" + std::to_string(found.cpus.front().os_index) + "/cache/index3/level", level))
        return true;
    return level == "3\n" &&
           system.group(found.cpus, &surveyed_cpu::l3, "cache/index3/shared_cpu_list", nullptr);
}

}  // namespace artel::topology
