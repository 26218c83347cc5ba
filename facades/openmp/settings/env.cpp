// Reads the OMP_ and GOMP_ variables once and makes the initial ICVs from them. Bad values get
// libgomp's warning and the default, or libomp's (variable.hpp). The KMP_ variables are read first:
// settings/kmp/settings.hpp.
#include "allocators.hpp"
#include "env_places.hpp"
#include "env_schedule.hpp"
#include "env_text.hpp"
#include "icv.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "place_position.hpp"
#include "settings/kmp/hw_subset.hpp"
#include "task_throttle.hpp"
#include "team_sizes.hpp"
#include "topology/topology.hpp"
#include "variable.hpp"

#include "base/options.hpp"
#include "base/publish.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <exception>
#include <memory>
#include <pthread.h>

namespace artel::openmp {

constinit std::atomic<std::size_t> most_queued{256};

namespace {

constexpr std::uint64_t most = INT_MAX;

// Applies `use` to the value, if there is one; returns whether there was.
template <typename Value, typename Use>
bool set(std::optional<Value> value, Use use)
{
    if (value) {
        use(*value);
    }
    return value.has_value();
}

// The same for values with a parser of their own.
template <typename Parse, typename Use>
bool read(const char* name, Parse parse, Use use)
{
    const variable v(name);
    if (!v) {
        return false;
    }
    if (auto value = parse(v.text())) {
        use(*value);
        return true;
    }
    v.invalid();
    return false;
}

void read_levels(global_icvs& g)
{
    std::optional<unsigned> levels;
    set(variable("OMP_MAX_ACTIVE_LEVELS").number(0, most, variable::nothing_else),
        [&](std::uint64_t n) {
            levels = static_cast<unsigned>(std::min<std::uint64_t>(n, supported_active_levels));
        });
    // Nested regions are on unless turned off: light threads make them cheap.
    const variable nested("OMP_NESTED");
    if (nested && programs_dialect().of_libomp) {
        inform_as_libomp(
            268, "OMP_NESTED variable deprecated, please use OMP_MAX_ACTIVE_LEVELS instead.");
    }
    set(nested.boolean(),
        [&](bool on) { levels = levels.value_or(on ? supported_active_levels : 1); });
    g.initial.max_active_levels = levels.value_or(supported_active_levels);
    if (g.kmp.library == 1) {
        g.initial.max_active_levels = 0;
    }
}

void read_allocator(icv_set& icvs)
{
    // Only the names: like libgomp 12, no numbers and no traits.
    set(variable("OMP_ALLOCATOR").word(allocator_names + 1, std::size(allocator_names) - 1),
        [&](unsigned word) { icvs.allocator = word + 1; });
}

// A list of team sizes. libomp takes 1 for 0.
std::optional<std::vector<unsigned>> read_sizes()
{
    const variable v("OMP_NUM_THREADS");
    if (!v) {
        return std::nullopt;
    }
    if (!programs_dialect().of_libomp) {
        auto sizes = parse_counts(v.text());
        if (!sizes) {
            v.invalid();
        }
        return sizes;
    }
    auto sizes = parse_counts(v.text(), 0);
    if (!sizes) {
        warn_as_libomp(234, "{}: Invalid symbols found. Check the value \"{}\".", v.name(),
                       v.text());
        return std::nullopt;
    }
    for (unsigned& n : *sizes) {
        if (n == 0) {
            warn_as_libomp(80, "{}=\"{}\": value too small.", v.name(), v.text());
            inform_as_libomp(104, "{} value \"1\" will be used.", v.name());
            n = 1;
        }
    }
    return sizes;
}

void read_waiting(global_icvs& g)
{
    static constexpr const char* words[] = {"active", "passive"};
    set(variable("OMP_WAIT_POLICY").word(words, 2),
        [&](unsigned word) { (word == 0 ? g.wait_active : g.wait_passive) = true; });
    read("GOMP_SPINCOUNT", parse_spin_count, [&](std::uint64_t count) {
        constexpr std::uint64_t counts_per_microsecond = 100;  // a look at a word, and a pause
        g.spin_count = count;
        g.spin_limit = count == UINT64_MAX ? UINT64_MAX : count / counts_per_microsecond;
    });
    if (g.kmp.blocktime) {
        g.spin_limit = g.kmp.blocktime;
    } else if (g.kmp.library == 3) {
        g.wait_active = true;
    }
}

std::size_t default_stack_size() noexcept
{
    pthread_attr_t attributes;
    std::size_t bytes = 0;
    if (::pthread_getattr_default_np(&attributes) == 0) {
        ::pthread_attr_getstacksize(&attributes, &bytes);
        ::pthread_attr_destroy(&attributes);
    }
    return bytes;
}

void read_stack_size(global_icvs& g)
{
    const variable standard("OMP_STACKSIZE");
    if (g.kmp.stack_size) {
        if (standard && programs_dialect().of_libomp) {
            warn_as_libomp(182, "OMP_STACKSIZE: ignored because KMP_STACKSIZE has been defined");
        }
        g.stack_size = *g.kmp.stack_size;
        return;
    }
    const auto use = [&](std::size_t bytes) { g.stack_size = bytes; };
    if (!set(standard.bytes(g.default_stack), use)) {
        set(variable("GOMP_STACKSIZE").bytes(g.default_stack), use);
    }
}

void read_limits(global_icvs& g)
{
    set(variable("OMP_THREAD_LIMIT").number(1, UINT32_MAX, most), [&](std::uint64_t n) {
        g.initial.thread_limit = n > most ? no_thread_limit : static_cast<unsigned>(n);
    });
    if (g.kmp.thread_limit != 0) {
        g.initial.thread_limit = std::min(g.initial.thread_limit, g.kmp.thread_limit);
    }
    set(read_sizes(), [&](std::vector<unsigned>& list) { g.nthreads_list = std::move(list); });
    set(variable("OMP_NUM_TEAMS").number(1, most, 1),
        [&](std::uint64_t n) { g.num_teams = static_cast<unsigned>(n); });
    set(variable("OMP_TEAMS_THREAD_LIMIT").number(1, most, 1),
        [&](std::uint64_t n) { g.teams_thread_limit = static_cast<unsigned>(n); });
}

void read_offload(global_icvs& g)
{
    const variable v("OMP_TARGET_OFFLOAD");
    if (!v) {
        return;
    }
    if (const auto policy = parse_offload(v.text())) {
        g.offload = *policy;
    } else if (programs_dialect().of_libomp) {
        warn_as_libomp(250, "OMP_TARGET_OFFLOAD: syntax error, using DEFAULT.");
    } else {
        v.invalid();
    }
}

void read_variables(global_icvs& g)
{
    read_schedule(g.initial);
    set(variable("OMP_DYNAMIC").boolean(), [&](bool on) { g.initial.dynamic = on; });
    set(variable("OMP_CANCELLATION").boolean(), [&](bool on) { g.cancellation = on; });
    set(variable("OMP_DISPLAY_AFFINITY").boolean(), [&](bool on) { g.display_affinity = on; });
    set(variable("OMP_DEFAULT_DEVICE").number(0, most, 0),
        [&](std::uint64_t n) { g.initial.default_device = static_cast<int>(n); });
    read_offload(g);
    set(variable("OMP_MAX_TASK_PRIORITY").number(0, most, 0),
        [&](std::uint64_t n) { g.max_task_priority = static_cast<int>(n); });
    read_allocator(g.initial);
    read_limits(g);
    read_levels(g);
    read_places(g);
    read_waiting(g);
    read_stack_size(g);
    if (const variable format("OMP_AFFINITY_FORMAT"); format) {
        g.affinity_format = format.text();
    }
}

global_icvs read_environment()
{
    global_icvs g;
    g.default_stack = default_stack_size();
    g.kmp = read_kmp_settings(g.default_stack);
    const unsigned asked = base::options().num_threads;
    g.width = std::max(1u, asked != 0 ? asked : topology::this_machine().effective_cpus);
    g.num_procs = std::max(1u, static_cast<unsigned>(topology::inherited_affinity().size()));
    if (!hardware().text.empty()) {
        g.num_procs = static_cast<unsigned>(hardware().cpus.size());
        g.width = std::min(g.width, g.num_procs);
    }
    read_variables(g);
    if (!g.kmp.throttling) {
        most_queued.store(SIZE_MAX, std::memory_order_relaxed);  // relaxed: see there
    }
    g.minds_places = g.binds() || g.display_affinity || g.kmp.affinity.verbose;
    g.initial.nthreads = g.nthreads_list.empty() ? g.width : g.nthreads_list.front();
    g.initial.nthreads_by_default = g.nthreads_list.empty();
    if (g.nthreads_list.size() > 1) {
        g.initial.sizes = remember_sizes({.sizes = g.nthreads_list, .base = 0});
    }
    return g;
}

}  // namespace

const global_icvs& globals() noexcept
{
    static constinit std::atomic<const global_icvs*> the{nullptr};
    try {
        return base::publish_once(
            the, [] { return std::make_unique<const global_icvs>(read_environment()); });
    } catch (const std::exception&) {
        give_up("Out of memory while trying to parse environment variables");
    }
}

}  // namespace artel::openmp
