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

// Where the word stands for the last time in the text, and not as a part of another one; npos: it
// does not.
std::size_t last_word(std::string_view text, std::string_view word);

// Where the bracket at `open` is closed; brackets in literals do not count. The text's size when
// nothing closes it.
std::size_t closing(std::string_view text, std::size_t open);

// Whether the line says where the next one comes from.
bool is_marker(std::string_view line);

// Line markers without what they say of the nesting of included files: where text was moved, files
// no longer begin and end in pairs. What a marker declares to be generated, or all of the
// beginning, becomes one line, so that debuggers see it at the place of its directive and nowhere
// else.
std::string laid_out(std::string_view text, bool generated);

// Without lines that are markers.
std::string without_markers(std::string_view text);

}  // namespace cpt
