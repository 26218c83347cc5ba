// See evidence.hpp.
#include "lab/evidence.hpp"

#include "lab/kernel_text.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace artel::lab {

namespace {

std::int64_t tlb_shootdowns()
{
    std::ifstream file("/proc/interrupts");
    return tlb_interrupts(file);
}

// CPU time of all programs since the machine started, as the kernel counts it, in ticks.
double busy_seconds()
{
    std::ifstream file("/proc/stat");
    return busy_ticks(file) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// The KiB in huge pages that this process has now.
std::int64_t own_huge_page_kib()
{
    std::ifstream file("/proc/self/smaps_rollup");
    return huge_page_kib(file);
}

double now_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The number of a tracepoint for perf_event_open; -1 without tracefs or the right to read it.
std::int64_t tracepoint(const char* name)
{
    for (const char* folder :
         {"/sys/kernel/tracing/events/", "/sys/kernel/debug/tracing/events/"}) {
        std::ifstream file(std::string(folder) + name + "/id");
        std::int64_t id = -1;
        if (file >> id)
            return id;
    }
    return -1;
}

// Why tracepoints are not available, with the command that enables them, if one does.
std::string no_tracefs()
{
    if (::access("/sys/kernel/tracing/events", F_OK) == 0 ||
        ::access("/sys/kernel/debug/tracing/events", F_OK) == 0)
        return "this kernel has no such tracepoint, or it is only for root";
    return "tracefs is not mounted; enable: mount -t tracefs tracefs /sys/kernel/tracing";
}

constexpr std::uint64_t dtlb(std::uint64_t operation, std::uint64_t result)
{
    return PERF_COUNT_HW_CACHE_DTLB | operation << 8 | result << 16;
}

struct event {
    const char* name;
    std::uint32_t type;
    std::uint64_t config;
    const char* trace = nullptr;   // a tracepoint instead
    const char* filter = nullptr;  // of the tracepoint
};

const event events[]{
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"dtlb_load_misses", PERF_TYPE_HW_CACHE,
     dtlb(PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    {"dtlb_store_misses", PERF_TYPE_HW_CACHE,
     dtlb(PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    {"cpu_migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    // FUTEX_WAIT and FUTEX_WAIT_BITSET, private or not, with either clock.
    {"futex_waits", PERF_TYPE_TRACEPOINT, 0, "syscalls/sys_enter_futex",
     "op == 0 || op == 128 || op == 9 || op == 137 || op == 265 || op == 393"},
    {"mmap_calls", PERF_TYPE_TRACEPOINT, 0, "syscalls/sys_enter_mmap"},
    {"munmap_calls", PERF_TYPE_TRACEPOINT, 0, "syscalls/sys_enter_munmap"},
    {"brk_calls", PERF_TYPE_TRACEPOINT, 0, "syscalls/sys_enter_brk"},
    // to other CPUs, by interrupt.
    {"tlb_flushes_sent", PERF_TYPE_TRACEPOINT, 0, "tlb/tlb_flush", "reason == 4"},
    {"tlb_flushes_local", PERF_TYPE_TRACEPOINT, 0, "tlb/tlb_flush", "reason == 2 || reason == 3"},
};

json difference(const rusage& s0, const rusage& c0, const rusage& s1, const rusage& c1)
{
    const auto count = [&](auto member) {
        return s1.*member - s0.*member + c1.*member - c0.*member;
    };
    const auto seconds = [&](auto member) {
        const auto value = [&](const rusage& u) {
            return static_cast<double>((u.*member).tv_sec) +
                   static_cast<double>((u.*member).tv_usec) * 1e-6;
        };
        return value(s1) - value(s0) + value(c1) - value(c0);
    };
    return {{"user_seconds", seconds(&rusage::ru_utime)},
            {"system_seconds", seconds(&rusage::ru_stime)},
            {"minor_faults", count(&rusage::ru_minflt)},
            {"major_faults", count(&rusage::ru_majflt)},
            {"voluntary_switches", count(&rusage::ru_nvcsw)},
            {"involuntary_switches", count(&rusage::ru_nivcsw)},
            {"peak_resident_kib", std::max(s1.ru_maxrss, c1.ru_maxrss)}};
}

}  // namespace

evidence::~evidence()
{
    for (const auto& it : counters_)
        if (it.file >= 0)
            ::close(it.file);
}

void evidence::open_counters()
{
    for (const auto& wanted : events) {
        counter it{wanted.name};
        perf_event_attr attributes{};
        attributes.size = sizeof attributes;
        attributes.type = wanted.type;
        attributes.config = wanted.config;
        attributes.inherit = 1;
        attributes.exclude_hv = 1;
        attributes.disabled = 1;
        if (wanted.trace != nullptr) {
            const auto id = tracepoint(wanted.trace);
            if (id < 0)
                it.unavailable = no_tracefs();
            attributes.config = static_cast<std::uint64_t>(id);
        }
        if (it.unavailable.empty()) {
            it.file = static_cast<int>(
                ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
            // kernel.perf_event_paranoid = 2 allows user space only.
            if (it.file < 0 && (errno == EACCES || errno == EPERM)) {
                attributes.exclude_kernel = 1;
                it.file = static_cast<int>(
                    ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
            }
            if (it.file < 0)
                it.unavailable = errno == ENOENT || errno == EOPNOTSUPP
                                     ? "this processor, or the virtual machine, has no such counter"
                                 : errno == EACCES || errno == EPERM
                                     ? "not allowed (kernel.perf_event_paranoid)"
                                     : std::strerror(errno);
            else if (wanted.filter != nullptr &&
                     ::ioctl(it.file, PERF_EVENT_IOC_SET_FILTER, wanted.filter) != 0) {
                it.unavailable = "the kernel does not filter this tracepoint";
                ::close(it.file);
                it.file = -1;
            }
        }
        counters_.push_back(it);
    }
}

void evidence::start()
{
    open_counters();
    ::getrusage(RUSAGE_SELF, &self_);
    ::getrusage(RUSAGE_CHILDREN, &children_);
    shootdowns_ = tlb_shootdowns();
    busy_seconds_ = busy_seconds();
    wall_seconds_ = now_seconds();
    for (const auto& it : counters_)
        if (it.file >= 0)
            ::ioctl(it.file, PERF_EVENT_IOC_ENABLE, 0);
}

void evidence::stop()
{
    for (auto& it : counters_)
        if (it.file >= 0) {
            ::ioctl(it.file, PERF_EVENT_IOC_DISABLE, 0);
            if (::read(it.file, &it.value, sizeof it.value) != sizeof it.value)
                it.unavailable = "could not be read";
        }
    wall_seconds_ = now_seconds() - wall_seconds_;
    huge_page_kib_ = own_huge_page_kib();
    busy_seconds_ = busy_seconds() - busy_seconds_;
    if (shootdowns_ >= 0)
        shootdowns_ = tlb_shootdowns() - shootdowns_;
    rusage self{}, children{};
    ::getrusage(RUSAGE_SELF, &self);
    ::getrusage(RUSAGE_CHILDREN, &children);
    usage_ = difference(self_, children_, self, children);
    // The share of the machine that other programs used, if the measurement is long enough for the
    // kernel's ticks: a time with a large share means little.
    if (wall_seconds_ >= 0.1) {
        const double own = usage_["user_seconds"].get<double>() +
                           usage_["system_seconds"].get<double>();
        const double all = wall_seconds_ * static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
        usage_["other_programs_share"] = std::clamp((busy_seconds_ - own) / all, 0.0, 1.0);
    }
}

json evidence::as_json() const
{
    json result = usage_;
    json why = json::object();
    for (const auto& it : counters_)
        if (it.unavailable.empty()) {
            result[it.name] = it.value;
        } else {
            result[it.name] = nullptr;
            why[it.name] = it.unavailable;
        }
    // Those of the whole machine: they include other programs'.
    result["tlb_interrupts_machine"] = shootdowns_ < 0 ? json(nullptr) : json(shootdowns_);
    result["huge_page_kib"] = huge_page_kib_ < 0 ? json(nullptr) : json(huge_page_kib_);
    if (huge_page_kib_ < 0)
        why["huge_page_kib"] = "the kernel has no /proc/self/smaps_rollup";
    if (shootdowns_ < 0)
        why["tlb_interrupts_machine"] =
            "this processor flushes other CPUs' TLBs without interrupts";
    if (!why.empty())
        result["unavailable"] = why;
    return result;
}

}  // namespace artel::lab
