// kmp_set_defaults: settings in the form of the environment, "NAME=value|NAME=value", from the
// program. Before the runtime starts all of them take effect; afterwards only those that can change
// at run time.
#include "kmp.hpp"
#include "settings/settings.hpp"
#include "settings/variable.hpp"

#include <algorithm>
#include <climits>
#include <string_view>

namespace artel::openmp {

extern "C" {
void omp_set_num_threads(int);
void omp_set_dynamic(int);
void omp_set_nested(int);
void omp_set_max_active_levels(int);
void omp_set_num_teams(int);
void omp_set_teams_thread_limit(int);
void kmp_set_blocktime(int);
}

namespace kmp {
namespace {

// The settings that are numbers or switches, and their setters.
constexpr struct {
    const char* name;
    bool is_switch;
    void (*set)(int);
} setters[] = {{"OMP_NUM_THREADS", false, omp_set_num_threads},
               {"OMP_DYNAMIC", true, omp_set_dynamic},
               {"OMP_NESTED", true, omp_set_nested},
               {"OMP_MAX_ACTIVE_LEVELS", false, omp_set_max_active_levels},
               {"OMP_NUM_TEAMS", false, omp_set_num_teams},
               {"OMP_TEAMS_THREAD_LIMIT", false, omp_set_teams_thread_limit},
               {"KMP_BLOCKTIME", false, kmp_set_blocktime}};

void apply(const char* name)
{
    const variable v(name);
    if (!v) {
        return;
    }
    for (const auto& s : setters) {
        if (std::string_view(name) != s.name) {
            continue;
        }
        if (s.is_switch) {
            if (const auto on = v.boolean()) {
                s.set(*on);
            }
        } else if (const auto n = v.number(0, INT_MAX, 0)) {
            s.set(static_cast<int>(*n));
        }
    }
}

void apply_offload()
{
    if (const variable v("OMP_TARGET_OFFLOAD"); v) {
        // Unknown texts mean the default. relaxed: only a value.
        device_settings().offload.store(
            parse_offload(v.text()).value_or(offload_policy::by_default),
            std::memory_order_relaxed);
    }
}

void apply_schedule()
{
    const variable v("OMP_SCHEDULE");
    if (!v) {
        return;
    }
    const auto parsed = parse_schedule(v.text());
    if (!parsed.kind || parsed.bad_chunk) {
        v.invalid();
        return;
    }
    icv_set& icvs = this_member().current->icvs;
    icvs.run_schedule = *parsed.kind;
    icvs.run_chunk = static_cast<int>(parsed.chunk);
    icvs.run_monotonic = parsed.modifier == schedule_modifier::monotonic;
}

void set_defaults(std::string_view text)
{
    override_environment(text);
    this_member();  // starts the runtime if necessary
    const auto mentions = [&](std::string_view name) {
        const auto at = text.find(name);
        return at != std::string_view::npos && (at == 0 || text[at - 1] == '|') &&
               text.substr(at + name.size()).starts_with('=');
    };
    for (const auto& s : setters) {
        if (mentions(s.name)) {
            apply(s.name);
        }
    }
    if (mentions("OMP_TARGET_OFFLOAD")) {
        apply_offload();
    }
    if (mentions("OMP_SCHEDULE")) {
        apply_schedule();
    }
}

}  // namespace

ARTEL_KMP void kmp_set_defaults(const char* text)
{
    set_defaults(text);
}

ARTEL_KMP void kmp_set_defaults_(const char* text, int length)
{
    set_defaults(std::string_view(text, static_cast<std::size_t>(std::max(length, 0))));
}

}  // namespace kmp
}  // namespace artel::openmp
