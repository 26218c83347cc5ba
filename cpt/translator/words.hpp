// Words and brackets in the text of a C program.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace cpt {

// Whether `c` may stand in a name or a number.
bool word_character(char c);

// The text with each word that is a key of `words` replaced by its value.
std::string replace_words(std::string_view text, const std::map<std::string, std::string>& words);

// The last place of the word in the text, where it is no part of another word; npos: none.
std::size_t last_word(std::string_view text, std::string_view word);

// The place of the bracket that closes the one at `open`; brackets in literals do not count. The
// text's size if there is none.
std::size_t closing(std::string_view text, std::size_t open);

// Whether the line is a line marker.
bool is_marker(std::string_view line);

// The text with line markers that say nothing of the nesting of included files: where text was
// moved, files no longer begin and end in pairs. Text that a marker declares as generated (with
// `generated`, the beginning, too) becomes one line, so that debuggers show it only at its
// directive.
std::string laid_out(std::string_view text, bool generated);

// The text without line markers.
std::string without_markers(std::string_view text);

}  // namespace cpt
