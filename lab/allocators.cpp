// See allocators.hpp.
#include "lab/allocators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace artel::lab {

const std::vector<allocator>& allocators()
{
    static const std::vector<allocator> table{
        {"glibc", "", "", true, "glibc, as it comes"},
        {"glibc-1-arena", "", "", false, "glibc with one arena for all threads"},
        {"glibc-arena-per-task", "", "", false, "glibc with an arena for each thread"},
        {"glibc-huge", "", "", true, "glibc asking for transparent huge pages"},
        {"jemalloc", "libjemalloc.so.2", "libjemalloc2", true, "jemalloc"},
        {"mimalloc", "libmimalloc.so.2", "libmimalloc2.0", true, "mimalloc"},
        {"tcmalloc", "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4", true,
         "tcmalloc (gperftools)"},
    };
    return table;
}

namespace {

const allocator& allocator_named(const std::string& name)
{
    for (const auto& it : allocators())
        if (name == it.name)
            return it;
    throw std::invalid_argument(fmt::format("no allocator '{}'", name));
}

}  // namespace

std::vector<std::string> allocator_environment(const std::string& name, unsigned tasks)
{
    const auto& it = allocator_named(name);
    if (*it.library != '\0')
        return {fmt::format("LD_PRELOAD={}", it.library)};
    if (name == "glibc-1-arena")
        return {"GLIBC_TUNABLES=glibc.malloc.arena_max=1"};
    if (name == "glibc-arena-per-task")  // one more for the main thread
        return {fmt::format("GLIBC_TUNABLES=glibc.malloc.arena_max={}", tasks + 1)};
    if (name == "glibc-huge")
        return {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
    return {};
}

std::string why_allocator_is_missing(const std::string& name)
{
    const auto& it = allocator_named(name);
    if (*it.library == '\0')
        return {};
    std::ifstream maps("/proc/self/maps");
    const std::string wanted = std::string(it.library)
                                   .substr(0, std::string(it.library).find(".so"));
    for (std::string line; std::getline(maps, line);)
        if (line.find(wanted) != line.npos)
            return {};
    return fmt::format("{} is not installed; enable: apt-get install {}", it.library, it.package);
}

}  // namespace artel::lab
