// See machine.hpp.
#include "lab/machine.hpp"

#include "lab/kernel_text.hpp"
#include "lab/tasks.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace artel::lab {

namespace {

std::string first_line(const char* path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name") || line.starts_with("CPU implementer"))
            return line.substr(line.find(':') + 2);
    return "unknown processor";
}

}  // namespace

json describe_machine()
{
    utsname name{};
    ::uname(&name);
    json result;
    result["identity"] = {
        {"processor", processor()},
        {"cpus", usable_cpus()},
        {"memory_bytes", static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))},
        {"kernel", name.release},
        {"c_library", std::string("glibc ") + ::gnu_get_libc_version()},
        {"thp", chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled"))},
        {"thp_shmem",
         chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled"))}};
    result["load"] = first_line("/proc/loadavg");
    return result;
}

std::size_t free_huge_pages()
{
    const auto number = [](const char* path) {
        const auto line = first_line(path);
        return line.empty() ? 0l : std::stol(line);
    };
    const long free = number("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages") -
                      number("/sys/kernel/mm/hugepages/hugepages-2048kB/resv_hugepages");
    return free > 0 ? static_cast<std::size_t>(free) : 0;
}

}  // namespace artel::lab
