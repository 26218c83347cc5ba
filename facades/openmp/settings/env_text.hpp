// Parsers for the values of OMP_ variables, as libgomp accepts them: blanks around any part are
// ignored, words are compared without case. A parser returns nothing unless the whole text is such
// a value. No state; any thread.
#pragma once

#include "icv.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace artel::openmp {

// Consumes a text from its front. Every take_ skips blanks first; when it does not find what it
// takes it returns false and has consumed only the blanks.
class text_reader {
public:
    explicit text_reader(std::string_view text) noexcept : rest_(text) {}

    void skip_blanks() noexcept;
    bool at_end() noexcept;
    bool take(char c) noexcept;
    // a prefix: "true" is taken from "trueish".
    bool take_word(std::string_view lower_case) noexcept;
    // decimal, whatever it begins with: 08 is eight; no sign.
    bool take_number(std::uint64_t& value) noexcept;
    // as C reads numbers: 0x begins a hexadecimal one, 0 an octal one.
    bool take_c_number(std::uint64_t& value) noexcept;
    bool take_signed(std::int64_t& value) noexcept;

private:
    bool take_digits(unsigned base, std::uint64_t& value) noexcept;

    std::string_view rest_;
};

std::optional<bool> parse_switch(std::string_view text) noexcept;
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t least) noexcept;
// A number with b, k, m or g; k if none.
std::optional<std::size_t> parse_stack_size(std::string_view text) noexcept;
// As libomp reads sizes: a number with k, m, g, t, p or e, and a b behind these or alone; without
// any of them it counts units of 2^`shift` bytes.
std::optional<std::size_t> parse_libomp_size(std::string_view text, unsigned shift) noexcept;
// Comma-separated numbers of at least `least`.
std::optional<std::vector<unsigned>> parse_counts(std::string_view text, std::uint64_t least = 1);
// GOMP_SPINCOUNT: a number with k, m, g, t (thousands and so on), or infinite: UINT64_MAX.
std::optional<std::uint64_t> parse_spin_count(std::string_view text) noexcept;
// OMP_TARGET_OFFLOAD.
std::optional<offload_policy> parse_offload(std::string_view text) noexcept;

// OMP_SCHEDULE: [modifier:]kind[,chunk]. Besides the standard's kinds it takes libomp's
// (trapezoidal, static_steal) and the names of the algorithms of Artel's own loops, all of which
// mean loop_shares.hpp.
enum class schedule_modifier : std::uint8_t { none, monotonic, nonmonotonic };
struct schedule_text {
    std::optional<schedule_kind> kind;  // nothing: unknown
    bool bad_chunk = false;
    std::uint32_t chunk = 0;  // 0: not given
    schedule_modifier modifier = schedule_modifier::none;
};
schedule_text parse_schedule(std::string_view text) noexcept;
// The index in `words` of the text.
std::optional<unsigned> parse_word(std::string_view text, const char* const* words,
                                   unsigned count) noexcept;
// OMP_PROC_BIND: false, true, or a list of primary, master, close, spread; as omp_proc_bind_t
// values.
std::optional<std::vector<int>> parse_proc_bind(std::string_view text);

}  // namespace artel::openmp
