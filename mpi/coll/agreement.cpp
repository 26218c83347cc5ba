// The settings of all ranks are compared as text, row by row of the table; the first difference
// gets a line, once per process.
#include "coll/agreement.hpp"

#include "coll/setup.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string_view>
#include <vector>

namespace artel::coll {
namespace {

// Settings that difference() leaves out: VERBOSE may differ between ranks, ARTEL_MPI=off of any
// rank switches off all of them, and SETUP_AFTER was agreed on before.
bool is_told_otherwise(const setting_row& row)
{
    const std::string_view name = row.variable;
    return name == "ARTEL_MPI_VERBOSE" || name == "ARTEL_MPI" || name == "ARTEL_MPI_SETUP_AFTER";
}

std::string told(const char* variable, const std::string& first, std::size_t rank,
                 const std::string& other)
{
    return std::string(variable) + " is " + first + " in rank 0 and " + other + " in rank " +
           std::to_string(rank) + ": that of rank 0 counts for all";
}

void say(std::atomic<bool>& said, const std::string& text)
{
    // relaxed: publishes nothing; a line that is printed twice would do no harm.
    if (!text.empty() && !said.exchange(true, std::memory_order_relaxed)) {
        std::fprintf(stderr, "artel: %s\n", text.c_str());
    }
}

}  // namespace

std::uint32_t agreed_setup_after(const bootstrap& b, const settings& own) noexcept
{
    std::vector<std::uint32_t> all(static_cast<std::size_t>(b.size));
    if (b.allgather(b.context, &own.setup_after, all.data(), sizeof own.setup_after) != 0) {
        return never;
    }
    const auto other = std::find_if(all.begin(), all.end(),
                                    [&](std::uint32_t n) { return n != all[0]; });
    if (b.rank == 0 && other != all.end()) {
        static std::atomic<bool> said{false};
        say(said, told("ARTEL_MPI_SETUP_AFTER", std::to_string(all[0]),
                       static_cast<std::size_t>(other - all.begin()), std::to_string(*other)));
    }
    return all[0];
}

std::string difference(std::span<const settings* const> all)
{
    for (const setting_row& row : setting_table()) {
        if (is_told_otherwise(row)) {
            continue;
        }
        const std::string first = row.print(*all[0]);
        for (std::size_t r = 1; r < all.size(); ++r) {
            if (std::string other = row.print(*all[r]); other != first) {
                return told(row.variable, first, r, other);
            }
        }
    }
    return {};
}

void tell_difference(std::span<const settings* const> all)
{
    static std::atomic<bool> said{false};
    say(said, difference(all));
}

}  // namespace artel::coll
