// Lines of a preprocessed C program: pragmas, line markers, clauses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cpt {

// Blanks within a line.
bool is_space(char c);
std::size_t skip_space(const std::string& s, std::size_t at);
std::size_t end_of_word(const std::string& s, std::size_t at);
std::string without_space(std::string text);

// Whether it is a decimal number without a sign.
bool is_number(const std::string& text);

// The offset after "#pragma WHAT"; 0 if the line is no such pragma.
std::size_t behind_pragma(const std::string& line, std::string_view what);

// # 12 "file.c" 1
bool is_marker(const std::string& line, unsigned& number, std::string& file);

// The clause in the line, its argument from `open` to `close`; false: there is none.
bool find_clause(const std::string& line, std::size_t from, const std::string& name,
                 std::size_t& at, std::size_t& open, std::size_t& close);

}  // namespace cpt
