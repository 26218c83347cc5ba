// Read first of all variables, because some of these decide what the standard's mean: limits of
// threads, the time that members spin, the helpers for target tasks.
#include "settings.hpp"

#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "settings/variable.hpp"

#include <algorithm>
#include <climits>

namespace artel::openmp {
namespace {

constexpr std::uint64_t most_threads = INT_MAX;

// A number with ms (the default) or us; or infinite.
std::optional<std::uint64_t> parse_blocktime(const std::string& text)
{
    static constexpr const char* forever[] = {"infinite", "infinity"};
    if (parse_word(text, forever, std::size(forever))) {
        return UINT64_MAX;
    }
    text_reader reader(text);
    std::uint64_t value = 0;
    if (!reader.take_number(value)) {
        return std::nullopt;
    }
    const std::uint64_t unit = reader.take_word("us") ? 1 : (reader.take_word("ms"), 1000);
    return reader.at_end() ? std::optional(std::min(value, std::uint64_t{INT_MAX}) * unit)
                           : std::nullopt;
}

void read_blocktime(kmp_settings& s)
{
    const variable v("KMP_BLOCKTIME");
    if (!v) {
        return;
    }
    s.blocktime = parse_blocktime(v.text());
    if (!s.blocktime) {
        v.invalid();
        warn_as_libomp(39, "{} value \"{}\" is invalid.", v.name(), v.text());
        inform_as_libomp(104, "{} value \"200\" will be used.", v.name());
    }
}

void read_limits(kmp_settings& s)
{
    const auto read = [](const char* name, unsigned& into, std::uint64_t otherwise) {
        if (const auto n = variable(name).number(1, most_threads, otherwise)) {
            into = static_cast<unsigned>(*n);
        }
    };
    if (const variable old("KMP_ALL_THREADS"); old && !variable("KMP_DEVICE_THREAD_LIMIT")) {
        inform_as_libomp(
            268,
            "KMP_ALL_THREADS variable deprecated, please use KMP_DEVICE_THREAD_LIMIT instead.");
        read("KMP_ALL_THREADS", s.thread_limit, most_threads);
    }
    read("KMP_DEVICE_THREAD_LIMIT", s.thread_limit, most_threads);
    read("KMP_TEAMS_THREAD_LIMIT", s.teams_limit, most_threads);
    if (const auto n = variable("KMP_DISP_NUM_BUFFERS").number(1, 4096, s.buffers)) {
        s.buffers = static_cast<unsigned>(*n);
    }
    if (const auto n = variable("KMP_TASKLOOP_MIN_TASKS").number(0, most_threads, 0)) {
        s.taskloop_min_tasks = *n;
    }
}

void read_helpers(kmp_settings& s)
{
    s.helper_tasks = variable("LIBOMP_USE_HIDDEN_HELPER_TASK").boolean().value_or(true);
    // libomp makes one more, which waits for the others; programs see its number.
    if (const auto n = variable("LIBOMP_NUM_HIDDEN_HELPER_THREADS").number(0, 65535, s.helpers)) {
        s.helpers = *n == 0 ? 0 : static_cast<unsigned>(*n) + 1;
    }
    if (!s.helper_tasks) {
        s.helpers = 0;
    }
}

}  // namespace

kmp_settings read_kmp_settings(std::size_t default_stack)
{
    kmp_settings s;
    if (!programs_dialect().knows_kmp) {
        return s;
    }
    if (const auto warns = variable("KMP_WARNINGS").boolean()) {
        set_libomp_warns(*warns);
    }
    s.display = variable("KMP_SETTINGS").boolean().value_or(false);
    s.version = variable("KMP_VERSION").boolean().value_or(false);
    read_blocktime(s);
    s.stack_size = variable("KMP_STACKSIZE").kmp_bytes(default_stack);
    read_limits(s);
    static constexpr const char* policies[] = {"primary", "master", "close", "spread"};
    static constexpr int binds[] = {bind_primary, bind_primary, bind_close, bind_spread};
    if (const auto policy = variable("KMP_TEAMS_PROC_BIND").word(policies, std::size(policies))) {
        s.teams_bind = binds[*policy];
    }
    static constexpr const char* libraries[] = {"serial", "throughput", "turnaround"};
    if (const auto library = variable("KMP_LIBRARY").word(libraries, std::size(libraries))) {
        s.library = static_cast<int>(*library) + 1;
    }
    s.throttling = variable("KMP_ENABLE_TASK_THROTTLING").boolean().value_or(true);
    s.inherits_fp_control = variable("KMP_INHERIT_FP_CONTROL").boolean().value_or(true);
    s.deterministic_reduction = variable("KMP_DETERMINISTIC_REDUCTION").boolean().value_or(false);
    read_helpers(s);
    for (const auto& [name, affinity] : {std::pair{"KMP_AFFINITY", &s.affinity},
                                         {"KMP_HIDDEN_HELPER_AFFINITY", &s.helper_affinity}}) {
        if (const variable v(name); v) {
            *affinity = parse_kmp_affinity(name, v.text());
        }
    }
    return s;
}

}  // namespace artel::openmp
