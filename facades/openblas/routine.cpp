// A name is taken apart into the letters of its types and the operation; amount_of says which
// arguments are the sizes of a call and below what product it is small.
#include "routine.hpp"

#include "routine_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace artel::openblas {
namespace {

bool among(std::string_view name, std::span<const std::string_view> words) noexcept
{
    return std::ranges::find(words, name) != words.end();
}

// The names, apart.
class name_list {
public:
    constexpr explicit name_list(std::string_view text) noexcept
    {
        while (!text.empty() && count_ < all_.size()) {
            const std::size_t end = text.find(' ');
            all_[count_++] = text.substr(0, end);
            text.remove_prefix(std::min(end, text.size() - 1) + 1);
        }
    }
    bool has(std::string_view name) const noexcept
    {
        return std::ranges::binary_search(all_.begin(),
                                          all_.begin() + static_cast<std::ptrdiff_t>(count_), name);
    }

private:
    std::array<std::string_view, 700> all_;
    std::size_t count_ = 0;
};

// Names in which the type is not one letter.
constexpr std::array<std::string_view, 36> two_types = {
    "dsdot",  "sdsdot", "csscal", "zdscal", "csrot",  "zdrot",  "scnrm2", "dznrm2", "scasum",
    "dzasum", "scsum",  "dzsum",  "scamax", "dzamax", "scamin", "dzamin", "scsum1", "dzsum1",
    "dsgesv", "zcgesv", "dsposv", "zcposv", "slag2d", "dlag2s", "clag2z", "zlag2c", "dlat2s",
    "zlat2c", "csrscl", "zdrscl", "sbgemm", "sbgemv", "sbdot",  "shgemm", "bgemm",  "bgemv"};

constexpr std::array<std::string_view, 5> positions = {"amax", "amin", "max", "min", "max1"};

// Vector routines (level 1), whose first argument is the length. Not those that return a complex
// number, for which Fortran compilers have different conventions.
constexpr std::array<std::string_view, 16> vectors = {
    "axpy", "axpby", "axpyc", "scal", "copy", "swap", "dot",      "dsdot",
    "nrm2", "asum",  "sum",   "rot",  "rotm", "amax", "dotu_sub", "dotc_sub"};

constexpr bool is_type(char c) noexcept
{
    return c == 's' || c == 'd' || c == 'c' || c == 'z';
}

// gemm of dgemm, nrm2 of dznrm2; empty if the name is not of this form.
std::string_view without_types(std::string_view name) noexcept
{
    static constexpr name_list known(routine_names);
    if (name.size() > 2 && is_type(name[0]) && known.has(name.substr(1))) {
        return name.substr(1);
    }
    if (among(name, two_types)) {
        return name.substr(is_type(name[1]) ? 2 : 1);
    }
    if (name.size() > 2 && name[0] == 'i' && is_type(name[1]) && among(name.substr(2), positions)) {
        return "amax";
    }
    return {};
}

// OpenBLAS's own limits are 10000, 4096 and 262144 or more, in versions 0.3.21 to 0.3.30.
amount amount_of(std::string_view what, bool is_c, bool wide) noexcept
{
    // The dimensions come after the arguments for transposition and, in C, the layout.
    const auto at = [&](unsigned fortran) { return static_cast<std::uint8_t>(fortran + is_c); };
    if (among(what, vectors)) {
        return {0, 1, !is_c, wide, 4096};
    }
    if (what == "gemv") {
        return {at(1), 2, !is_c, wide, 4096};
    }
    if (what == "ger" || what == "geru" || what == "gerc") {
        return {at(0), 2, !is_c, wide, 4096};
    }
    if (what == "gemm" || what == "gemm3m") {
        return {at(2), 3, !is_c, wide, 65536};
    }
    return {};
}

}  // namespace

std::optional<amount> routine(std::string_view plain, bool wide) noexcept
{
    constexpr std::string_view c_blas = "cblas_", c_lapack = "LAPACKE_", work = "_work";
    if (plain.starts_with(c_lapack)) {
        plain.remove_prefix(c_lapack.size());
        if (plain.ends_with(work)) {
            plain.remove_suffix(work.size());
        }
        return without_types(plain).empty() ? std::nullopt : std::optional<amount>(amount{});
    }
    const bool is_c = plain.starts_with(c_blas);
    if (is_c) {
        plain.remove_prefix(c_blas.size());
    } else if (plain.ends_with('_')) {
        plain.remove_suffix(1);
    } else {
        return std::nullopt;
    }
    const std::string_view what = without_types(plain);
    return what.empty() ? std::nullopt : std::optional(amount_of(what, is_c, wide));
}

}  // namespace artel::openblas
