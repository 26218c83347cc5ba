// Goes by the keys of the JSON document that becomes the profile's file.
#include "artel/tune_print.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

std::string time_in_words(double ns)
{
    return ns < 1e4   ? fmt::format("{:.0f} ns", ns)
           : ns < 1e7 ? fmt::format("{:.1f} us", ns / 1e3)
                      : fmt::format("{:.1f} ms", ns / 1e6);
}

void print_width(const json& w)
{
    const double timespan = w.at("timespan_ns");
    fmt::print(
        "{} workers: all have begun after {} in 99 of 100 loops (median {}, {} runs), each "
        "reaching {}\n",
        w.at("threads").get<unsigned>(), time_in_words(timespan), time_in_words(w.at("median_ns")),
        w.at("runs").get<std::size_t>(),
        w.at("fan_out").get<unsigned>() == 1
            ? "one other"
            : fmt::format("{} others", w.at("fan_out").get<unsigned>()));
    for (const auto& k : w.at("fan_outs")) {
        fmt::print("  fan-out {:<4} median {:>9}, 99th percentile {:>9}\n",
                   k.at("fan_out").get<unsigned>(), time_in_words(k.at("median_ns")),
                   time_in_words(k.at("p99_ns")));
    }
    std::size_t most = 1;
    for (const auto& bin : w.at("histogram")) {
        most = std::max(most, bin.at("runs").get<std::size_t>());
    }
    for (const auto& bin : w.at("histogram")) {
        const auto runs = bin.at("runs").get<std::size_t>();
        const bool here = timespan >= bin.at("from_ns").get<double>() &&
                          (timespan < bin.at("to_ns").get<double>() ||
                           &bin == &w.at("histogram").back());
        fmt::print("  {:>9} |{:<50} {}{}\n", time_in_words(bin.at("from_ns")),
                   std::string((runs * 50 + most - 1) / most, '#'), runs,
                   here ? "  <- 99th percentile" : "");
    }
}

}  // namespace

void print_profile(const json& profile, const json& measured)
{
    fmt::print("{}\n", profile.at("machine").get<std::string>());
    for (const auto& l : profile.at("levels")) {
        fmt::print("CPUs {} and {}, same {}: notification {:.0f} ns, copy {:.0f} ns per KiB\n",
                   l.at("cpus")[0].get<unsigned>(), l.at("cpus")[1].get<unsigned>(),
                   l.at("share").get<std::string>(), l.at("notification_ns").get<double>(),
                   l.at("copy_ns_per_kib").get<double>());
    }
    fmt::print("two threads on one CPU: {:.0f} ns until it is the other one's turn\n",
               profile.at("yield_ns").get<double>());
    for (const auto& width : measured) {
        print_width(width);
    }
}

}  // namespace artel::tool
