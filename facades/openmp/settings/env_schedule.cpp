// The texts that libgomp accepts go through parse_schedule; in programs of clang a size of pieces
// that it refuses is replaced here as libomp does it, and its warnings are written.
#include "env_schedule.hpp"

#include "env_text.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "variable.hpp"

#include <climits>
#include <cstdint>
#include <optional>
#include <string_view>

namespace artel::openmp {
namespace {

// libomp's way with the size of pieces, from the comma on, where a digit follows: one that it
// cannot use is replaced, with a warning. nullopt: there is none, or no number.
std::optional<int> libomp_chunk(std::string_view text, schedule_kind kind)
{
    const std::size_t comma = text.find(',');
    const std::size_t first = text.find_first_not_of(" \t", comma == text.npos ? comma : comma + 1);
    if (comma == text.npos || first == text.npos || text[first] < '0' || text[first] > '9') {
        return std::nullopt;
    }
    const std::string_view given = text.substr(comma);
    if (kind == schedule_kind::automatic) {
        warn_as_libomp(54, "OMP_SCHEDULE value \"{}\" is ignored.", given);
        return 1;
    }
    std::uint32_t n = 0;  // as there, large numbers lose their upper bits
    std::size_t i = first;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
        n = n * 10 + static_cast<std::uint32_t>(text[i] - '0');
    }
    constexpr int largest = INT_MAX - 1;
    const bool good = first == comma + 1 && text.find_first_not_of(" \t", i) == text.npos;
    const int chunk = good ? static_cast<int>(n) : 0;
    if (chunk >= 1 && chunk <= largest) {
        return chunk;
    }
    if (chunk < 1) {
        warn_as_libomp(52, "OMP_SCHEDULE value \"{}\" is invalid chunk size.", given);
        inform_as_libomp(104, "OMP_SCHEDULE value \"0\" will be used.");
        return 1;
    }
    warn_as_libomp(53, "OMP_SCHEDULE value \"{}\" is to large chunk size.", given);
    inform_as_libomp(104, "OMP_SCHEDULE value \"{}\" will be used.", largest);
    return largest;
}

}  // namespace

void read_schedule(icv_set& icvs)
{
    const bool libomp = programs_dialect().of_libomp;
    const variable v("OMP_SCHEDULE");
    if (!v) {
        if (libomp) {
            icvs.run_schedule = schedule_kind::static_;
            icvs.run_chunk = 0;
        }
        return;
    }
    auto parsed = parse_schedule(v.text());
    if (libomp && parsed.kind) {
        if (const auto chunk = libomp_chunk(v.text(), *parsed.kind)) {
            parsed.bad_chunk = false;
            parsed.chunk = static_cast<std::uint32_t>(*chunk);
        }
    }
    if (!parsed.kind || parsed.bad_chunk) {
        if (libomp) {
            if (v.text().empty()) {
                warn_as_libomp(48, "Empty string specified for OMP_SCHEDULE; ignored.");
            } else {
                v.invalid();
            }
            icvs.run_schedule = schedule_kind::static_;
            icvs.run_chunk = 0;
        } else if (!parsed.kind) {
            complain("Unknown value for environment variable OMP_SCHEDULE");
        } else {
            complain("Invalid value for chunk size in environment variable OMP_SCHEDULE");
        }
        return;
    }
    icvs.run_schedule = *parsed.kind;
    icvs.run_chunk = static_cast<int>(parsed.chunk);
    const bool is_static = *parsed.kind == schedule_kind::static_;
    // Without a modifier static is monotonic and the others are not (OpenMP 5.1, 2.11.4); libomp
    // reports the modifier only where one was given.
    icvs.run_monotonic = parsed.modifier == schedule_modifier::monotonic ||
                         (parsed.modifier == schedule_modifier::none && is_static && !libomp);
    if (icvs.run_chunk == 0 && !is_static && *parsed.kind != schedule_kind::shared) {
        icvs.run_chunk = 1;
    }
}

}  // namespace artel::openmp
