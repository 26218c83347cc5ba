// OMP_DISPLAY_ENV and omp_display_env: the settings in libgomp's words and order. The version is
// that of gcc 12's libgomp, so that programs and scripts that read it see no difference.
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "settings/allocators.hpp"
#include "settings/icv.hpp"
#include "settings/kmp/display.hpp"
#include "settings/settings.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <iterator>
#include <string>

namespace artel::openmp {

namespace {

const char* word(bool value)
{
    return value ? "TRUE" : "FALSE";
}

std::string schedule_text(const icv_set& icvs)
{
    static constexpr const char* names[] = {"",     "STATIC",      "DYNAMIC", "GUIDED",
                                            "AUTO", "TRAPEZOIDAL", "SHARED"};
    std::string text;
    // Only a modifier that differs from the kind's default is shown.
    const bool is_static = icvs.run_schedule == schedule_kind::static_;
    if (icvs.run_monotonic && !is_static) {
        text = "MONOTONIC:";
    } else if (!icvs.run_monotonic && is_static) {
        text = "NONMONOTONIC:";
    }
    text += names[static_cast<unsigned>(icvs.run_schedule)];
    if (icvs.run_chunk > (is_static ? 0 : 1)) {
        text += fmt::format(",{}", icvs.run_chunk);
    }
    return text;
}

std::string proc_bind_text(const std::vector<int>& list)
{
    static constexpr const char* names[] = {"FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD"};
    std::string text = list.empty() ? "FALSE" : names[list.front()];
    for (std::size_t i = 1; i < list.size(); ++i) {
        text += fmt::format(",{}", names[list[i]]);
    }
    return text;
}

std::string places_text(const std::vector<std::vector<unsigned>>& places)
{
    std::string text;
    for (const auto& place : places) {
        text += text.empty() ? "{" : ",{";
        // Runs of CPUs as first:length.
        for (std::size_t i = 0; i < place.size();) {
            std::size_t length = 1;
            while (i + length < place.size() && place[i + length] == place[i] + length) {
                ++length;
            }
            text += i == 0 ? "" : ",";
            text += length == 1 ? fmt::format("{}", place[i])
                                : fmt::format("{}:{}", place[i], length);
            i += length;
        }
        text += "}";
    }
    return text;
}

std::string settings_text(bool verbose)
{
    const global_icvs& g = globals();
    const icv_set& i = g.initial;
    std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n";
    const auto line = [&](const char* name, const auto& value) {
        text += fmt::format("  {} = '{}'\n", name, value);
    };
    line("_OPENMP", "201511");
    line("OMP_DYNAMIC", word(i.dynamic));
    line("OMP_NESTED", word(i.max_active_levels > 1));
    line("OMP_NUM_THREADS", g.nthreads_list.empty()
                                ? fmt::format("{}", i.nthreads)
                                : fmt::format("{}", fmt::join(g.nthreads_list, ",")));
    line("OMP_SCHEDULE", schedule_text(i));
    line("OMP_PROC_BIND", proc_bind_text(g.proc_bind));
    line("OMP_PLACES", places_text(g.places));
    line("OMP_STACKSIZE", g.stack_size);
    line("OMP_WAIT_POLICY", g.wait_active ? "ACTIVE" : "PASSIVE");
    line("OMP_THREAD_LIMIT", i.thread_limit);
    line("OMP_MAX_ACTIVE_LEVELS", i.max_active_levels);
    // relaxed: a number by itself.
    line("OMP_NUM_TEAMS", device_settings().num_teams.load(std::memory_order_relaxed));
    // relaxed: as above.
    line("OMP_TEAMS_THREAD_LIMIT",
         device_settings().teams_thread_limit.load(std::memory_order_relaxed));
    line("OMP_CANCELLATION", word(g.cancellation));
    line("OMP_DEFAULT_DEVICE", i.default_device);
    line("OMP_MAX_TASK_PRIORITY", g.max_task_priority);
    line("OMP_DISPLAY_AFFINITY", word(g.display_affinity));
    line("OMP_AFFINITY_FORMAT",
         g.affinity_format.empty() ? programs_dialect().affinity_format : g.affinity_format);
    line("OMP_ALLOCATOR", allocator_names[i.allocator]);
    static constexpr const char* offloads[] = {"DISABLED", "DEFAULT", "MANDATORY"};
    line("OMP_TARGET_OFFLOAD", offloads[static_cast<unsigned>(g.offload)]);
    if (verbose) {
        line("GOMP_CPU_AFFINITY", "");
        line("GOMP_STACKSIZE", g.stack_size);
        // libgomp's defaults, in place of Artel's own times.
        line("GOMP_SPINCOUNT", g.spin_count.value_or(g.wait_active    ? 30000000000
                                                     : g.wait_passive ? 0
                                                                      : 300000));
    }
    return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

}  // namespace

void display_environment(bool verbose) noexcept
{
    try {
        if (programs_dialect().of_libomp) {
            display_as_libomp(verbose);
            return;
        }
        base::write_raw(settings_text(verbose));
    } catch (...) {
        complain("Out of memory");
    }
}

}  // namespace artel::openmp
