// Reads the OMP_ and GOMP_ variables once and makes the initial ICVs from them. Bad values give libgomp's warning and the default.
#include "binding.hpp"
#include "env_text.hpp"
#include "icv.hpp"
#include "messages.hpp"
#include "places.hpp"
#include "topology/topology.hpp"

#include "base/options.hpp"
#include "base/publish.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <link.h>
#include <memory>
#include <unistd.h>

namespace artel::openmp {

namespace {

// The variable's text; nullptr when unset.
const char* text_of(const char* name) noexcept
{
    return std::getenv(name);
}

// Applies `parse` to the variable if it is set, and `use` to what comes out. Returns whether it was set to something allowed.
template <typename Parse, typename Use>
bool read(const char* name, Parse parse, Use use)
{
    const char* text = text_of(name);
    if (text == nullptr) {
        return false;
    }
    if (auto value = parse(text)) {
        use(*value);
        return true;
    }
    complain("Invalid value for environment variable {}", name);
    return false;
}

auto at_least(std::uint64_t least)
{
    return [least](std::string_view text) { return parse_count(text, least); };
}

int clamp_to_int(std::uint64_t value)
{
    return static_cast<int>(std::min<std::uint64_t>(value, 0x7fffffff));
}

void read_schedule(icv_set& icvs)
{
    const char* text = text_of("OMP_SCHEDULE");
    if (text == nullptr) {
        return;
    }
    text_reader reader(text);
    bool monotonic = false;
    bool modified = false;
    if (reader.take_word("nonmonotonic")) {
        modified = true;
    } else if (reader.take_word("monotonic")) {
        modified = monotonic = true;
    }
    static constexpr struct {
        const char* word;
        schedule_kind kind;
    } kinds[] = {{"static", schedule_kind::static_},
                 {"dynamic", schedule_kind::dynamic},
                 {"guided", schedule_kind::guided},
                 {"auto", schedule_kind::automatic}};
    const auto* kind = std::end(kinds);
    if (!modified || reader.take(':')) {
        kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return reader.take_word(k.word); });
    }
    if (kind == std::end(kinds)) {
        complain("Unknown value for environment variable OMP_SCHEDULE");
        return;
    }
    std::uint64_t chunk = 0;
    if (!reader.at_end() && (!reader.take(',') || !reader.take_number(chunk) || chunk > 0x7fffffff || !reader.at_end())) {
        complain("Invalid value for chunk size in environment variable OMP_SCHEDULE");
        return;
    }
    icvs.run_schedule = kind->kind;
    // Without a modifier static is monotonic and the others are not (OpenMP 5.1, 2.11.4).
    icvs.run_monotonic = monotonic || (!modified && kind->kind == schedule_kind::static_);
    icvs.run_chunk = chunk == 0 && kind->kind != schedule_kind::static_ ? 1 : static_cast<int>(chunk);
}

void read_levels(global_icvs& g)
{
    std::optional<unsigned> levels;
    read("OMP_MAX_ACTIVE_LEVELS", at_least(0),
         [&](std::uint64_t n) { levels = static_cast<unsigned>(std::min<std::uint64_t>(n, supported_active_levels)); });
    // Nested regions are on unless somebody turns them off: light threads make them cheap.
    read("OMP_NESTED", parse_switch, [&](bool on) { levels = levels.value_or(on ? supported_active_levels : 1); });
    g.initial.max_active_levels = levels.value_or(supported_active_levels);
}

void read_allocator(icv_set& icvs)
{
    static constexpr const char* words[] = {"omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
                                            "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",   "omp_cgroup_mem_alloc",
                                            "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};
    // Only the names: like libgomp 12, no numbers and no traits.
    read(
        "OMP_ALLOCATOR", [](std::string_view text) { return parse_word(text, words, std::size(words)); },
        [&](unsigned word) { icvs.allocator = word + 1; });
}

void read_places(global_icvs& g)
{
    read("OMP_PROC_BIND", parse_proc_bind, [&](std::vector<int>& list) { g.proc_bind = std::move(list); });
    const auto use = [&](place_list& places) { g.places = std::move(places); };
    bool given = read("OMP_PLACES", parse_places, use);
    if (const char* text = text_of("GOMP_CPU_AFFINITY"); text != nullptr) {
        if (auto places = parse_cpu_affinity(text); !places) {
            complain("Invalid value for enviroment variable GOMP_CPU_AFFINITY");  // libgomp's spelling
        } else if (!given) {
            use(*places);
            given = true;
        }
    }
    if (!given && !g.proc_bind.empty() && g.proc_bind.front() != 0) {
        g.places = places_of_threads();
    }
    if (given && g.proc_bind.empty()) {
        g.proc_bind = {1};
    }
    if (g.proc_bind.empty() || g.proc_bind.front() == 0) {
        g.places.clear();
    } else {
        g.initial.bind = static_cast<std::uint8_t>(g.proc_bind.front());
    }
}

void read_variables(global_icvs& g)
{
    read_schedule(g.initial);
    read("OMP_DYNAMIC", parse_switch, [&](bool on) { g.initial.dynamic = on; });
    read("OMP_CANCELLATION", parse_switch, [&](bool on) { g.cancellation = on; });
    read("OMP_DISPLAY_AFFINITY", parse_switch, [&](bool on) { g.display_affinity = on; });
    read("OMP_DEFAULT_DEVICE", at_least(0), [&](std::uint64_t n) { g.initial.default_device = clamp_to_int(n); });
    static constexpr const char* offload[] = {"default", "mandatory", "disabled"};
    read(
        "OMP_TARGET_OFFLOAD", [](std::string_view text) { return parse_word(text, offload, 3); },
        [&](unsigned word) {
            static constexpr const char* shown[] = {"DEFAULT", "MANDATORY", "DISABLED"};
            g.offload_mandatory = word == 1;
            g.offload = shown[word];
        });
    read("OMP_MAX_TASK_PRIORITY", at_least(0), [&](std::uint64_t n) { g.max_task_priority = clamp_to_int(n); });
    read_allocator(g.initial);
    read("OMP_THREAD_LIMIT", at_least(1),
         [&](std::uint64_t n) { g.initial.thread_limit = n > 0x7fffffff ? no_thread_limit : static_cast<unsigned>(n); });
    read("OMP_NUM_THREADS", parse_counts, [&](std::vector<unsigned>& list) { g.nthreads_list = std::move(list); });
    read("OMP_NUM_TEAMS", at_least(1), [&](std::uint64_t n) { g.num_teams = static_cast<unsigned>(clamp_to_int(n)); });
    read("OMP_TEAMS_THREAD_LIMIT", at_least(1),
         [&](std::uint64_t n) { g.teams_thread_limit = static_cast<unsigned>(clamp_to_int(n)); });
    read_levels(g);
    read_places(g);
    static constexpr const char* wait_words[] = {"active", "passive"};
    read(
        "OMP_WAIT_POLICY", [](std::string_view text) { return parse_word(text, wait_words, 2); },
        [&](unsigned word) { (word == 0 ? g.wait_active : g.wait_passive) = true; });
    const auto parse_spin = [](std::string_view text) -> std::optional<bool> {
        static constexpr const char* words[] = {"infinite", "infinity"};
        text_reader reader(text);
        std::uint64_t count = 0;
        const bool number = reader.take_number(count) && (reader.take('k') || reader.take('m') || reader.take('g') || true);
        return (number && reader.at_end()) || parse_word(text, words, 2) ? std::optional(true) : std::nullopt;
    };
    read("GOMP_SPINCOUNT", parse_spin, [](bool) {});  // waiting is the crew's business: ARTEL_WAIT, ARTEL_SPIN
    const auto use_stack = [&](std::size_t bytes) { g.stack_size = bytes; };
    if (!read("OMP_STACKSIZE", parse_stack_size, use_stack)) {
        read("GOMP_STACKSIZE", parse_stack_size, use_stack);
    }
    if (const char* format = text_of("OMP_AFFINITY_FORMAT")) {
        g.affinity_format = format;
    }
}

global_icvs read_environment()
{
    global_icvs g;
    const unsigned asked = base::options().num_threads;
    g.width = std::max(1u, asked != 0 ? asked : topology::this_machine().effective_cpus);
    g.num_procs = std::max(1u, static_cast<unsigned>(topology::inherited_affinity().size()));
    read_variables(g);
    g.initial.nthreads = g.nthreads_list.empty() ? g.width : g.nthreads_list.front();
    g.initial.nthreads_by_default = g.nthreads_list.empty();
    return g;
}

void display_as_asked()
{
    const char* text = text_of("OMP_DISPLAY_ENV");
    if (text == nullptr) {
        return;
    }
    static constexpr const char* words[] = {"false", "true", "verbose"};
    const auto word = parse_word(text, words, 3);
    if (!word) {
        complain("Invalid value for environment variable OMP_DISPLAY_ENV");
    } else if (*word > 0) {
        display_environment(*word == 2);
    }
}

// Does the object ask for a library of gcc's OpenMP runtime, under its own name or that of a copy in a wheel?
int asks_for_libgomp(dl_phdr_info* object, std::size_t, void*) noexcept
{
    for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) {
            continue;
        }
        const auto* const entries = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        ElfW(Addr) strings = 0;
        for (const auto* e = entries; e->d_tag != DT_NULL; ++e) {
            strings = e->d_tag == DT_STRTAB ? e->d_un.d_ptr : strings;
        }
        if (strings < object->dlpi_addr) {
            strings += object->dlpi_addr;  // the kernel's object, which nobody relocates
        }
        for (const auto* e = entries; e->d_tag != DT_NULL; ++e) {
            if (e->d_tag == DT_NEEDED && std::strncmp(reinterpret_cast<const char*>(strings + e->d_un.d_val), "libgomp", 7) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

// Warnings and OMP_DISPLAY_ENV belong to the start of the program, as with libgomp. But where we are preloaded, the shells and tools that a program
// starts have us, too: they must not say anything, and not pay the millisecond that reading the topology costs. A library that is opened
// later (a Python module) does it at its first use.
struct at_load {
    at_load() noexcept
    {
        if (::dl_iterate_phdr(asks_for_libgomp, nullptr) == 0) {
            return;
        }
        for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
            if (std::strncmp(*variable, "OMP_", 4) == 0 || std::strncmp(*variable, "GOMP_", 5) == 0) {
                display_environment_if_asked();
                return;
            }
        }
    }
};
const at_load reader_at_load;

}  // namespace

void display_environment_if_asked() noexcept
{
    globals();  // the warnings first
    static std::atomic<bool> done{false};
    if (done.exchange(true, std::memory_order_relaxed)) {  // relaxed: who of several comes first does not matter
        return;
    }
    bind_as_asked();
    try {
        display_as_asked();
    } catch (const std::exception&) {
        complain("Out of memory while trying to parse environment variables");
    }
}

const global_icvs& globals() noexcept
{
    static constinit std::atomic<const global_icvs*> the{nullptr};
    try {
        return base::publish_once(the, [] { return std::make_unique<const global_icvs>(read_environment()); });
    } catch (const std::exception&) {
        give_up("Out of memory while trying to parse environment variables");
    }
}

icv_set icvs_of_region(const icv_set& encountering, unsigned level, unsigned team_size, int bind_policy) noexcept
{
    icv_set icvs = encountering;
    const auto& policies = globals().proc_bind;
    icvs.bind = static_cast<std::uint8_t>(policies.size() > 1 && level < policies.size() ? policies[level] : bind_policy);
    const auto& list = globals().nthreads_list;
    if (level < list.size() && list.size() > 1) {
        icvs.nthreads = list[level];
        icvs.nthreads_by_default = false;
    } else if (icvs.nthreads_by_default) {
        icvs.nthreads = std::max(1u, encountering.nthreads / std::max(1u, team_size));
    }
    return icvs;
}

}  // namespace artel::openmp
