// See variable_names.hpp.
#include "base/variable_names.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unistd.h>

namespace artel::base {

namespace {

// Variables that are no options: all whose names begin so, or a whole name.
// tools/lint/check_variables.py sees to it that the project has no others.
constexpr std::array<std::string_view, 6> elsewhere{
    "ARTEL_MPI",      // MPI's collectives as a whole,
    "ARTEL_MPI_",     // and their settings, which judge what begins so themselves
    "ARTEL_PYTHON_",  // the Python package
    "ARTEL_BENCH_",   // what `artel bench` tells its script
    "ARTEL_TEST_",    // the tests
    "ARTEL_ROOT",     // CMake's find_package: where the package is installed
};

// Number of letters to insert, delete or replace to get from a to b (Levenshtein).
std::size_t letters_apart(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> environment_names(std::string_view beginning)
{
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (std::strncmp(*entry, beginning.data(), beginning.size()) == 0)
            names.emplace_back(*entry, std::strcspn(*entry, "="));
    return names;
}

bool is_read_elsewhere(std::string_view name) noexcept
{
    return std::ranges::any_of(elsewhere, [&](std::string_view other) {
        return other.ends_with('_') ? name.starts_with(other) : name == other;
    });
}

std::string unknown_variable(std::string_view name, std::string_view beginning,
                             std::span<const std::string_view> known, std::string_view command)
{
    std::string_view nearest;
    std::size_t least = ~std::size_t{0};
    for (const auto candidate : known) {
        const auto distance = letters_apart(name, candidate);
        // Near: at most half of the letters differ; ARTEL_THREADS is near ARTEL_NUM_THREADS.
        const auto own = candidate.size() - std::min(beginning.size(), candidate.size());
        if (distance < least && 2 * distance <= own) {
            nearest = candidate;
            least = distance;
        }
    }
    std::string text(name);
    text += " is not an option and has no effect; ";
    if (!nearest.empty())
        text.append("did you mean ").append(nearest).append("? ");
    return text.append("`").append(command).append("` shows all that there are");
}

}  // namespace artel::base
