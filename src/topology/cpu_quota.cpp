// Finds this process's group in each cgroup hierarchy and walks up to the mount point. See
// cpu_quota.hpp.
#include "topology/cpu_quota.hpp"

#include "topology/small_file.hpp"

#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

namespace artel::topology {

namespace {

// Where one hierarchy that can hold a CPU quota is mounted.
struct mount {
    int version = 0;
    std::string root;   // the group that appears at the mount point, "/" for the whole hierarchy
    std::string point;  // directory
};

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

bool has_item(std::string_view list, std::string_view item)
{
    for (const auto part : split(list, ','))
        if (part == item)
            return true;
    return false;
}

// mountinfo writes blanks, tabs, newlines and backslashes as three octal digits.
std::string unescaped(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned code = 0;
        if (text[i] == '\\' && i + 3 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr ==
                text.data() + i + 4) {
            result += static_cast<char>(code);
            i += 3;
        } else {
            result += text[i];
        }
    }
    return result;
}

std::vector<mount> find_mounts(std::string_view mountinfo)
{
    // 36 35 98:0 /root /mount/point rw,opts optional-fields... - type source super,options
    std::vector<mount> mounts;
    for (const auto line : split(mountinfo, '\n')) {
        const auto separator = line.find(" - cgroup");
        if (separator == line.npos)
            continue;
        const auto before = split(line.substr(0, separator), ' ');
        const auto after = split(line.substr(separator + 3), ' ');
        if (before.size() < 5 || after.size() < 3)
            continue;
        const bool v1 = after[0] == "cgroup" && has_item(after[2], "cpu");
        if (v1 || after[0] == "cgroup2")
            mounts.push_back({v1 ? 1 : 2, unescaped(before[3]), unescaped(before[4])});
    }
    return mounts;
}

// The group of this process in the hierarchy of the given version; empty if it is in none.
std::string find_group(std::string_view cgroup_file, int version)
{
    // 4:cpu,cpuacct:/group and, for version 2, 0::/group
    for (const auto line : split(cgroup_file, '\n')) {
        const auto first = line.find(':');
        const auto second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos)
            continue;
        const auto controllers = line.substr(first + 1, second - first - 1);
        const bool fits = version == 1 ? has_item(controllers, "cpu")
                                       : line.substr(0, first) == "0" && controllers.empty();
        if (fits)
            return std::string(line.substr(second + 1));
    }
    return {};
}

// The part of `group` below `root`: "" for root itself. False if the group is not below it, or if
// it lies outside the cgroup namespace, which the kernel writes as "/..": read literally, that
// would leave the mount point.
bool below(std::string_view group, std::string_view root, std::string& rest)
{
    if (group.starts_with("/.."))
        return false;
    if (root == "/")
        root = {};
    if (!group.starts_with(root) || (group.size() > root.size() && group[root.size()] != '/'))
        return false;
    rest = group.substr(root.size());
    if (rest == "/")
        rest.clear();
    return true;
}

bool parse_integer(std::string_view text, long long& number)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.remove_suffix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// The quota that one group directory sets itself; false if it sets none.
bool read_group(const std::string& directory, int version, cpu_quota& quota)
{
    if (version == 2) {
        std::string text;
        if (!read_small_file(directory + "/cpu.max", text))
            return false;
        const auto space = text.find(' ');
        // "max" is no number.
        if (space == text.npos ||
            !parse_integer(std::string_view(text).substr(0, space), quota.quota_us) ||
            !parse_integer(std::string_view(text).substr(space + 1), quota.period_us))
            return false;
    } else {
        std::string limit, period;
        if (!read_small_file(directory + "/cpu.cfs_quota_us", limit) ||
            !read_small_file(directory + "/cpu.cfs_period_us", period) ||
            !parse_integer(limit, quota.quota_us) || !parse_integer(period, quota.period_us))
            return false;
    }
    if (quota.quota_us <= 0 || quota.period_us <= 0)  // v1 writes -1 for "none"
        return false;
    quota.version = version;
    quota.cpus = static_cast<double>(quota.quota_us) / static_cast<double>(quota.period_us);
    return true;
}

// The tightest quota between the group at mount point + rest and the mount point, both included.
void walk_up(const std::string& prefix, const mount& where, std::string rest, cpu_quota& tightest)
{
    while (true) {
        cpu_quota quota;
        if (read_group(prefix + where.point + rest, where.version, quota) &&
            (!tightest.limited() || quota.cpus < tightest.cpus)) {
            quota.group = rest.empty() ? "/" : rest;
            tightest = quota;
        }
        if (rest.empty())
            return;
        rest.resize(rest.rfind('/'));  // rest starts with '/', so this always shortens it
    }
}

// A hierarchy may be mounted several times; the mount that shows most ancestors of the group is the
// one to read.
void read_hierarchy(const std::string& prefix, const std::vector<mount>& mounts, int version,
                    std::string_view group, cpu_quota& tightest)
{
    const mount* best = nullptr;
    std::string best_rest, rest;
    const mount* any = nullptr;
    for (const auto& candidate : mounts) {
        if (candidate.version != version)
            continue;
        any = &candidate;
        if (below(group, candidate.root, rest) &&
            (best == nullptr || candidate.root.size() <= best->root.size())) {
            best = &candidate;
            best_rest = rest;
        }
    }
    if (best != nullptr)
        walk_up(prefix, *best, best_rest, tightest);
    // the namespaces hide how group and mount relate ("/.."): what is mounted is all there is to
    // see.
    else if (any != nullptr)
        walk_up(prefix, *any, {}, tightest);
}

}  // namespace

unsigned cpu_quota::rounded_up() const noexcept
{
    if (!limited())
        return 0;
    // The margin forgives the division: 300000/100000 must be 3 and not 4.
    const double whole = std::ceil(cpus - 1e-9);
    return whole < 1 ? 1 : whole > 1e6 ? 1'000'000 : static_cast<unsigned>(whole);
}

cpu_quota read_cpu_quota(const std::string& root)
{
    cpu_quota tightest;
    std::string groups, mountinfo;
    if (!read_small_file(root + "/proc/self/cgroup", groups) ||
        !read_small_file(root + "/proc/self/mountinfo", mountinfo))
        return tightest;
    const auto mounts = find_mounts(mountinfo);
    for (const int version : {1, 2})
        if (const auto group = find_group(groups, version); !group.empty())
            read_hierarchy(root, mounts, version, group, tightest);
    return tightest;
}

}  // namespace artel::topology
