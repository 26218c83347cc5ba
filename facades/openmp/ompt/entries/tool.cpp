// Finding and starting a tool (OpenMP 5.1, 4.2.2): a function ompt_start_tool in the program or in
// a library that was loaded with it, else in one of the libraries that OMP_TOOL_LIBRARIES lists.
// The first one that returns something is the tool; the runtime calls its initialize function,
// which sets callbacks, and at the end its finalize function. OMP_TOOL_VERBOSE_INIT reports in the
// words of LLVM's runtime, which users know.
#include "tool.hpp"

#include "foreign/fork_safe_lock.hpp"
#include "foreign/loaded_object.hpp"
#include "foreign/race_detector.hpp"
#include "linking/messages.hpp"
#include "ompt/interface/callbacks.hpp"
#include "ompt/interface/thread.hpp"
#include "regions/told_region.hpp"
#include "team/team.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <string>
#include <string_view>

namespace artel::openmp::ompt {

constinit std::atomic<tool_presence> presence{tool_presence::unknown};
constinit callback_table callbacks{};

namespace {

constexpr unsigned omp_version = 202011;  // OpenMP 5.1
constexpr const char* runtime_version = "Artel OpenMP runtime, libgomp and libomp interfaces";

enum class stage : int { unknown, none, attached, left };

start_result* the_tool = nullptr;  // written once, before the stage is `attached`
std::uint64_t attached_in = 0;     // fork_generation() then
// release when it changes: pairs with the acquires of threads that then read the_tool.
std::atomic<stage> reached{stage::unknown};
// the search runs the tool's code, which may call us, so no lock of ours.
pthread_once_t search_once = PTHREAD_ONCE_INIT;
foreign::fork_safe_lock end_registration;

// The report that OMP_TOOL_VERBOSE_INIT asks for, if any.
class report {
public:
    report() noexcept
    {
        const char* const where = std::getenv("OMP_TOOL_VERBOSE_INIT");
        const std::string_view wanted = where != nullptr ? where : "";
        if (wanted.empty() || wanted == "disabled") {
            return;
        }
        if (wanted == "stdout") {
            file_ = stdout;
        } else if (wanted == "stderr") {
            file_ = stderr;
        } else {
            file_ = std::fopen(where, "w");
            owned_ = file_ != nullptr;
            if (file_ == nullptr) {
                complain("OMP_TOOL_VERBOSE_INIT: cannot write to '{}'", wanted);
            }
        }
    }
    report(const report&) = delete;
    report& operator=(const report&) = delete;
    ~report()
    {
        if (owned_) {
            std::fclose(file_);
        }
    }

    bool wanted() const noexcept { return file_ != nullptr; }

    [[gnu::format(printf, 2, 3)]] void say(const char* format, ...) const noexcept
    {
        if (file_ != nullptr) {
            va_list list;
            va_start(list, format);
            std::vfprintf(file_, format, list);
            va_end(list);
            std::fflush(file_);  // the tool's own output, or its crash, may follow
        }
    }

private:
    std::FILE* file_ = nullptr;
    bool owned_ = false;
};

// The program's ompt_start_tool, or that of a library it was loaded with; not our own, which serves
// programs that call it themselves.
start_function in_the_program() noexcept
{
    void* const found = ::dlsym(RTLD_DEFAULT, "ompt_start_tool");
    // Not by dladdr, which looks at every symbol of a library.
    const auto theirs = foreign::loaded_object::containing(found);
    if (!theirs) {
        return nullptr;
    }
    if (!theirs->contains(reinterpret_cast<void (*)()>(&in_the_program))) {
        return reinterpret_cast<start_function>(found);
    }
    return reinterpret_cast<start_function>(::dlsym(RTLD_NEXT, "ompt_start_tool"));
}

start_result* in_address_space(const report& to) noexcept
{
    to.say("Search for OMP tool in current address space... ");
    const start_function start = in_the_program();
    start_result* const found = start != nullptr ? start(omp_version, runtime_version) : nullptr;
    to.say(found != nullptr ? "Success.\n" : "Failed.\n");
    return found;
}

start_result* in_library(const std::string& name, const report& to) noexcept
{
    to.say("Opening %s... ", name.c_str());
    void* const library = ::dlopen(name.c_str(), RTLD_LAZY);
    if (library == nullptr) {
        to.say("Failed: %s\n", ::dlerror());
        return nullptr;
    }
    to.say("Success. \nSearching for ompt_start_tool in %s... ", name.c_str());
    ::dlerror();
    const auto start = reinterpret_cast<start_function>(::dlsym(library, "ompt_start_tool"));
    if (start == nullptr) {
        const char* const why = ::dlerror();
        to.say("Failed: %s\n", why != nullptr ? why : "it is null");
        ::dlclose(library);
        return nullptr;
    }
    start_result* const found = start(omp_version, runtime_version);
    if (found == nullptr) {
        to.say("Found but not using the OMPT interface.\nContinuing search...\n");
        ::dlclose(library);
        return nullptr;
    }
    to.say("Success.\n");
    return found;
}

// Archer, the tool that makes ThreadSanitizer understand OpenMP. It refuses to work in other
// programs; there it is opened only for the report, to match LLVM's runtime.
start_result* archer(const report& to)
{
    to.say("...searching tool libraries failed. Using archer tool.\n");
    return foreign::race_detector_watches() || to.wanted() ? in_library("libarcher.so", to)
                                                           : nullptr;
}

start_result* in_libraries(const report& to)
{
    const char* const list = std::getenv("OMP_TOOL_LIBRARIES");
    if (list == nullptr || *list == '\0') {
        to.say("No OMP_TOOL_LIBRARIES defined.\n");
        return archer(to);
    }
    to.say("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", list);
    std::string_view left = list;
    while (!left.empty()) {
        const std::size_t end = left.find(':');
        const std::string name(left.substr(0, end));
        left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
        if (start_result* const found = name.empty() ? nullptr : in_library(name, to);
            found != nullptr) {
            return found;
        }
    }
    return archer(to);
}

bool wanted(const report& to) noexcept
{
    const char* const setting = std::getenv("OMP_TOOL");
    const std::string_view value = setting != nullptr ? setting : "";
    if (value == "disabled") {
        to.say("OMP tool disabled. \n");
        return false;
    }
    if (!value.empty() && value != "enabled") {
        complain(
            "Invalid value for environment variable OMP_TOOL: '{}' is neither 'enabled' nor "
            "'disabled'",
            value);
    }
    return true;
}

void search() noexcept
{
    const report to;
    to.say("----- START LOGGING OF TOOL REGISTRATION -----\n");
    start_result* found = nullptr;
    if (wanted(to)) {
        try {
            found = in_address_space(to);
            if (found == nullptr) {
                found = in_libraries(to);
            }
        } catch (...) {
            complain("Out of memory looking for a tool");
        }
        to.say(found != nullptr ? "Tool was started and is using the OMPT interface.\n"
                                : "No OMP tool loaded.\n");
    }
    to.say("----- END LOGGING OF TOOL REGISTRATION -----\n");
    if (found == nullptr) {
        // relaxed, here and below: see attached().
        presence.store(tool_presence::none, std::memory_order_relaxed);
        // release, here and below: see reached.
        reached.store(stage::none, std::memory_order_release);
        return;
    }
    the_tool = found;
    // Zero: the tool declines, and is not finalized either.
    if (found->initialize == nullptr || found->initialize(entry_point, 0, &found->tool) == 0) {
        for (auto& c : callbacks) {
            c.store(nullptr, std::memory_order_release);
        }
        presence.store(tool_presence::none, std::memory_order_relaxed);
        reached.store(stage::left, std::memory_order_release);
        return;
    }
    attached_in = fork_generation();
    {
        // The lock is held across a fork: the C library's own lock over its list is not, and a
        // child that finds it taken waits for ever. Registered after the tool was loaded, so that
        // it runs before the tool's own destructors.
        const std::scoped_lock hold(end_registration);
        std::atexit(finish_tool);
    }
    // release: pairs with the acquire in decide(). In this order, so that who has seen the tool
    // reached finds it present, too.
    presence.store(tool_presence::attached, std::memory_order_release);
    reached.store(stage::attached, std::memory_order_release);
}

}  // namespace

bool decide() noexcept
{
    // relaxed: start_tool decides.
    if (presence.load(std::memory_order_relaxed) == tool_presence::unknown) {
        start_tool();
    }
    // acquire: pairs with the release in search(): the tool is set up.
    return presence.load(std::memory_order_acquire) == tool_presence::attached;
}

void start_tool() noexcept
{
    // a tool calls us while it starts.
    static constinit thread_local bool searching = false;
    // acquire: see reached.
    if (reached.load(std::memory_order_acquire) == stage::unknown && !searching) {
        searching = true;
        ::pthread_once(&search_once, search);
        searching = false;
        // The tool may have called us while it started, which has made this thread an initial one
        // before the tool could be told.
        auto* const m = static_cast<member*>(fiber::this_tls().local);
        if (m != nullptr && attached() && m->in->level == 0) {
            tell_initial_thread(*m);
        }
    }
}

void finish_tool() noexcept
{
    if (attached_in != fork_generation()) {
        return;  // in the child of a fork the tool belongs to the parent
    }
    stage now = stage::attached;
    // acq_rel: one caller wins, and sees the tool.
    if (!reached.compare_exchange_strong(now, stage::left, std::memory_order_acq_rel)) {
        return;
    }
    end_everything();
    // relaxed: running members may call the tool until they next look, as the specification allows.
    presence.store(tool_presence::none, std::memory_order_relaxed);
    if (the_tool->finalize != nullptr) {
        the_tool->finalize(&the_tool->tool);
    }
}

}  // namespace artel::openmp::ompt
