// The text of values in environment variables: how the rows of the table of options
// (options_table.cpp) read and print numbers, switches, words, lists and sizes. A parser ignores
// upper and lower case, and leaves its result alone when the text is not allowed; what is printed
// can be parsed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace artel::base {

bool same_word(std::string_view a, std::string_view b);

// A whole number of decimal digits and nothing else, within [least, most].
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t least,
                                          std::uint64_t most);

// A count of 1 .. most, or "auto" for 0.
bool parse_count(std::string_view text, unsigned& count, unsigned most);
std::string print_count(unsigned count);

bool parse_switch(std::string_view text, bool& value);
std::string print_switch(bool value);

// Words of an enumeration, in the order of its values.
template <typename Enum, std::size_t n>
bool parse_word(std::string_view text, const std::array<const char*, n>& words, Enum& value)
{
    for (std::size_t i = 0; i < n; ++i)
        if (same_word(text, words[i])) {
            value = static_cast<Enum>(i);
            return true;
        }
    return false;
}

// Numbers of NUMA nodes: "0,2-3" to {0, 2, 3}, sorted, without repetitions; "all" to {}.
bool parse_list(std::string_view text, std::vector<unsigned>& list);
std::string print_list(const std::vector<unsigned>& list);

// The size of a stack, rounded up to whole pages.
bool parse_bytes(std::string_view text, std::size_t& bytes);
std::string print_bytes(std::size_t bytes);

}  // namespace artel::base
