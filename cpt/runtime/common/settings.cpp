// OpenMP's variables are reported and ignored when they are wrong, cpt's own are errors; also the
// count of streams that gangs hold.
#include "settings.hpp"

#include "default_allocator.hpp"
#include "library.hpp"
#include "light.hpp"
#include "processors.hpp"
#include "schedule.hpp"
#include "team.hpp"
#include "text.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cp {

namespace {

std::string of(const char* name)
{
    const char* const value = std::getenv(name);
    return std::string(trimmed(value != nullptr ? value : ""));
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// A whole number in a range; -1 if the text is none.
long number(const std::string& text, long least, long most)
{
    char* end = nullptr;
    const long n = std::strtol(text.c_str(), &end, 10);
    return text.empty() || *end != 0 || n < least || n > most ? -1 : n;
}

// For OpenMP's variables: a wrong value is reported and ignored, as in other OpenMP runtimes.
void ignored(const char* name, const std::string& value)
{
    std::fprintf(stderr, "cpt: %s is '%s', which is no value for it; ignored\n", name,
                 value.c_str());
}

// For cpt's own variables: a wrong value is an error.
[[noreturn]] void refused(const char* name, const std::string& value, const std::string& allowed)
{
    fail(std::string(name) + " is '" + value + "'; allowed: " + allowed);
}

void read_number(const char* name, unsigned& to, long least, long most)
{
    const std::string value = of(name);
    if (const long n = number(value, least, most); n >= 0) {
        to = static_cast<unsigned>(n);
    } else if (!value.empty()) {
        ignored(name, value);
    }
}

void read_flag(const char* name, bool& to)
{
    const std::string value = lower(of(name));
    if (value == "true" || value == "1" || value == "yes") {
        to = true;
    } else if (value == "false" || value == "0" || value == "no") {
        to = false;
    } else if (!value.empty()) {
        ignored(name, value);
    }
}

void read_schedule(icvs& to)
{
    const std::string value = of("OMP_SCHEDULE");
    if (!value.empty() && !set_schedule(lower(value), to)) {
        ignored("OMP_SCHEDULE", value);
    }
}

void read_threads(settings_of_process& s)
{
    std::string value = of("OMP_NUM_THREADS");
    while (!value.empty()) {
        const std::size_t comma = value.find(',');
        const long n = number(value.substr(0, comma), 1, 65536);
        if (n < 0) {
            ignored("OMP_NUM_THREADS", value);
            s.threads.clear();
            return;
        }
        s.threads.push_back(static_cast<unsigned>(n));
        value.erase(0, comma == value.npos ? comma : comma + 1);
    }
}

// A size with its unit, in bytes; 0 if the text is none.
unsigned long size_of(const std::string& text, unsigned long unit)
{
    char* end = nullptr;
    const double n = std::strtod(text.c_str(), &end);
    switch (std::tolower(*end)) {
    case 'b': unit = 1; break;
    case 'k': unit = 1024; break;
    case 'm': unit = 1024 * 1024; break;
    case 'g': unit = 1024 * 1024 * 1024; break;
    case 0: break;
    default: return 0;
    }
    return n > 0 ? static_cast<unsigned long>(n * static_cast<double>(unit)) : 0;
}

// The C library's size for stacks of threads: code that fits on the stack of a thread of libgomp
// has to fit here, too.
unsigned long stack_of_threads()
{
    constexpr unsigned long least = 1ul << 20, usual = 8ul << 20, largest = 64ul << 20;
    rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return usual;
    }
    return std::clamp<unsigned long>(limit.rlim_cur, least, largest);
}

void read_own(settings_of_process& s)
{
    const auto own = [](const char* name, long least, long most, long otherwise) {
        const std::string value = of(name);
        const long n = value.empty() ? otherwise : number(value, least, most);
        if (n < 0) {
            refused(name, value,
                    "a number from " + std::to_string(least) + " to " + std::to_string(most));
        }
        return n;
    };
    if (const std::string value = of("CP_NUMAS"); !value.empty()) {
        s.nodes = nodes_of(value);
        if (s.nodes.empty()) {
            refused("CP_NUMAS", value, "numbers of nodes that are there, such as 0,2-3");
        }
    }
    s.streams = static_cast<unsigned>(
        own("CP_NUM_STREAMS", 1, 1024, static_cast<long>(processors(s.nodes).size())));
    s.bind = own("CP_STREAM_BIND", 0, 1, 0) == 1;
    s.gang = own("CP_GANG", 0, 1, 0) == 1;
    s.partitioner = static_cast<unsigned>(own("CP_PARTITIONER_KIND", 0, 3, 0));
    if (const std::string value = of("CP_STACK_SIZE"); !value.empty()) {
        s.stack = size_of(value, 1);
        if (s.stack < 16384 || s.stack > 1024ul * 1024 * 1024) {
            refused("CP_STACK_SIZE", value, "16k to 1048576k, or 1m to 1024m");
        }
    } else if (const std::string omp = of("OMP_STACKSIZE"); !omp.empty()) {
        s.stack = size_of(omp, 1024);
        if (s.stack < 16384) {
            ignored("OMP_STACKSIZE", omp);
            s.stack = stack_of_threads();
        }
    } else {
        s.stack = stack_of_threads();
    }
    if (of("OMP_SCHEDULE").empty() && !of("CP_PARTITIONER_KIND").empty()) {
        // auto, simple, affinity, static: affinity asks for the same pieces on the same members,
        // which is what static does.
        s.first.schedule = s.partitioner < 2 ? 2 : 1;
        s.first.chunk = s.first.schedule == 2 ? 1 : 0;
    }
}

settings_of_process read()
{
    settings_of_process s;
    read_threads(s);
    read_schedule(s.first);
    read_own(s);
    read_flag("OMP_DYNAMIC", s.first.dynamic);
    read_flag("OMP_CANCELLATION", s.cancellation);
    bool nested = true;
    read_flag("OMP_NESTED", nested);
    if (!nested) {
        s.first.max_levels = 1;
    }
    read_number("OMP_MAX_ACTIVE_LEVELS", s.first.max_levels, 0, 255);
    read_number("OMP_THREAD_LIMIT", s.first.thread_limit, 1, 0x7fffffff);
    read_number("OMP_NUM_TEAMS", s.teams, 1, 65536);
    read_number("OMP_TEAMS_THREAD_LIMIT", s.teams_thread_limit, 1, 65536);
    unsigned priority = 0;
    read_number("OMP_MAX_TASK_PRIORITY", priority, 0, 0x7fffffff);
    s.max_priority = static_cast<int>(priority);
    unsigned device = 0;
    read_number("OMP_DEFAULT_DEVICE", device, 0, 0x7fffffff);
    s.first.device = static_cast<int>(device);
    s.affinity_format = std::getenv("OMP_AFFINITY_FORMAT") != nullptr
                            ? std::getenv("OMP_AFFINITY_FORMAT")
                            : "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
    read_flag("OMP_DISPLAY_AFFINITY", s.display_affinity);
    if (const std::string value = of("OMP_ALLOCATOR"); !value.empty()) {
        if (const unsigned long allocator = allocator_named(lower(value)); allocator != 0) {
            s.first.allocator = allocator;
        } else {
            ignored("OMP_ALLOCATOR", value);
        }
    }
    if (const std::string value = lower(of("OMP_DISPLAY_ENV")); !value.empty()) {
        s.display_env = value == "verbose" ? 2 : value == "true" || value == "1" ? 1 : 0;
    }
    return s;
}

// Before the program's own constructors, and those of libraries that may use OpenMP in them.
__attribute__((constructor(101))) void initialize()
{
    if (settings().display_env != 0) {
        display_environment(settings().display_env == 2);
    }
}

std::atomic<unsigned> held{0};  // streams that gangs hold

unsigned gang_of(unsigned asked)
{
    if (!settings().gang) {
        return asked;
    }
    // The caller has a stream already. relaxed: a count only.
    unsigned now = held.load(std::memory_order_relaxed), mine = 0;
    do {
        mine = std::min(asked - 1, streams() - 1 - std::min(streams() - 1, now));
    } while (!held.compare_exchange_weak(now, now + mine, std::memory_order_relaxed));
    return mine + 1;
}

}  // namespace

settings_of_process& settings()
{
    static settings_of_process all = read();
    return all;
}

unsigned streams()
{
    static const unsigned n = settings().streams;
    return n;
}

unsigned threads_of_next_region(const icvs& c, unsigned level)
{
    const auto& list = settings().threads;
    return c.threads != 0        ? c.threads
           : list.empty()        ? streams()
           : level < list.size() ? list[level]
                                 : list.back();
}

bool is_first_os_thread()
{
    return syscall(SYS_gettid) == getpid();
}

void fail(const std::string& why)
{
    std::fprintf(stderr, "cpt: error: %s\n", why.c_str());
    std::_Exit(1);
}

void step_aside(thread& me)
{
    if (!me.light || is_lost()) {
        sched_yield();
        return;
    }
    light::yield();
    set_current(&me);
}

gang::gang(unsigned asked) : size(gang_of(asked)) {}

gang::~gang()
{
    if (settings().gang) {
        held.fetch_sub(size - 1, std::memory_order_relaxed);  // relaxed: a count only
    }
}

}  // namespace cp
