// Parsers for the values of OMP_ variables, as libgomp accepts them: blanks around any part are ignored, words are compared without case.
// A parser returns nothing where the text is not wholly such a value. No state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace artel::openmp {

// Consumes a text from its front. Every take_ skips blanks before what it takes and returns false, consuming only the blanks, if it is not there.
class text_reader {
public:
    explicit text_reader(std::string_view text) noexcept : rest_(text) {}

    void skip_blanks() noexcept;
    bool at_end() noexcept;
    bool take(char c) noexcept;
    bool take_word(std::string_view lower_case) noexcept;  // a prefix: "true" is taken from "trueish"
    bool take_number(std::uint64_t& value) noexcept;       // decimal, or 0x and 0 as strtoul reads them; no sign
    bool take_signed(std::int64_t& value) noexcept;

private:
    std::string_view rest_;
};

std::optional<bool> parse_switch(std::string_view text) noexcept;
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t least) noexcept;
std::optional<std::size_t> parse_stack_size(std::string_view text) noexcept;  // number with b, k, m or g; k if none
// Comma-separated numbers >= 1.
std::optional<std::vector<unsigned>> parse_counts(std::string_view text);
// Index of the word that the text is.
std::optional<unsigned> parse_word(std::string_view text, const char* const* words, unsigned count) noexcept;
// OMP_PROC_BIND: false, true, or a list of primary, master, close, spread; as omp_proc_bind_t values.
std::optional<std::vector<int>> parse_proc_bind(std::string_view text);

}  // namespace artel::openmp
