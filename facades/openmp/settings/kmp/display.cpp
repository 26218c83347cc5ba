// One list has all settings with their values as text, in libomp's order; the displays of
// KMP_SETTINGS and OMP_DISPLAY_ENV print it in two layouts.
#include "display.hpp"

#include "hw_subset.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "settings/allocators.hpp"
#include "settings/icv.hpp"
#include "settings/settings.hpp"
#include "settings/variable.hpp"

#include <artel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace artel::openmp {
namespace {

struct setting {
    // NAME='value', NAME=value in one of the layouts, NAME: value.
    enum class form { quoted, plain, note };
    std::string name;
    std::optional<std::string> value;  // nothing: not defined
    form as = form::plain;
};

std::string blocktime_text(const global_icvs& g)
{
    const std::uint64_t us = g.kmp.blocktime.value_or(g.wait_active    ? UINT64_MAX
                                                      : g.wait_passive ? 0
                                                                       : 200000);
    if (us == UINT64_MAX) {
        return "infinite";
    }
    return us % 1000 == 0 ? fmt::format("{}ms", us / 1000) : fmt::format("{}us", us);
}

std::string schedule_text_of(const icv_set& icvs)
{
    static constexpr const char* names[] = {
        "", "static", "dynamic", "guided", "auto", "trapezoidal", "nonmonotonic:dynamic"};
    std::string text = icvs.run_monotonic ? "monotonic:" : "";
    text += names[static_cast<unsigned>(icvs.run_schedule)];
    return icvs.run_chunk > (icvs.run_schedule == schedule_kind::static_ ? 0 : 1)
               ? text + fmt::format(",{}", icvs.run_chunk)
               : text;
}

std::string places_text_of(const global_icvs& g)
{
    if (const variable v("OMP_PLACES"); v && !g.kmp.affinity.binds()) {
        for (const char* word : {"threads", "cores", "sockets", "ll_caches", "numa_domains"}) {
            if (text_reader(v.text()).take_word(word)) {
                return word;
            }
        }
        return v.text().find_first_of("{0123456789") != std::string::npos ? v.text() : "cores";
    }
    return g.kmp.affinity.type == kmp_affinity::kind::explicit_ ? g.kmp.affinity.list
           : g.kmp.affinity.granularity == "core"               ? "cores"
                                                                : g.kmp.affinity.granularity + "s";
}

std::string proc_bind_text_of(const global_icvs& g)
{
    static constexpr const char* names[] = {"false", "true", "primary", "close", "spread"};
    if (g.kmp.affinity.binds()) {
        return "intel";
    }
    std::vector<std::string> words;
    for (const int policy : g.proc_bind) {
        words.emplace_back(names[policy]);
    }
    return words.empty() ? "false" : fmt::format("{}", fmt::join(words, ","));
}

std::string limit_text(unsigned limit)
{
    return std::to_string(std::min<unsigned>(limit, INT_MAX));
}

std::vector<setting> all_settings()
{
    static constexpr const char* libraries[] = {"", "serial", "throughput", "turnaround"};
    static constexpr const char* offloads[] = {"DISABLED", "DEFAULT", "MANDATORY"};
    static constexpr const char* binds[] = {"false", "true", "primary", "close", "spread"};
    const global_icvs& g = globals();
    const kmp_settings& k = g.kmp;
    using form = setting::form;
    std::vector<setting> all;
    const auto add = [&](const char* name, std::optional<std::string> value,
                         form as = form::plain) { all.push_back({name, std::move(value), as}); };
    const auto truth = [](bool value) { return value ? "true" : "false"; };
    const std::string stack = size_text(g.stack_size != 0 ? g.stack_size : g.default_stack);
    const unsigned levels = g.initial.max_active_levels;
    add("KMP_BLOCKTIME", blocktime_text(g));
    add("KMP_DETERMINISTIC_REDUCTION", truth(k.deterministic_reduction));
    add("KMP_DEVICE_THREAD_LIMIT",
        limit_text(k.thread_limit == 0 ? no_thread_limit : k.thread_limit));
    add("KMP_DISP_NUM_BUFFERS", std::to_string(k.buffers));
    add("KMP_ENABLE_TASK_THROTTLING", truth(k.throttling));
    add("KMP_HIDDEN_HELPER_AFFINITY", k.helper_affinity.text(), form::quoted);
    if (!hardware().text.empty()) {
        add("KMP_HW_SUBSET", hardware().text, form::quoted);
    }
    add("KMP_INHERIT_FP_CONTROL", truth(k.inherits_fp_control));
    add("KMP_LIBRARY", libraries[g.wait_active ? 3 : k.library]);
    add("KMP_SETTINGS", truth(k.display));
    add("KMP_STACKSIZE", stack);
    add("KMP_TASKLOOP_MIN_TASKS", std::to_string(k.taskloop_min_tasks));
    add("KMP_TEAMS_PROC_BIND", binds[k.teams_bind]);
    add("KMP_TEAMS_THREAD_LIMIT", limit_text(k.teams_limit == 0 ? no_thread_limit : k.teams_limit));
    add("KMP_VERSION", truth(k.version));
    add("KMP_WARNINGS", truth(libomp_warns()));
    add("LIBOMP_NUM_HIDDEN_HELPER_THREADS", std::to_string(k.helpers == 0 ? 0 : k.helpers - 1));
    add("LIBOMP_USE_HIDDEN_HELPER_TASK", truth(k.helper_tasks));
    add("OMP_AFFINITY_FORMAT",
        std::string(g.affinity_format.empty() ? programs_dialect().affinity_format
                                              : g.affinity_format),
        form::quoted);
    add("OMP_ALLOCATOR", allocator_names[g.initial.allocator]);
    add("OMP_CANCELLATION", truth(g.cancellation));
    add("OMP_DEFAULT_DEVICE", std::to_string(g.initial.default_device));
    add("OMP_DISPLAY_AFFINITY", truth(g.display_affinity));
    add("OMP_DYNAMIC", truth(g.initial.dynamic));
    add("OMP_MAX_ACTIVE_LEVELS", std::to_string(levels));
    add("OMP_MAX_TASK_PRIORITY", std::to_string(g.max_task_priority));
    add("OMP_NESTED", fmt::format("deprecated; max-active-levels-var={}", levels), form::note);
    // relaxed, both: numbers by themselves.
    add("OMP_NUM_TEAMS",
        std::to_string(device_settings().num_teams.load(std::memory_order_relaxed)));
    add("OMP_NUM_THREADS",
        g.nthreads_list.empty() ? std::nullopt
                                : std::optional(fmt::format("{}", fmt::join(g.nthreads_list, ","))),
        form::quoted);
    add("OMP_PLACES", g.binds() ? std::optional(places_text_of(g)) : std::nullopt, form::quoted);
    add("OMP_PROC_BIND", proc_bind_text_of(g), form::quoted);
    add("OMP_SCHEDULE", schedule_text_of(g.initial), form::quoted);
    add("OMP_STACKSIZE", stack);
    add("OMP_TARGET_OFFLOAD", offloads[static_cast<unsigned>(g.offload)]);
    add("OMP_TEAMS_THREAD_LIMIT",
        // relaxed: above.
        std::to_string(device_settings().teams_thread_limit.load(std::memory_order_relaxed)));
    add("OMP_THREAD_LIMIT", limit_text(g.initial.thread_limit));
    add("OMP_WAIT_POLICY", g.wait_active ? "ACTIVE" : "PASSIVE");
    add("KMP_AFFINITY", k.affinity.text(), form::quoted);
    return all;
}

// The standard's display quotes every value, and writes switches in capitals.
std::string displayed(const setting& s)
{
    if (s.as == setting::form::note || !s.value) {
        return fmt::format("  [host] {}: {}\n", s.name, s.value.value_or("value is not defined"));
    }
    const std::string value = *s.value == "true"                                    ? "TRUE"
                              : *s.value == "false" && s.as == setting::form::plain ? "FALSE"
                                                                                    : *s.value;
    return fmt::format("  [host] {}='{}'\n", s.name, value);
}

}  // namespace

void display_as_libomp(bool all)
{
    std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n   _OPENMP='201611'\n";
    for (const setting& s : all_settings()) {
        if (all || s.name.starts_with("OMP_")) {
            text += displayed(s);
        }
    }
    base::write_raw(text + "OPENMP DISPLAY ENVIRONMENT END\n\n\n");
}

void display_kmp_settings()
{
    std::vector<std::string> set;
    for (char** v = environ; v != nullptr && *v != nullptr; ++v) {
        const std::string_view line(*v);
        if (line.starts_with("OMP_") || line.starts_with("KMP_") || line.starts_with("LIBOMP_") ||
            line.starts_with("GOMP_")) {
            set.emplace_back(line);
        }
    }
    std::sort(set.begin(), set.end());
    std::string text = "\nUser settings:\n\n";
    for (const std::string& line : set) {
        text += "   " + line + "\n";
    }
    text += "\nEffective settings:\n\n";
    for (const setting& s : all_settings()) {
        if (s.as == setting::form::note || !s.value) {
            text += fmt::format("   {}: {}\n", s.name, s.value.value_or("value is not defined"));
        } else {
            const char* const quote = s.as == setting::form::quoted ? "'" : "";
            text += fmt::format("   {}={}{}{}\n", s.name, quote, *s.value, quote);
        }
    }
    base::write_raw(text + "\n");
}

void display_kmp_version()
{
    base::write_raw(
        fmt::format("Artel OMP version: {}\n"
                    "Artel OMP library type: performance\n"
                    "Artel OMP link type: dynamic\n"
                    "Artel OMP API version: 5.0 (201611)\n"
                    "Artel OMP dynamic error checking: no\n",
                    artel_version()));
}

}  // namespace artel::openmp
