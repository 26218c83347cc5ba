// See page_policy.hpp.
//
// The kernel lets a job have fewer transparent huge pages than the machine's setting (prctl,
// inherited by fork and exec), not more. So "always" on a machine that is set to "madvise" can only
// be had from glibc's malloc, by a tunable in the environment, which all that the job starts
// inherits. Interposing mmap as well was rejected: it would put huge pages under stacks and guard
// regions that programs cut up afterwards.
#include "artel/page_policy.hpp"

#include "artel/command.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/prctl.h>

namespace artel::tool {

namespace {

constexpr unsigned long except_advised = 1ul << 1;  // PR_THP_DISABLE_EXCEPT_ADVISED, Linux 6.18
constexpr const char* tunable = "glibc.malloc.hugetlb=";

std::string system_setting()
{
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string line;
    std::getline(file, line);
    const auto begin = line.find('['), end = line.find(']');
    return begin == line.npos || end == line.npos ? std::string()
                                                  : line.substr(begin + 1, end - begin - 1);
}

long pool_number(const char* name)
{
    std::ifstream file(std::string("/sys/kernel/mm/hugepages/hugepages-2048kB/") + name);
    long value = 0;
    return file >> value ? value : 0;
}

// The value of malloc's tunable in the environment; the other tunables go into `others`.
std::string split_tunables(std::string& others)
{
    const char* text = std::getenv("GLIBC_TUNABLES");
    std::istringstream items(text == nullptr ? "" : text);
    std::string value;
    for (std::string item; std::getline(items, item, ':');)
        if (item.starts_with(tunable))
            value = item.substr(std::strlen(tunable));
        else if (!item.empty())
            others += item + ":";
    return value;
}

// An empty value takes the tunable out.
void set_malloc_tunable(const std::string& value)
{
    std::string tunables;
    split_tunables(tunables);
    if (!value.empty())
        tunables += tunable + value;
    else if (!tunables.empty())
        tunables.pop_back();  // the colon
    if (tunables.empty())
        ::unsetenv("GLIBC_TUNABLES");
    else
        ::setenv("GLIBC_TUNABLES", tunables.c_str(), 1);
}

// Takes back what an enclosing job asked of malloc; but explicit huge pages (--huge-pages) stay.
void stop_asking()
{
    std::string others;
    if (split_tunables(others) == "1")
        set_malloc_tunable("");
}

[[noreturn]] void refuse(const std::string& how, const std::string& why)
{
    throw command_error(run_failed, fmt::format("--thp {}: {}", how, why));
}

}  // namespace

page_policy current_page_policy()
{
    page_policy p;
    p.system = system_setting();
    std::string others;
    const auto value = split_tunables(others);
    p.malloc_asks = value == "1";
    p.malloc_huge = value == "2";
    p.huge_total = pool_number("nr_hugepages");
    p.huge_free = pool_number("free_hugepages");
    p.job = p.system;
    p.reason = "the machine's setting";
    const int disabled = ::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
    if (p.system.empty()) {
        p.job = "never";
        p.reason = "the kernel has no transparent huge pages";
    } else if (disabled == 1) {
        p.job = "never";
        p.reason = "switched off for this job (artel run --thp never)";
    } else if (disabled > 1 && p.system == "always") {
        p.job = "madvise";
        p.reason = "only where advised, for this job (artel run --thp madvise)";
    } else if (p.malloc_asks && p.system == "madvise") {
        p.job = "always";
        p.reason =
            "the machine's setting is madvise, and malloc asks for this job (artel run --thp "
            "always)";
    }
    return p;
}

void set_thp(const std::string& how, bool explicit_pages)
{
    const auto system = system_setting();
    if (how == "never") {
        if (::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0)
            refuse(how, std::strerror(errno));
        stop_asking();
        return;
    }
    if (system.empty())
        refuse(how, "this kernel has no transparent huge pages");
    if (system == "never")
        refuse(how,
               "the machine's setting is never; enable: echo madvise > "
               "/sys/kernel/mm/transparent_hugepage/enabled");
    if (how == "always" && system == "madvise" && explicit_pages)
        refuse(
            how,
            "the machine's setting is madvise, so malloc has to ask for transparent huge pages, "
            "and with --huge-pages it takes explicit ones; choose one of the two, or enable: echo "
            "always > /sys/kernel/mm/transparent_hugepage/enabled");
    if (::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0) != 0)  // perhaps an enclosing job switched them off
        refuse(how, std::strerror(errno));
    if (how == "madvise") {
        if (system == "always" && ::prctl(PR_SET_THP_DISABLE, 1, except_advised, 0, 0) != 0)
            refuse(how,
                   "the machine's setting is always, and this kernel cannot restrict one job to "
                   "advised memory (Linux 6.18 can)");
        stop_asking();
    } else if (system == "madvise") {
        set_malloc_tunable("1");
    }
}

void set_huge_pages()
{
    if (pool_number("free_hugepages") <= 0)
        warn(
            "run",
            "--huge-pages: no huge pages of 2 MiB are free, so malloc will use small ones; enable: "
            "sysctl -w vm.nr_hugepages=N");
    set_malloc_tunable("2");
}

}  // namespace artel::tool
