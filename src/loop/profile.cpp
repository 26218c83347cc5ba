// Reads and parses the file once, and derives what was not measured; the answer for a width is kept
// in one word, as loops ask for it each time.
#include "loop/profile.hpp"

#include "base/cpu.hpp"
#include "base/log.hpp"
#include "base/os/keep_errno.hpp"
#include "base/publish.hpp"
#include "sched/crew.hpp"
#include "sched/placement.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/auxv.h>
#include <unistd.h>

namespace artel::loop {
namespace {

// The default without measurements: one step, in 99 of 100 loops: a post to a worker that spins,
// its first look at its mail, and the caller's way there; two virtual CPUs of an AMD EPYC took 2.3
// us. Where workers share CPUs there is no good value: long enough for those that run now.
constexpr double usual_step_ns = 2000;
constexpr double shared_cpus_ns = 20000;
// The upper bound, whatever was measured while the machine did something else.
constexpr double longest_timespan_ns = 1e8;

std::string processor_model()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name")) {
            if (const auto colon = line.find(": "); colon != line.npos) {
                return line.substr(colon + 2);
            }
        }
    }
    return "unknown processor";
}

std::uint64_t fnv(std::string_view text) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return hash;
}

profile read_profile()
{
    profile result;
    const std::string path = profile_path();
    std::error_code error;
    if (const auto type = std::filesystem::status(path, error).type();
        type == std::filesystem::file_type::regular) {
        std::ifstream file(path);
        result = parse_profile(std::string(std::istreambuf_iterator<char>(file), {}),
                               machine_key());
    } else if (type != std::filesystem::file_type::not_found &&
               type != std::filesystem::file_type::none) {
        result.problem = "it is not a regular file";  // reading a pipe would wait for its writer
    }
    result.path = path;
    return result;
}

}  // namespace

std::string machine_key()
{
    const auto& m = topology::this_machine();
    return fmt::format("{}, {} CPUs, {} NUMA nodes", processor_model(), m.online_cpus,
                       m.nodes.size());
}

std::string profile_path()
{
    if (::getauxval(AT_SECURE) != 0) {
        return {};
    }
    const auto absolute = [](const char* name) -> std::string {
        const char* const text = std::getenv(name);
        return text != nullptr && text[0] == '/' ? text : "";
    };
    std::string folder = absolute("XDG_CACHE_HOME");
    if (folder.empty()) {
        folder = absolute("HOME");
        if (folder.empty()) {
            return {};
        }
        folder += "/.cache";
    }
    return fmt::format("{}/artel/tune-{:016x}.json", folder, fnv(machine_key()));
}

profile parse_profile(std::string_view text, std::string_view key)
{
    profile result;
    const auto document = nlohmann::json::parse(text, nullptr, false);
    try {
        if (document.is_discarded()) {
            result.problem = "it is not JSON";
        } else if (document.at("format").get<int>() != profile_format) {
            result.problem = "it is of another version";
        } else if (document.at("machine").get<std::string>() != key) {
            result.problem = "it is of another machine";
        } else {
            for (const auto& each : document.at("widths")) {
                const width_profile w{each.at("threads").get<unsigned>(),
                                      each.at("fan_out").get<unsigned>(),
                                      each.at("timespan_ns").get<double>()};
                if (w.threads < 2 || w.threads > sched::max_workers || w.fan_out < 1 ||
                    w.fan_out > sched::max_workers || !(w.timespan_ns >= 0)) {
                    result.problem = "a number in it is out of range";
                    result.widths.clear();
                    return result;
                }
                result.widths.push_back(
                    {w.threads, w.fan_out, std::min(w.timespan_ns, longest_timespan_ns)});
            }
            std::sort(result.widths.begin(), result.widths.end(),
                      [](const width_profile& a, const width_profile& b) {
                          return a.threads < b.threads;
                      });
            if (result.widths.empty()) {
                result.problem = "it holds no measurement";
            }
        }
    } catch (const nlohmann::json::exception&) {
        result.problem = "something is missing in it";
        result.widths.clear();
    }
    return result;
}

const profile& machine_profile() noexcept
{
    static std::atomic<const profile*> published{nullptr};
    const base::os::keep_errno kept;
    try {
        return base::publish_once(published,
                                  [] { return std::make_unique<const profile>(read_profile()); });
    } catch (...) {
        // as in base::options().
        base::die("out of memory while reading the profile of loops");
    }
}

unsigned depth_of_tree(unsigned threads, unsigned fan_out) noexcept
{
    // The caller keeps a share and hands the rest to up to `fan_out` others, in equal parts; the
    // first part is the longest.
    unsigned depth = 0;
    for (unsigned left = threads; left > 1; ++depth) {
        left = (left - 1 + fan_out - 1) / fan_out;
    }
    return depth;
}

width_profile derive(const profile& from, unsigned threads, unsigned cpus) noexcept
{
    const width_profile* nearest = nullptr;
    for (const width_profile& w : from.widths) {
        // Widths that fit the CPUs say nothing about larger ones, nor the other way round.
        const bool comparable = (w.threads > cpus) == (threads > cpus);
        if (comparable && (nearest == nullptr || w.threads <= threads)) {
            nearest = &w;
        }
    }
    if (nearest == nullptr) {
        const double steps = depth_of_tree(threads, 2);
        return {threads, 2, threads > cpus ? shared_cpus_ns : steps * usual_step_ns};
    }
    const double steps = std::max(1u, depth_of_tree(threads, nearest->fan_out));
    const double measured = std::max(1u, depth_of_tree(nearest->threads, nearest->fan_out));
    return {threads, nearest->fan_out,
            std::min(nearest->timespan_ns * steps / measured, longest_timespan_ns)};
}

distribution distribution_for(unsigned threads) noexcept
{
    // By width, packed: a fan-out (never 0) above 48 bits of cycles; 0 before the first call.
    static std::array<std::atomic<std::uint64_t>, sched::max_workers + 1> known{};
    std::atomic<std::uint64_t>& entry = known[std::min(threads, sched::max_workers)];
    constexpr unsigned shift = 48;
    // relaxed: the word is self-contained.
    std::uint64_t word = entry.load(std::memory_order_relaxed);
    if (word == 0) {
        const width_profile w = derive(machine_profile(), threads, sched::usable_cpus());
        const auto cycles = static_cast<std::uint64_t>(
            w.timespan_ns * static_cast<double>(base::cycles_per_microsecond()) / 1000);
        word = std::uint64_t{w.fan_out} << shift |
               std::min(cycles, (std::uint64_t{1} << shift) - 1);
        // relaxed: every thread computes the same.
        entry.store(word, std::memory_order_relaxed);
    }
    return {static_cast<unsigned>(word >> shift), word & ((std::uint64_t{1} << shift) - 1)};
}

}  // namespace artel::loop
