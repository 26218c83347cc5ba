// Collapsed loop nests whose arithmetic the compiler leaves to the runtime: rectangular ones, whose
// iterations are numbered, and those with bounds that depend on an outer loop (v = v0 + v1 *
// outer), which are cut into a part for each member. No compiler is known to call these yet; layout
// and contract are those of LLVM's runtime (kmp_collapse.h), the computation is ours: results
// differ from LLVM's only in where one member's part ends.
//
// Values are kept in 64 bits and converted to their loop's type after each operation, as the loop
// itself would. With steps of the wrong sign, or 0, a nest has no iterations.
#include "base/log.hpp"
#include "kmp.hpp"
#include "split.hpp"

#include <array>
#include <cstdint>

namespace artel::openmp::kmp {

namespace {

enum class comparison : std::int32_t { less_or_equal, greater_or_equal, not_equal, less, greater };

enum class integer : std::int32_t { u8, i8, u16, i16, u32, i32, u64, i64 };

// One loop, as the compiler describes it.
struct loop {
    integer bound_type;     // of bounds and step
    integer variable_type;  // of the induction variable
    comparison until;
    std::int32_t outer;  // the loop that the bounds depend on
    std::uint64_t first, first_slope;
    std::uint64_t last, last_slope;
    std::int64_t step;
    std::uint64_t count;
};
static_assert(sizeof(loop) == 64);

// `value` converted to that type and extended to 64 bits.
std::uint64_t fit(integer type, std::uint64_t value) noexcept
{
    switch (type) {
    case integer::u8: return static_cast<std::uint8_t>(value);
    case integer::i8: return static_cast<std::uint64_t>(static_cast<std::int8_t>(value));
    case integer::u16: return static_cast<std::uint16_t>(value);
    case integer::i16: return static_cast<std::uint64_t>(static_cast<std::int16_t>(value));
    case integer::u32: return static_cast<std::uint32_t>(value);
    case integer::i32: return static_cast<std::uint64_t>(static_cast<std::int32_t>(value));
    case integer::u64:
    case integer::i64: break;
    }
    return value;
}

bool is_signed(integer type) noexcept
{
    return (static_cast<std::int32_t>(type) & 1) != 0;
}

bool less(integer type, std::uint64_t a, std::uint64_t b) noexcept
{
    return is_signed(type) ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
}

// Only the lower half of a field belongs to a bound of 32 bits.
std::uint64_t bound(const loop& l, std::uint64_t constant, std::uint64_t slope,
                    std::uint64_t outer) noexcept
{
    return fit(l.bound_type, constant + slope * outer);
}

// Whether bounds and step have 64 bits; the other half of narrower ones is left alone.
bool is_wide(const loop& l) noexcept
{
    return l.bound_type == integer::u64 || l.bound_type == integer::i64;
}

std::int64_t step_of(const loop& l) noexcept
{
    // signed, whatever the bounds are.
    return is_wide(l) ? l.step : static_cast<std::int32_t>(l.step);
}

// Makes the last bound inclusive: until <= or >=.
void make_inclusive(loop& l) noexcept
{
    if (l.until == comparison::not_equal) {
        l.until = step_of(l) > 0 ? comparison::less : comparison::greater;
    }
    if (l.until == comparison::less || l.until == comparison::greater) {
        const bool up = l.until == comparison::less;
        const std::uint64_t moved = l.last + (up ? ~std::uint64_t{0} : 1);
        l.last = is_wide(l) ? moved : (l.last & ~std::uint64_t{0xffffffff}) | (moved & 0xffffffff);
        l.until = up ? comparison::less_or_equal : comparison::greater_or_equal;
    }
}

// The number of iterations from `first` to `last`, both inclusive.
std::uint64_t count_between(const loop& l, std::uint64_t first, std::uint64_t last) noexcept
{
    const std::int64_t step = step_of(l);
    const bool up = l.until == comparison::less_or_equal;
    if (step == 0 || up != (step > 0) ||
        (up ? less(l.bound_type, last, first) : less(l.bound_type, first, last))) {
        return 0;
    }
    const std::uint64_t width = step > 0 ? static_cast<std::uint64_t>(step)
                                         : std::uint64_t{0} - static_cast<std::uint64_t>(step);
    return (up ? last - first : first - last) / width + 1;
}

std::uint64_t advance(const loop& l, std::uint64_t first, std::uint64_t iteration) noexcept
{
    return fit(l.variable_type,
               fit(l.bound_type, first + iteration * static_cast<std::uint64_t>(step_of(l))));
}

constexpr std::int32_t deepest = 64;

void check_depth(std::int32_t depth) noexcept
{
    if (depth < 1 || depth > deepest) {
        base::fatal("libgomp: a collapsed nest of {} loops", depth);
    }
}

// A nest with inclusive bounds: counts its iterations, and finds one by its number. Walks through
// the loops outside the innermost, in time proportional to their iterations.
class nest {
public:
    nest(const loop* loops, std::int32_t depth) noexcept : loops_(loops), depth_(depth) {}

    std::uint64_t count() noexcept { return count_from(0); }

    // The variables of iteration number `i`, which must exist.
    const std::uint64_t* at(std::uint64_t i) noexcept
    {
        find(0, i);
        return variables_.data();
    }

private:
    std::uint64_t first(std::int32_t level) const noexcept
    {
        const loop& l = loops_[level];
        return bound(l, l.first, l.first_slope, outer_of(l, level));
    }
    // An index that is not of an outer loop means none; the slopes are then 0.
    std::uint64_t outer_of(const loop& l, std::int32_t level) const noexcept
    {
        return l.outer >= 0 && l.outer < level ? variables_[static_cast<std::size_t>(l.outer)] : 0;
    }
    std::uint64_t count_here(std::int32_t level) const noexcept
    {
        const loop& l = loops_[level];
        return count_between(l, first(level), bound(l, l.last, l.last_slope, outer_of(l, level)));
    }

    // Whether any loop inside `level` depends on it, or on one between.
    bool inner_depend(std::int32_t level) const noexcept
    {
        for (std::int32_t i = level + 1; i < depth_; ++i) {
            const loop& l = loops_[i];
            if (l.outer >= level && l.outer < i &&
                (fit(l.bound_type, l.first_slope) != 0 || fit(l.bound_type, l.last_slope) != 0)) {
                return true;
            }
        }
        return false;
    }

    std::uint64_t count_from(std::int32_t level) noexcept
    {
        const std::uint64_t here = count_here(level);
        if (level + 1 == depth_ || here == 0) {
            return here;
        }
        const std::uint64_t begin = first(level);
        if (!inner_depend(level)) {
            variables_[static_cast<std::size_t>(level)] = fit(loops_[level].variable_type, begin);
            return here * count_from(level + 1);
        }
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < here; ++i) {
            variables_[static_cast<std::size_t>(level)] = advance(loops_[level], begin, i);
            sum += count_from(level + 1);
        }
        return sum;
    }

    void find(std::int32_t level, std::uint64_t wanted) noexcept
    {
        const std::uint64_t begin = first(level);
        std::uint64_t& variable = variables_[static_cast<std::size_t>(level)];
        if (level + 1 == depth_) {
            variable = advance(loops_[level], begin, wanted);
            return;
        }
        const bool alike = !inner_depend(level);
        for (std::uint64_t i = 0;; ++i) {
            variable = advance(loops_[level], begin, i);
            const std::uint64_t inside = count_from(level + 1);
            if (alike && inside != 0) {
                variable = advance(loops_[level], begin, wanted / inside);
                find(level + 1, wanted % inside);
                return;
            }
            if (wanted < inside) {
                variable = advance(loops_[level], begin, i);
                find(level + 1, wanted);
                return;
            }
            wanted -= inside;
        }
    }

    const loop* loops_;
    std::int32_t depth_;
    std::array<std::uint64_t, deepest> variables_{};
};

}  // namespace

// Makes bounds inclusive, fills in the counts, and returns the number of iterations of the
// rectangular nest. In such a nest the slopes of both bounds are equal.
ARTEL_KMP std::uint64_t __kmpc_process_loop_nest_rectang(const ident*, std::int32_t, loop* loops,
                                                         std::int32_t depth)
{
    check_depth(depth);
    std::uint64_t all = 1;
    for (std::int32_t i = 0; i < depth; ++i) {
        loop& l = loops[i];
        make_inclusive(l);
        l.count = count_between(l, fit(l.bound_type, l.first), fit(l.bound_type, l.last));
        all *= l.count;
    }
    return all;
}

// The variables of iteration number `iteration` of such a nest, the innermost loop running fastest.
ARTEL_KMP void __kmpc_calc_original_ivs_rectang(const ident*, std::uint64_t iteration,
                                                const loop* loops, std::uint64_t* variables,
                                                std::int32_t depth)
{
    check_depth(depth);
    std::array<std::uint64_t, deepest> iterations;
    for (std::int32_t i = depth; i-- > 0;) {
        const std::uint64_t count = loops[i].count != 0 ? loops[i].count : 1;
        iterations[static_cast<std::size_t>(i)] = iteration % count;
        iteration /= count;
    }
    for (std::int32_t i = 0; i < depth; ++i) {
        const loop& l = loops[i];
        const std::uint64_t outer = l.outer >= 0 && l.outer < i ? variables[l.outer] : 0;
        variables[i] = advance(l, bound(l, l.first, l.first_slope, outer),
                               iterations[static_cast<std::size_t>(i)]);
    }
}

// The calling member's part of a nest of any shape, without chunks: its first and last iteration
// are the first and last bounds of `part`, whose loops do not depend on each other. 0: it has none.
// `is_last`: whether it has the last iteration of all.
ARTEL_KMP std::int32_t __kmpc_for_collapsed_init(const ident*, std::int32_t, loop* loops,
                                                 loop* part, std::int32_t depth,
                                                 std::int32_t* is_last)
{
    check_depth(depth);
    for (std::int32_t i = 0; i < depth; ++i) {
        make_inclusive(loops[i]);
    }
    nest all(loops, depth);
    const std::uint64_t count = all.count();
    const member& m = this_member();
    const share own = even_share(count, m.number, m.in->size);
    const std::uint64_t end = own.first + own.size;
    if (is_last != nullptr) {
        *is_last = end == count && own.size != 0 ? 1 : 0;
    }
    if (own.size == 0) {
        return 0;
    }
    const auto fill = [&](std::uint64_t iteration, std::uint64_t loop::* to) {
        const std::uint64_t* const variables = all.at(iteration);
        for (std::int32_t i = 0; i < depth; ++i) {
            part[i].*to = variables[i];
        }
    };
    for (std::int32_t i = 0; i < depth; ++i) {
        part[i] = loops[i];
        part[i].first_slope = part[i].last_slope = 0;
    }
    fill(own.first, &loop::first);
    fill(end - 1, &loop::last);
    return 1;
}

}  // namespace artel::openmp::kmp
